import { anyOf } from '../../../core/patterns.ts';
import type { Detection } from '../../../core/recognizer.ts';
import type { Exchange, StageInput } from '../exchange.ts';
import { headerValue } from '../request/headers.ts';
import { hasMaskedField, maskFields } from '../request/masked-fields.ts';
import { maskTarget, mayBePersonal } from '../request/masked-target.ts';
import type { Target } from '../request/target.ts';

/** Masks URL and headers of an inspected request. */
export function fields(exchange: Exchange): Exchange | Promise<Exchange> {
  const { parts, context, decision, target, rawHeaders, policy } = exchange;
  if (decision.inspect === 'tunnel') return exchange;
  const { types, service } = decision;
  const { method } = exchange.request;
  const session = parts.sessions.sessionFor(context, { method, rawHeaders, target, service, policy });
  const mode = decision.inspect === 'mask' ? 'mask' : 'audit';
  const client = context.client.subject;
  const input: StageInput = { host: target.host, path: target.path, session, client, mode, types, service };
  exchange.fieldInput = input;
  const isSignIn = mode === 'mask' && isServiceSignIn(target, plainLength(exchange));
  exchange.input = isSignIn ? { ...input, accepts: isNoIdentity, passesBinary: true } : input;
  const hasFields = hasMaskedField(rawHeaders);
  return hasFields || mayBePersonal(target.path) ? maskHead(exchange, exchange.input, hasFields) : exchange;
}

async function maskHead(exchange: Exchange, input: StageInput, hasFields: boolean): Promise<Exchange> {
  const { masker, record, rawHeaders } = exchange;
  const { path } = exchange.target;
  if (mayBePersonal(path)) exchange.path = await maskTarget(masker, input, { path, rawHeaders }, record);
  if (hasFields && exchange.fieldInput)
    exchange.fields = await maskFields(masker, exchange.fieldInput, rawHeaders, record);
  return exchange;
}

/** Length of the decoded body; undefined if unknown, as for compressed bodies. */
function plainLength(exchange: Exchange): number | undefined {
  if (!exchange.hasBody) return 0;
  return headerValue(exchange.rawHeaders, 'content-encoding') === undefined ? exchange.framing.length : undefined;
}

/** Account hosts, by first label. */
const accountHost = /^(?:auth|login|accounts?|signin|sso|identity|idp)\./;
/** Sign-in paths (RFC 6749 §3 and those of real services), after a few short segments such as `/api/v0/users`. */
const signInWords = anyOf(`
  auth oauth2? openid oidc saml2? sso log[-_]?in sign[-_]?(?:in|up)s? register registrations?
  (?:forgot|reset)[-_]?password`);
const signInPath = new RegExp(String.raw`^(?:/(?:[a-z-]{1,12}|v\d{1,2})){0,3}/${signInWords}(?:/|$)`, 'i');
/**
 * Paths that manage an organisation's members (the administration APIs of OpenAI and Anthropic, and other services): an
 * invitation to a token would reach no one.
 */
const memberPath = new RegExp(
  String.raw`/${anyOf('organi[sz]ations? orgs? teams? workspaces? projects? accounts?')}(?:/[\w-]{1,64}){0,3}` +
    '/(?:invit(?:es?|ations?)|members?|users?|seats?)(?:/[^/]*)?$',
  'i',
);
/** Words in paths that call models or send files; camel-case names are split first. */
const otherWords = anyOf(`
  chat(?:s|bots?)? completions? responses messages? conversations? models? deployments? engines? embeddings?
  generat(?:e|ions?)(?!-(?:auth|reg)) prompts? ask query search graphql rpc files? uploads? documents? images? audio`);
const otherPath = new RegExp(`(?<![a-z])${otherWords}(?![a-z])`, 'i');
const camelCase = /(?<=[a-z\d])(?=[A-Z])/g;
/** Paths that servers may normalise differently. */
const disputed = /[%;\\]|\/[./]/;
/** The host on which a program waits for its authorization code (RFC 8252 §7.3). */
const loopback = /^(?:127\.|\[?(?:0*:)+0*1\]?$)/;
/** Maximum size of an account form. */
const bodyBytesMax = 16_384;

/**
 * True for a request that signs in or invites a user: the identity in its body and query is sent unmasked, or the
 * request could not work. False for longer requests, or those of unknown length.
 * @param length bytes of the body; undefined if not announced, or compressed
 */
export function isServiceSignIn({ host, path }: Pick<Target, 'host' | 'path'>, length: number | undefined): boolean {
  if (length === undefined || length > bodyBytesMax) return false;
  const end = path.search(/[?#]/);
  const name = end < 0 ? path : path.slice(0, end);
  // Most requests are model calls.
  if (otherPath.test(name)) return false;
  const isAsked = accountHost.test(host) || signInPath.test(name) || memberPath.test(name);
  return isAsked && !otherPath.test(name.replace(camelCase, '-')) && !disputed.test(name);
}

/** False for identifiers of a user or program at a service, for those that create an account, and for its address. */
export function isNoIdentity({ type, value }: Detection): boolean {
  if (type === 'IP_ADDRESS') return !loopback.test(value);
  return !/^(?:EMAIL|PHONE|NAME|DATE_OF_BIRTH|PASSWORD|JWT|API_KEY)$/.test(type);
}
