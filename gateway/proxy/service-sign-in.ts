/** Requests with which a person or a program signs in to a service: it has to know who they are. */
import type { Detection } from '../../core/recognizer.ts';
import type { Target } from './target.ts';

/** Hosts of accounts, by the first label. */
const accountHost = /^(?:auth|login|accounts?|signin|sso|identity|idp)\./;
/** Paths of sign-in (RFC 6749 §3 and what services in use have), behind a few short segments such as `/api/v0/users`. */
const signInPath =
  /^(?:\/(?:[a-z-]{1,12}|v\d{1,2})){0,3}\/(?:auth|oauth2?|openid|oidc|saml2?|sso|log-?in|sign-?in|sign-?up)(?:\/|$)/i;
/** Where models are asked or files sent, whatever else the path says. */
const otherPath =
  /(?<![a-z])(?:chat|completions?|responses|messages?|conversations?|models?|deployments?|engines?|embeddings?|generate(?!-(?:auth|reg))\w*|prompts?|ask|query|search|graphql|rpc|files?|uploads?|documents?|images?|audio)(?![a-z])/i;
/** What servers may read as another path. */
const disputed = /[%;\\]|\/[./]/;
/** More than any form of an account holds. */
const bodyBytesMax = 16_384;

/**
 * True for a request that signs in: who does, in its body and query, is sent as it is, or nobody could. What is longer than
 * such a request, or of unknown length, is none.
 * @param length bytes of the body; undefined when not announced
 */
export function isServiceSignIn({ host, path }: Pick<Target, 'host' | 'path'>, length: number | undefined): boolean {
  if (length === undefined || length > bodyBytesMax) return false;
  const end = path.search(/[?#]/);
  const name = end < 0 ? path : path.slice(0, end);
  return (accountHost.test(host) || signInPath.test(name)) && !otherPath.test(name) && !disputed.test(name);
}

/** False for what a person or program is known by at a service, or makes an account with; a program waits at an address. */
export function isNoIdentity({ type }: Detection): boolean {
  return !/^(?:EMAIL|PHONE|NAME|DATE_OF_BIRTH|PASSWORD|JWT|API_KEY|IP_ADDRESS)$/.test(type);
}
