/**
 * Destinations that clients reach without the proxy: this machine and private networks. Shared by the PAC file and
 * `privet env`.
 */

/** Names of this machine (RFC 6761 §6.3), and below `.local` those of the local network (RFC 6762). */
export const directNames = ['localhost'];
export const directSuffixes = ['.local', '.localhost'];

const carrierNat = '100.64.0.0/10';

/** Networks: loopback, private, link-local and carrier-grade NAT (RFC 1918, 3927, 6598, 4193, 4291). */
export const directNetworks = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  carrierNat,
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

/** NO_PROXY: also lists loopback addresses, for programs that do not support CIDRs (curl before 7.86, Python). */
export const noProxy = [...directNames, '127.0.0.1', '::1', ...directSuffixes, ...directNetworks].join(',');

/**
 * The same for Java, which does not read NO_PROXY: `http.nonProxyHosts`, where a name may begin or end with `*`. It
 * replaces Java's default. IPv6 addresses are in brackets. Carrier-grade NAT needs 64 patterns and is left out: Java 8
 * ignores JAVA_TOOL_OPTIONS of 1,024 characters.
 */
export const javaDirectHosts = [
  ...directNames,
  ...directSuffixes.map((suffix) => `*${suffix}`),
  ...directNetworks
    .filter((network) => network !== carrierNat)
    .flatMap(prefixes)
    .map((prefix) => `${prefix}*`),
  '[::1]',
].join('|');

/** The beginnings of all addresses in a network, to the group in which it ends: `10.`, `172.16.`, `[fe8`. */
function prefixes(network: string): string[] {
  const [address = '', length] = network.split('/');
  const bits = Number(length);
  if (bits === 128) return [];
  const start = address.split(/[.:]/).slice(0, Math.ceil(bits / 8));
  if (address.includes('.')) {
    const last = Number(start.pop());
    const count = 2 ** ((8 - (bits % 8)) % 8);
    return Array.from({ length: count }, (_, i) => `${[...start, last + i].join('.')}.`);
  }
  const digits = Math.ceil(bits / 4);
  const first = Number.parseInt((start[0] as string).slice(0, digits), 16);
  return Array.from({ length: 2 ** (digits * 4 - bits) }, (_, i) => `[${(first + i).toString(16)}`);
}

/**
 * A JavaScript expression that is true for a `host` in these networks. PAC does not support IPv6 networks everywhere,
 * browsers pass IPv6 addresses with or without brackets, and an IPv4 address may be mapped (`::ffff:`).
 */
export const isDirectAddress = String.raw`/^\[?(?:::ffff:)?(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[0-9.]+\]?$/i.test(host) || /^\[?(?:::1|f[cd][0-9a-f]{2}:[0-9a-f:.]*|fe[89ab][0-9a-f]:[0-9a-f:.]*(?:%.*)?)\]?$/i.test(host) || /^\[?::ffff:(?:7f|0?a)[0-9a-f]{2}:[0-9a-f]{1,4}\]?$/i.test(host) || /^\[?::ffff:(?:c0a8|a9fe|ac1[0-9a-f]|64[4-7][0-9a-f]):[0-9a-f]{1,4}\]?$/i.test(host)`;
