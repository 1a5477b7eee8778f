/** A client's credentials at a service: their location in a request, and their account. */
import { anyOf } from '../../../core/patterns.ts';
import { FieldNames } from './headers.ts';
import { parameterName } from './query.ts';

/** Headers of registered services, and of gateways in front of them. */
const credentialFields = new FieldNames([
  'authorization',
  'api-key',
  'apikey',
  'cf-aig-authorization',
  'helicone-auth',
  'ocp-apim-subscription-key',
  'token',
  'x-access-token',
  'x-api-key',
  'x-auth-token',
  'x-functions-key',
  'x-goog-api-key',
  'x-litellm-api-key',
  'x-portkey-api-key',
  'x-rapidapi-key',
  'x-token',
  'xi-api-key',
]);
/** Names at other services: `x-mistral-api-key`, `x-subscription-token`, `x-key`, `private-token`. */
const credentialName = /(?:^|-)(?:api|access|subscription|app|auth|virtual|private|job)[-_]?(?:key|token)$|^x[-_]key$/i;
/** Names with the service's own name: `x-gladia-key`. Keys that differ by request do not identify the client. */
const ownKey = /^x-(?!(?:idempotency|cache|request|dedup|session|trace|upload)-)[a-z\d]+-key$/i;

function isCredential(name: string): boolean {
  if (credentialFields.has(name)) return true;
  const last = name.charCodeAt(name.length - 1) | 0x20;
  return (last === 0x79 || last === 0x6e) && (credentialName.test(name) || ownKey.test(name));
}

const protocolField = new FieldNames(['sec-websocket-protocol']);

/** Query parameters for credentials, by letters only: `api_key`, `api-key` and `apiKey` are the same. */
const credentialParameters = new Set([
  'accesstoken',
  'apikey',
  'authorization',
  'key',
  'ocpapimsubscriptionkey',
  'subscriptionkey',
  'token',
  'xamzcredential',
  'xapikey',
  'xgoogapikey',
  'xiapikey',
]);
const credentialLetters = /(?:api|access|subscription|app|auth)(?:key|token)$/;

/** Keys in the only header that browsers can set on an upgrade: `openai-insecure-api-key.KEY`, `token, KEY`. */
const protocolPrefix = String.raw`[\w-]*(?:api-?key|access-?token)[\w-]*\.`;
const protocolNames = String.raw`(?:token|bearer|access_token|authorization),\s*`;
const credentialProtocol = new RegExp(String.raw`(?:^|[,\s])(?:${protocolPrefix}|${protocolNames})([^,\s]+)`, 'gi');

/** Parts of a request that may contain a credential; `path` includes the query, as received. */
export type Credentialed = { readonly rawHeaders: readonly string[]; readonly path: string };

/**
 * All credentials of a request, one per line; empty if there are none. All count, because Privet cannot know which one
 * the service uses, and the others may be made up.
 */
export function credentialsOf({ rawHeaders, path }: Credentialed): string {
  let found = '';
  const add = (value: string) => {
    found = found === '' ? value : `${found}\n${value}`;
  };
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (isCredential(name)) add(rawHeaders[i + 1] as string);
    else if (protocolField.has(name)) {
      for (const [, key] of (rawHeaders[i + 1] as string).matchAll(credentialProtocol)) add(key as string);
    }
  }
  const mark = path.indexOf('?');
  if (mark === -1) return found;
  for (const part of path.slice(mark + 1).split(/[&;]/)) {
    const equals = part.indexOf('=');
    if (equals === -1 || equals === part.length - 1) continue;
    const letters = parameterName(part.slice(0, equals)).replace(/[^a-z]/g, '');
    if (credentialParameters.has(letters) || credentialLetters.test(letters)) add(part.slice(equals + 1));
  }
  return found;
}

/** The distinct accounts for credentials from {@link credentialsOf}, sorted. */
export function accountsOf(credentials: string): string[] {
  if (credentials === '') return [];
  const accounts = credentials.split('\n').map(accountOf);
  return [...new Set(accounts.filter((account) => account !== ''))].sort();
}

/** Signatures change with every request, but the signing key id does not: AWS and compatible clouds. */
const signature = /^[\w-]+ +Credential=([^/,\s]+)/i;
const signedQuery = /^([\w-]+)(?:\/|%2f)\d{8}(?:\/|%2f)/i;
/** Google's pages hash their cookie with the time, and cookies do not count as credentials here. */
const cookieHash = /^SAPISID/i;
/** GitHub Copilot renews its tokens every half hour; `tid` does not change. */
const copilotToken = /^(tid=[^;]+);(?:[^;]*;)*exp=/;

/** The stable part of a renewable credential, else all of it. Forging one is futile: only the service verifies it. */
export function accountOf(credential: string): string {
  const signed = signature.exec(credential) ?? signedQuery.exec(credential);
  if (signed) return `key ${signed[1]}`;
  if (cookieHash.test(credential)) return '';
  const value = credential.replace(/^(?:Bearer|Token)(?: +|%20|\+|$)/i, '').trim();
  return jwtAccount(value) ?? copilotToken.exec(value)?.[1] ?? value;
}

type Claims = { readonly iss?: unknown; readonly sub?: unknown; readonly role?: unknown };

/** Subjects and roles of tokens for all visitors, such as the public key of a Supabase app. */
const anonymous = new RegExp(
  `^${anyOf('anon anonymous guest public visitor unauthenticated nobody unknown default demo null user 0*')}$`,
  'i',
);

/** Issuer and subject of a JWT (RFC 7519 §4.1); empty if it is anonymous. */
function jwtAccount(value: string): string | undefined {
  const match = /^eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]*$/i.exec(value);
  if (!match) return undefined;
  try {
    const { iss, sub, role } = JSON.parse(Buffer.from(match[1] as string, 'base64url').toString('utf8')) as Claims;
    // A role `user` without a subject: apps put the subject in other claims.
    if (anonymous.test(String(sub ?? (role === 'user' ? undefined : role)))) return '';
    // Contains a line end, which no credential does, so none can be mistaken for JWT claims.
    return sub === undefined ? undefined : `jwt\n${JSON.stringify([iss, sub])}`;
  } catch {
    return undefined;
  }
}
