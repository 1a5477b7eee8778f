/**
 * Classifies IP addresses by the kind of network they belong to, and matches them against sets of networks. Every range
 * that is not globally reachable has a class, so the egress guard can refuse it.
 */
import { isIPv6 } from 'node:net';
import { PrivetError } from '../core/errors.ts';

/** `translated`: IPv6 that embeds an IPv4 address for a translator or tunnel (NAT64, 6to4, Teredo, SIIT). */
export type AddressClass =
  | 'public'
  | 'private'
  | 'loopback'
  | 'link-local'
  | 'metadata'
  | 'multicast'
  | 'reserved'
  | 'unspecified'
  | 'translated';

/** A cheap pre-check: false for nearly every host name, without reading all of it. */
export function mayBeAddress(host: string): boolean {
  const last = host.charCodeAt(host.length - 1);
  return (last >= 0x30 && last <= 0x39) || host.includes(':');
}

type Row = readonly [cidr: string, kind: AddressClass];

// First match wins. Sources: IANA special-purpose registries for IPv4 and IPv6; metadata addresses from the vendors'
// pages: AWS (169.254.169.254, fd00:ec2::254, ECS 169.254.170.2, EKS 169.254.170.23 and fd00:ec2::23), Azure WireServer
// (168.63.129.16), Google Cloud (fd20:ce::254), Alibaba Cloud (100.100.100.200), Oracle Cloud (192.0.0.192).
const table: readonly Row[] = [
  ['169.254.169.254/32', 'metadata'],
  ['169.254.170.2/32', 'metadata'],
  ['169.254.170.23/32', 'metadata'],
  ['168.63.129.16/32', 'metadata'],
  ['100.100.100.200/32', 'metadata'],
  ['192.0.0.192/32', 'metadata'],
  ['0.0.0.0/32', 'unspecified'],
  ['0.0.0.0/8', 'reserved'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'private'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'reserved'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'reserved'],
  ['198.51.100.0/24', 'reserved'],
  ['203.0.113.0/24', 'reserved'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['fd00:ec2::254/128', 'metadata'],
  ['fd00:ec2::23/128', 'metadata'],
  ['fd20:ce::254/128', 'metadata'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0:0/96', 'translated'],
  ['::/96', 'reserved'],
  ['64:ff9b::/96', 'translated'],
  ['64:ff9b:1::/48', 'translated'],
  ['100::/64', 'reserved'],
  ['100:0:0:1::/64', 'reserved'],
  ['2001::/32', 'translated'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'reserved'],
  ['2002::/16', 'translated'],
  ['3fff::/20', 'reserved'],
  ['5f00::/16', 'reserved'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
];

/**
 * An address as four 32-bit words. IPv4 uses the last word only; IPv4-mapped IPv6 is read as the embedded IPv4 address.
 */
type Words = { readonly version: 4 | 6; readonly words: readonly [number, number, number, number] };
type Network = { readonly version: 4 | 6; readonly words: Words['words']; readonly bits: number };

/**
 * The class of an IP address. `::ffff:0:0/96` is classified by its embedded IPv4 address and a zone id is ignored. Text
 * that is not an IP address is `reserved`, so nothing unknown is treated as public.
 */
export function classifyAddress(ip: string): AddressClass {
  const word = dottedWord(ip);
  if (word !== undefined) return classOfWord(word);
  const address = parseAddress(ip);
  if (address === undefined) return 'reserved';
  for (const { network, kind } of networks[address.version]) {
    if (contains(network, address)) return kind;
  }
  return 'public';
}

/** The class of an IPv4 address. */
function classOfWord(word: number): AddressClass {
  for (const { network, kind } of networks[4]) {
    if (maskWord(word, network.bits) === network.words[3]) return kind;
  }
  return 'public';
}

const networks = { 4: networksOf(4), 6: networksOf(6) };

function networksOf(version: 4 | 6): { network: Network; kind: AddressClass }[] {
  return table
    .map(([cidr, kind]) => ({ network: parseNetwork(cidr) as Network, kind }))
    .filter(({ network }) => network.version === version);
}

/**
 * A set of networks: CIDRs, single addresses, or the words `loopback` and `private`. The words never include cloud
 * metadata addresses, even those inside a private range.
 */
export class CidrSet {
  readonly #classes = new Set<AddressClass>();
  /**
   * Network addresses grouped by IP version and prefix length. A look-up costs one step per prefix length in use,
   * however many networks there are.
   */
  readonly #byLength: { readonly bits: number; readonly version: 4 | 6; readonly keys: Set<string | number> }[] = [];

  /** @throws PrivetError `invalid_input` when an entry is not a CIDR, an address or a known word. */
  constructor(cidrs: readonly string[]) {
    for (const entry of cidrs) {
      if (entry === 'loopback' || entry === 'private') {
        this.#classes.add(entry);
        continue;
      }
      const network = parseNetwork(entry);
      if (network === undefined) {
        throw new PrivetError(
          'invalid_input',
          `"${entry}" is not a network, an address, or one of: loopback, private.`,
        );
      }
      let group = this.#byLength.find(({ version, bits }) => version === network.version && bits === network.bits);
      if (group === undefined) {
        group = { bits: network.bits, version: network.version, keys: new Set() };
        this.#byLength.push(group);
      }
      group.keys.add(maskedKey(network, network.bits));
    }
  }

  get isEmpty(): boolean {
    return this.#classes.size === 0 && this.#byLength.length === 0;
  }

  /** Whether the address is in one of the networks; false for text that is not an IP address. */
  has(ip: string): boolean {
    const word = dottedWord(ip);
    if (word !== undefined) {
      for (const { bits, version, keys } of this.#byLength) {
        if (version === 4 && keys.has(maskWord(word, bits))) return true;
      }
      return this.#classes.size > 0 && this.#classes.has(classOfWord(word));
    }
    const address = parseAddress(ip);
    if (address === undefined) return false;
    for (const { bits, version, keys } of this.#byLength) {
      if (version === address.version && keys.has(maskedKey(address, bits))) return true;
    }
    return this.#classes.size > 0 && this.#classes.has(classifyAddress(ip));
  }
}

/**
 * Parses a network into its version, prefix length and the key of its address.
 * @throws PrivetError `invalid_input` when the text is not a CIDR or an address.
 */
export function networkOf(text: string): {
  readonly version: 4 | 6;
  readonly bits: number;
  readonly key: string | number;
} {
  const network = parseNetwork(text);
  if (network === undefined) throw new PrivetError('invalid_input', `"${text}" is not a network or an address.`);
  return { version: network.version, bits: network.bits, key: maskedKey(network, network.bits) };
}

/**
 * The key (as in {@link networkOf}) of the network with this prefix length that contains the address; undefined if the
 * address has the other IP version.
 */
export function networkKey(address: string, version: 4 | 6, bits: number): string | number | undefined {
  const parsed = parseAddress(address);
  return parsed?.version === version ? maskedKey(parsed, bits) : undefined;
}

function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  const ip = slash === -1 ? text : text.slice(0, slash);
  const address = parseAddress(ip);
  if (address === undefined) return undefined;
  const isMapped = address.version === 4 && ip.includes(':');
  const width = address.version === 4 && !isMapped ? 32 : 128;
  let bits = width;
  if (slash !== -1) {
    const length = text.slice(slash + 1);
    if (!/^\d{1,3}$/.test(length)) return undefined;
    bits = Number(length);
    if (bits > width) return undefined;
  }
  if (isMapped) {
    bits -= 96;
    if (bits < 0) return undefined;
  }
  return { version: address.version, words: address.words, bits };
}

function parseAddress(text: string): Words | undefined {
  const word = dottedWord(text);
  if (word !== undefined) return { version: 4, words: [0, 0, 0, word] };
  // Host names reach this function too; checking for a colon is cheaper than the isIPv6 pattern.
  if (!text.includes(':')) return undefined;
  const percent = text.indexOf('%');
  const ip = percent === -1 ? text : text.slice(0, percent);
  if (!isIPv6(ip)) return undefined;
  const words = ipv6Words(ip);
  const isMapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
  return isMapped ? { version: 4, words: [0, 0, 0, words[3]] } : { version: 6, words };
}

/**
 * The 32 bits of a canonical dotted IPv4 address (four decimal numbers up to 255 without leading zeros); undefined for
 * any other text.
 */
export function dottedWord(text: string): number | undefined {
  const length = text.length;
  if (length < 7 || length > 15) return undefined;
  let word = 0;
  let part = -1;
  let dots = 0;
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x2e) {
      if (part === -1 || ++dots > 3) return undefined;
      word = word * 256 + part;
      part = -1;
      continue;
    }
    if (c < 0x30 || c > 0x39 || part === 0) return undefined;
    part = (part === -1 ? 0 : part * 10) + c - 0x30;
    if (part > 255) return undefined;
  }
  return dots === 3 && part !== -1 ? word * 256 + part : undefined;
}

