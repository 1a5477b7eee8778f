/**
 * The vault session of a request, within which a token has one meaning. It is determined by the reader of the
 * responses: the client (user or address, and account at the service), and the page, if another site's page reads them. If
 * only an address is known, which several people may share, each connection (over plain HTTP, each request) has a session.
 * See docs/decisions/0026-sessions-by-reader.md.
 */
import { randomBytes } from 'node:crypto';
import { anyOf } from '../../../core/patterns.ts';
import { proxySessionKey } from '../../../core/vault.ts';
import { CidrSet } from '../../../policy/address.ts';
import { Hmac } from '../../hmac.ts';
import { type Asked, isOwn, type Reader, readerOf } from './answer-reader.ts';
import { accountOf, accountsOf, credentialsOf } from './credential.ts';
import { FieldNames } from './headers.ts';
import type { Client } from './record.ts';

/** An id, and its inputs besides the client. */
type Known = {
  readonly key: Buffer;
  readonly service: string;
  readonly credentials: string;
  readonly accounts: readonly string[];
  readonly browser: string;
  readonly reader: Reader;
  readonly id: string;
};

/**
 * Computes session ids. `key` returns a secret shared by replicas of a store; `lineKey` one that outlives the process
 * if the numbers do (core/tokens/number-lines.ts).
 */
export class SessionKeys {
  private readonly key: () => Buffer;
  private readonly lineKey: () => Buffer;
  private readonly known = new WeakMap<Buffer, Hmac>();
  /** The last id on each connection, where client and service hardly ever change. */
  private readonly last = new WeakMap<object, Known>();
  /** Random names of connections whose client nothing else identifies. */
  private readonly names = new WeakMap<object, string>();

  constructor(key: () => Buffer, lineKey = key) {
    this.key = key;
    this.lineKey = lineKey;
  }

  /** The session id of a request on a connection: `proxySessionKey` of hexadecimal parts. */
  sessionFor(connection: { readonly client: Client }, asked: Asked): string {
    const { client } = connection;
    const { target } = asked;
    // A host without a dot could look like a key, which never has one.
    const service = asked.service?.key ?? (target.host.includes('.') ? target.host : `${target.host}.`);
    const reader = readerOf(asked);
    const credentials = countsCredentials(client, reader)
      ? credentialsOf({ rawHeaders: asked.rawHeaders, path: target.path })
      : '';
    const last = this.last.get(connection);
    const accounts = last?.credentials === credentials ? last.accounts : accountsOf(credentials);
    const browser = client.user === undefined && accounts.length === 0 ? browserOf(asked.rawHeaders) : '';
    // An unnamed page may be any page, so without a key two of them have nothing in common.
    if (reader === 'unnamed' && accounts.length === 0) {
      return this.idOf(client, service, randomBytes(16).toString('hex'));
    }
    const key = this.key();
    const isSame = last?.service === service && last.credentials === credentials && last.reader === reader;
    if (isSame && last.browser === browser && last.key === key) return last.id;
    const page = reader === 'own' || reader === 'program' ? null : reader;
    const isNameless = client.user === undefined && accounts.length === 0 && browser === '';
    const names = isNameless && !here.has(client.address) ? [this.nameOf(connection)] : [...accounts, browser];
    const identity = JSON.stringify([client.subject, service, names.filter(Boolean), page]);
    const id = this.idOf(client, service, this.hmac(key).digest(identity).toString('hex', 0, 16));
    this.last.set(connection, { key, service, credentials, accounts, browser, reader, id });
    return id;
  }

  private nameOf(connection: object): string {
    const name = this.names.get(connection) ?? randomBytes(16).toString('hex');
    this.names.set(connection, name);
    return name;
  }

  /** A subject's sessions at a service share their numbers, because the service may repeat another session's token. */
  private idOf({ subject }: Client, service: string, session: string): string {
    const hmac = this.hmac(this.lineKey());
    return proxySessionKey(part(hmac, subject), part(hmac, lineText(subject, service)), session);
  }

  private hmac(key: Buffer): Hmac {
    const hmac = this.known.get(key) ?? new Hmac(key);
    this.known.set(key, hmac);
    return hmac;
  }
}

/** Programs of one machine count as its user's; another address may be that of several people. */
const here = new CidrSet(['loopback']);

const part = (hmac: Hmac, text: string): string => hmac.digest(text).toString('hex', 0, 8);
const lineText = (subject: string, service: string): string => `${subject}\n${service}`;

/** The owner of a session, if known. */
export type SessionOwner = { readonly subject: string | null; readonly service: string | null };

/**
 * Finds the owners of proxy sessions. Their ids contain only keyed hashes, so the hashes of all known subjects and
 * services are compared.
 * @param key the secret of the token numbers (`Stores.lineSecret`)
 */
export class SessionOwners {
  readonly #hmac: Hmac;
  readonly #subjects: ReadonlyMap<string, string>;
  readonly #services: readonly string[];
  /** The lines of subjects that were already looked up. */
  readonly #lines = new Map<string, ReadonlyMap<string, string>>();

  constructor(key: Buffer, known: { readonly subjects: readonly string[]; readonly services: readonly string[] }) {
    this.#hmac = new Hmac(key);
    this.#subjects = new Map(known.subjects.map((subject) => [part(this.#hmac, subject), subject]));
    this.#services = known.services;
  }

  /** The owner of a session id; null for parts that match nothing known. */
  ownerOf(id: string): SessionOwner {
    const [owner = '', line = ''] = id.split('.');
    const subject = this.#subjects.get(owner);
    if (subject === undefined) return { subject: null, service: null };
    return { subject, service: this.#linesOf(subject).get(line) ?? null };
  }

  #linesOf(subject: string): ReadonlyMap<string, string> {
    const known = this.#lines.get(subject);
    if (known !== undefined) return known;
    const lines = new Map(this.#services.map((key) => [part(this.#hmac, lineText(subject, key)), key]));
    this.#lines.set(subject, lines);
    return lines;
  }
}

/**
 * True if the account at the service counts. Not for the service's own pages of a signed-in proxy user: they upload,
 * download and open conversations without their chats' credential, and no other site can be such a page.
 */
function countsCredentials(client: Client, reader: Reader): boolean {
  return client.user === undefined || !isOwn(reader);
}

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

/** With a number or an e-mail address as subject; visitors may share a word. */
const personalJwt = /^jwt\n\[.*[\d@][^",]*"?\]$/;

/** Shorter values are settings. */
const identityMin = 8;
/** From the cookie that identifies the browser best to the one that identifies it least. */
const kindsOfCookie = 4;

/** The identifying cookie, or all lasting ones if none is of a known kind; empty if there is none. */
function browserOf(rawHeaders: readonly string[]): string {
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
      if (account === '') continue;
      const value = `${name}=${account}`;
      const kind = named ?? kindOf(name, account);
      // The first by value, because browsers choose the order of cookies.
      if (kind !== undefined)
        best[kind] = best[kind] === '' || value < (best[kind] as string) ? value : (best[kind] as string);
      else if (account.length >= identityMin && !changingName.test(name)) others.push(value);
    }
  }
  return best.find((value) => value !== '') ?? others.sort().join('\n');
}

function kindOf(name: string, account: string): number | undefined {
  if (personalJwt.test(account)) return 2;
  return statisticsName.test(name) ? 3 : undefined;
}
