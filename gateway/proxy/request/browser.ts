/**
 * Identifies the browser of a request without credentials, by a long-lived cookie of the service: users may share an IP
 * address without signing in to the proxy.
 */
import { accountOf } from './credential.ts';
import { FieldNames } from './headers.ts';

const cookieField = new FieldNames(['cookie']);

/** Cookies that a service keeps per browser across sign-ins: `oai-did`, `anthropic-device-id`, `pplx.visitor-id`. */
const deviceName = /^(?:.*[-_.])?(?:device|visitor|did|muid)(?:[-_]?id)?$/i;
/** Common names of session cookies, but not of tokens, which are renewed while a page is open. */
const sessionName = /^(?:.*[-_.])?(?:session|(?:php|j)?sess(?:ion)?[-_]?id|session[-_]?key|[hs]?sid|s?apisid)$/i;

/** The identifying cookie; empty if there is none. */
export function browserOf(rawHeaders: readonly string[]): string {
  let device = '';
  let session = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!cookieField.has(rawHeaders[i] as string)) continue;
    for (const pair of (rawHeaders[i + 1] as string).split(';')) {
      const equals = pair.indexOf('=');
      const name = pair.slice(0, equals).trim();
      if (equals < 1 || equals === pair.length - 1) continue;
      const isDevice = deviceName.test(name);
      if (!isDevice && !sessionName.test(name)) continue;
      const value = `${name}=${accountOf(pair.slice(equals + 1).trim())}`;
      // The first by value, because browsers send cookies in an order of their own.
      if (isDevice && (device === '' || value < device)) device = value;
      if (!isDevice && (session === '' || value < session)) session = value;
    }
  }
  return device || session;
}
