/** What a caller authenticates itself with at a service: where it stands in a request, and whose it is. */
import { FieldNames } from './headers.ts';
import { parameterName } from './query.ts';

/** Fields of the services of the registry, and of gateways before them. */
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
const protocolField = new FieldNames(['sec-websocket-protocol']);

/** Query parameters with the same role, by their letters alone: `api_key`, `api-key` and `apiKey` are one. */
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

/** How browsers give their key to the OpenAI Realtime API: they can set no other field of an upgrade. */
const credentialProtocol = /(?:^|[,\s])openai-insecure-api-key\.([^,\s]+)/gi;

/** Where a request may hold a credential; `path` with the query, as it came. */
export type Credentialed = { readonly rawHeaders: readonly string[]; readonly path: string };

/**
 * All credentials of a request, one a line; empty without any. All of them count: Privet cannot know which one the
 * service looks at, and the others may be invented.
 */
export function credentialsOf({ rawHeaders, path }: Credentialed): string {
  let found = '';
  const add = (value: string) => {
    found = found === '' ? value : `${found}\n${value}`;
  };
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (credentialFields.has(name)) add(rawHeaders[i + 1] as string);
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
    if (credentialParameters.has(letters)) add(part.slice(equals + 1));
  }
  return found;
}

/** The accounts that credentials of {@link credentialsOf} belong to, in one order and each once. */
export function accountsOf(credentials: string): string[] {
  if (credentials === '') return [];
  const accounts = credentials.split('\n').map(accountOf);
  return [...new Set(accounts.filter((account) => account !== ''))].sort();
}

/** Signatures change with every request; the key that they are made with stays: AWS, and the clouds that do as AWS does. */
const signature = /^[\w-]+ +Credential=([^/,\s]+)/i;
const signedQuery = /^([\w-]+)(?:\/|%2f)\d{8}(?:\/|%2f)/i;
/** Google's pages hash their cookie with the time; a cookie is no credential here. */
const cookieHash = /^SAPISID/i;
/** GitHub Copilot renews its tokens every half an hour; `tid` stays. */
const copilotToken = /^(tid=[^;]+);(?:[^;]*;)*exp=/;

/**
 * What stays the same when a credential is renewed, else the credential. Nobody but the service verifies it, and it does
 * not answer a forged one.
 */
function accountOf(credential: string): string {
  const signed = signature.exec(credential) ?? signedQuery.exec(credential);
  if (signed) return `key ${signed[1]}`;
  if (cookieHash.test(credential)) return '';
  const value = credential.replace(/^(?:Bearer|Token)(?: +|%20|\+|$)/i, '').trim();
  return jwtAccount(value) ?? copilotToken.exec(value)?.[1] ?? value;
}

/** Issuer and subject of a JWT (RFC 7519 §4.1). */
function jwtAccount(value: string): string | undefined {
  const match = /^eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]*$/i.exec(value);
  if (!match) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(match[1] as string, 'base64url').toString('utf8')) as {
      iss?: unknown;
      sub?: unknown;
    };
    // With a line end, which no credential holds: none can look like the claims of a JWT.
    return claims.sub === undefined ? undefined : `jwt\n${JSON.stringify([claims.iss, claims.sub])}`;
  } catch {
    return undefined;
  }
}