/** Accepts only text that `isIPv6` has accepted. */
function ipv6Words(text: string): [number, number, number, number] {
  let ip = text;
  const dotted = /[\d.]+$/.exec(ip)?.[0];
  if (dotted?.includes('.')) {
    const word = dottedWord(dotted) as number;
    ip = `${ip.slice(0, -dotted.length)}${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`;
  }
  const [head = '', tail] = ip.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right].map((g) =>
    Number.parseInt(g, 16),
  );
  const word = (i: number) => (groups[i] ?? 0) * 65536 + (groups[i + 1] ?? 0);
  return [word(0), word(2), word(4), word(6)];
}

function contains(network: Network, address: Words): boolean {
  if (network.version !== address.version) return false;
  const start = network.version === 4 ? 3 : 0;
  let bits = network.bits;
  for (let i = start; i < 4 && bits > 0; i++, bits -= 32) {
    if (maskWord(network.words[i] ?? 0, bits) !== maskWord(address.words[i] ?? 0, bits)) return false;
  }
  return true;
}

function maskedKey({ version, words }: Words, bits: number): string | number {
  if (version === 4) return maskWord(words[3], bits);
  return words.map((word, i) => maskWord(word, bits - 32 * i)).join(':');
}

/** Keeps the first `bits` bits of a word and clears the rest. Keeps all of it for 32 or more, nothing for 0 or less. */
function maskWord(word: number, bits: number): number {
  if (bits >= 32) return word;
  if (bits <= 0) return 0;
  return (word & (-1 << (32 - bits))) >>> 0;
}
