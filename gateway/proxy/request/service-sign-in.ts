/**
 * Requests with which users sign in to a service or are invited to its organisation: the service must learn who they
 * are.
 */
import { anyOf } from '../../../core/patterns.ts';
import type { Detection } from '../../../core/recognizer.ts';
import type { Target } from './target.ts';

/** Hosts of accounts, by first label. */
const accountHost = /^(?:auth|login|accounts?|signin|sso|identity|idp)\./;
/** Sign-in paths (RFC 6749 §3 and those of real services), after a few short segments such as `/api/v0/users`. */
const signInWords = anyOf(`
  auth oauth2? openid oidc saml2? sso log[-_]?in sign[-_]?(?:in|up)s? register registrations?
  (?:forgot|reset)[-_]?password`);
const signInPath = new RegExp(String.raw`^(?:/(?:[a-z-]{1,12}|v\d{1,2})){0,3}/${signInWords}(?:/|$)`, 'i');
/**
 * Where members of an organisation are invited and managed (the administration APIs of OpenAI and Anthropic, and other
 * services): an invitation to a token would reach no one.
 */
const memberPath = new RegExp(
  String.raw`/${anyOf('organi[sz]ations? orgs? teams? workspaces? projects? accounts?')}(?:/[\w-]{1,64}){0,3}` +
    '/(?:invit(?:es?|ations?)|members?|users?|seats?)(?:/[^/]*)?$',
  'i',
);
/** Where models are called or files sent, whatever else the path contains; camel-case names are split first. */
const otherWords = anyOf(`
  chat(?:s|bots?)? completions? responses messages? conversations? models? deployments? engines? embeddings?
  generat(?:e|ions?)(?!-(?:auth|reg)) prompts? ask query search graphql rpc files? uploads? documents? images? audio`);
const otherPath = new RegExp(`(?<![a-z])${otherWords}(?![a-z])`, 'i');
const camelCase = /(?<=[a-z\d])(?=[A-Z])/g;
/** Paths that servers may normalise differently. */
const disputed = /[%;\\]|\/[./]/;
/** Where a program waits for its authorization code (RFC 8252 §7.3). */
const loopback = /^(?:127\.|\[?(?:0*:)+0*1\]?$)/;
/** Larger than any account form. */
const bodyBytesMax = 16_384;

/**
 * True for a request that signs in or invites somebody: the identity in its body and query is sent unmasked, or the
 * request could not work. Longer requests, or those of unknown length, do not count.
 * @param length bytes of the body; undefined when not announced, or compressed
 */
export function isServiceSignIn({ host, path }: Pick<Target, 'host' | 'path'>, length: number | undefined): boolean {
  if (length === undefined || length > bodyBytesMax) return false;
  const end = path.search(/[?#]/);
  const name = end < 0 ? path : path.slice(0, end);
  // Most requests are calls of models.
  if (otherPath.test(name)) return false;
  const isAsked = accountHost.test(host) || signInPath.test(name) || memberPath.test(name);
  return isAsked && !otherPath.test(name.replace(camelCase, '-')) && !disputed.test(name);
}

/**
 * False for identifiers of a user or program at a service, for those used to create an account, and for its own
 * address.
 */
export function isNoIdentity({ type, value }: Detection): boolean {
  if (type === 'IP_ADDRESS') return !loopback.test(value);
  return !/^(?:EMAIL|PHONE|NAME|DATE_OF_BIRTH|PASSWORD|JWT|API_KEY)$/.test(type);
}
