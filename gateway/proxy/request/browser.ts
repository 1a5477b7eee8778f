/**
 * Identifies the browser of a request without credentials, by a cookie that stays the same while a page is open: users may
 * share an IP address without signing in to the proxy.
 */
import { anyOf } from '../../../core/patterns.ts';
import { accountOf } from './credential.ts';
import { FieldNames } from './headers.ts';

const cookieField = new FieldNames(['cookie']);

/** Cookies that a service keeps per browser across sign-ins: `oai-did`, `anthropic-device-id`, `pplx.visitor-id`. */
const deviceName = /^(?:.*[-_.])?(?:device|visitor|did|muid)(?:[-_]?id)?$/i;
/** Common names of session cookies, but not of tokens, which are renewed while a page is open. */
const sessionName = /^(?:.*[-_.])?(?:session|(?:php|j)?sess(?:ion)?[-_]?id|session[-_]?key|[hs]?sid|s?apisid)$/i;
/** Browsers' ids for statistics and payments, which last for months; services keep them next to cookies of any name. */
const statisticsName = new RegExp(
  `^${anyOf('_ga _fbp _uetvid _clck ajs_anonymous_id __stripe_mid hubspotutk optimizelyenduserid _hjsessionuser_\\d+')}$`,
  'i',
);
/** Cookies that change while a page is open: renewed tokens, and those of statistics, load balancers and bot protection. */
const changingName = new RegExp(
  anyOf(`token csrf xsrf nonce consent
    ^_ga_ ^_gid ^_gat ^_gcl ^_uetsid ^_cls ^_dd_s ^_hj ^_ph ^ph_ ^mp_ ^amp_ ^__stripe_sid ^__hs ^intercom-session
    ^_?_?cf ^awsalb ^ak_ ^bm_ ^incap_ ^nlbi_ ^_px ^datadome ^aws-waf`),
  'i',
);

/** Shorter values are settings. */
const identityMin = 8;
/** From the cookie that identifies the browser best to the one that identifies it least. */
const kindsOfCookie = 4;

/** The identifying cookie, or all lasting ones if none is of a known kind; empty if there is none. */
export function browserOf(rawHeaders: readonly string[]): string {
  const best: string[] = new Array(kindsOfCookie).fill('');
  const others: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!cookieField.has(rawHeaders[i] as string)) continue;
    for (const pair of (rawHeaders[i + 1] as string).split(';')) {
      const equals = pair.indexOf('=');
      const name = pair.slice(0, equals).trim();
      if (equals < 1 || equals === pair.length - 1) continue;
      const named = deviceName.test(name) ? 0 : sessionName.test(name) ? 1 : undefined;
      // A device or session identifies the browser better than any cookie of another name: leave those unread.
      if (named === undefined && (best[0] !== '' || best[1] !== '')) continue;
      const account = accountOf(pair.slice(equals + 1).trim());
      const value = `${name}=${account}`;
      const kind = named ?? kindOf(name, account);
      // The first by value, because browsers send cookies in an order of their own.
      if (kind !== undefined)
        best[kind] = best[kind] === '' || value < (best[kind] as string) ? value : (best[kind] as string);
      else if (account.length >= identityMin && !changingName.test(name)) others.push(value);
    }
  }
  return best.find((value) => value !== '') ?? others.sort().join('\n');
}

function kindOf(name: string, account: string): number | undefined {
  if (account.startsWith('jwt\n')) return 2;
  return statisticsName.test(name) ? 3 : undefined;
}
