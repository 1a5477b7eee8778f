/** Requests with which people sign in to a service, or are let into its organization: it has to know who they are. */
import type { Detection } from '../../core/recognizer.ts';
import type { Target } from './target.ts';

/** Hosts of accounts, by the first label. */
const accountHost = /^(?:auth|login|accounts?|signin|sso|identity|idp)\./;
/** Paths of sign-in (RFC 6749 §3 and what services in use have), behind a few short segments such as `/api/v0/users`. */
const signInPath =
  /^(?:\/(?:[a-z-]{1,12}|v\d{1,2})){0,3}\/(?:auth|oauth2?|openid|oidc|saml2?|sso|log[-_]?in|sign[-_]?(?:in|up)s?|register|registrations?|(?:forgot|reset)[-_]?password)(?:\/|$)/i;
/**
 * Where members of an organization are invited and managed (the administration APIs of OpenAI and Anthropic, and what other
 * services have): an invitation to a token reaches nobody.
 */
const memberPath =
  /\/(?:organi[sz]ations?|orgs?|teams?|workspaces?|projects?|accounts?)(?:\/[\w-]{1,64}){0,3}\/(?:invit(?:es?|ations?)|members?|users?|seats?)(?:\/[^/]*)?$/i;
/** Where models are asked or files sent, whatever else the path says; words of names in camel case are told apart before. */
const otherPath =
  /(?<![a-z])(?:chat(?:s|bots?)?|completions?|responses|messages?|conversations?|models?|deployments?|engines?|embeddings?|generat(?:e|ions?)(?!-(?:auth|reg))|prompts?|ask|query|search|graphql|rpc|files?|uploads?|documents?|images?|audio)(?![a-z])/i;
const camelCase = /(?<=[a-z\d])(?=[A-Z])/g;
/** What servers may read as another path. */
const disputed = /[%;\\]|\/[./]/;
/** Where a program waits for its code (RFC 8252 §7.3). */
const loopback = /^(?:127\.|\[?(?:0*:)+0*1\]?$)/;
/** More than any form of an account holds. */
const bodyBytesMax = 16_384;

/**
 * True for a request that signs in or invites somebody: who that is, in its body and query, is sent as it is, or nobody
 * could. What is longer than such a request, or of unknown length, is none.
 * @param length bytes of the body; undefined when not announced, or compressed
 */
export function isServiceSignIn({ host, path }: Pick<Target, 'host' | 'path'>, length: number | undefined): boolean {
  if (length === undefined || length > bodyBytesMax) return false;
  const end = path.search(/[?#]/);
  const name = end < 0 ? path : path.slice(0, end);
  const isAsked = accountHost.test(host) || signInPath.test(name) || memberPath.test(name);
  return isAsked && !isOther(name) && !disputed.test(name);
}

function isOther(path: string): boolean {
  return otherPath.test(path.replace(camelCase, '-'));
}

/** False for what a person or program is known by at a service, or makes an account with, and for its own address. */
export function isNoIdentity({ type, value }: Detection): boolean {
  if (type === 'IP_ADDRESS') return !loopback.test(value);
  return !/^(?:EMAIL|PHONE|NAME|DATE_OF_BIRTH|PASSWORD|JWT|API_KEY)$/.test(type);
}
