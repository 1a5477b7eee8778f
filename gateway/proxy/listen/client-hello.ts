/**
 * Classifies the first bytes of a tunnel: TLS with its server name, plain HTTP, or something else. A TLS ClientHello
 * may be split over records and packets (post-quantum key shares make it longer than one packet).
 */

/**
 * The classification. `incomplete`: more bytes are needed; with `mayBeOpaque` they are probably not a request.
 * `unclear`: starts like TLS or HTTP but does not name its target reliably; a lenient server may read another host name
 * in it.
 */
export type TunnelOpening =
  | { readonly kind: 'incomplete'; readonly mayBeOpaque?: true }
  | ClientHello
  | { readonly kind: 'http' }
  | { readonly kind: 'h2' }
  | { readonly kind: 'opaque' }
  | { readonly kind: 'unclear' };

/** A parsed ClientHello. `end`: offset of the first byte after its records; `early`: true if it offers early data. */
export type ClientHello = {
  readonly kind: 'tls';
  readonly serverName: string | undefined;
  readonly ecdsa: boolean;
  readonly early: boolean;
  readonly end: number;
};

/** Maximum length of a ClientHello or request line. */
export const openingBytesMax = 65_536;
/** Maximum number of its records, each of which is scanned again with every packet. */
const helloRecordsMax = 512;

/** Maximum length of a method. */
const methodBytesMax = 24;
/** Maximum number of empty lines before a request, each of which may cause a rescan. */
const emptyLinesMax = 1_024;

const incomplete = { kind: 'incomplete' } as const;
const opaque: TunnelOpening = { kind: 'opaque' };
const unclear = { kind: 'unclear' } as const;
const word: TunnelOpening = { kind: 'incomplete', mayBeOpaque: true };

/** Classifies the bytes read so far. */
export function readOpening(bytes: Buffer): TunnelOpening {
  const first = bytes[0];
  if (first === undefined) return incomplete;
  if (first === 0x16) return readClientHello(bytes);
  if (first === 0x14 || first === 0x15 || first === 0x17) return readOtherRecord(bytes);
  return readMethod(bytes);
}

/** Reads an alert, which some servers skip before the ClientHello. */
function readOtherRecord(bytes: Buffer): TunnelOpening {
  if (bytes.length < 3) return incomplete;
  return bytes[1] === 3 && (bytes[2] as number) <= 4 ? unclear : opaque;
}

/** Reads a method. Servers skip empty lines before a request (RFC 9112 §2.2), some also bare LFs. */
function readMethod(bytes: Buffer): TunnelOpening {
  let start = 0;
  while (start < emptyLinesMax && (bytes[start] === 0x0d || bytes[start] === 0x0a)) start++;
  if (start === emptyLinesMax) return unclear;
  let end = start;
  while (end < bytes.length && end - start <= methodBytesMax && isTokenByte(bytes[end] as number)) end++;
  const isMethod = end - start <= methodBytesMax && allUpper(bytes, start, end);
  // A single word names no host, and some protocols wait for a reply to it.
  if (isMethod && end === bytes.length) return word;
  if (!isMethod || start === end || bytes[end] !== 0x20) return readLenient(bytes);
  const method = bytes.toString('latin1', start, end);
  if (method === 'PRI') return { kind: 'h2' };
  // Commands of mail and file protocols look the same up to here: `EHLO a.example`, `GET key`.
  const line = bytes.toString('latin1', start, requestLineMax);
  return webRequest.test(line) || requestLike.test(line) ? { kind: 'http' } : readLenient(bytes);
}

/** Methods that some servers accept in any case. */
const methods = ['get', 'post', 'put', 'patch', 'head', 'delete', 'options'];
/** A method, a character that servers read as a space (Python splits latin-1 text there) and a target. */
const knownBlank = `(?:${methods.join('|')})[\\t\\v\\f\\r\\x1c- \\x85\\xa0]`;
const known = `${knownBlank}+`;
const knownTarget = '[^\\t-\\r\\x1c- \\x85\\xa0]+[\\t\\v\\f\\r\\x1c- \\x85\\xa0]+';
/** An unknown method and its target: other protocols start with words too, but not with such bytes between them. */
const other = '[!-~]+[ \\t]+';
const otherTarget = '[^\\0- \\x7f\\x85\\xa0]+';
/** A request line (RFC 9112 §3) of either kind, and the start of one. */
const requestLike = requestLine('HTTP');
/** Node's parser (llhttp) also accepts these versions. */
const otherLike = requestLine('(?:RTSP|ICE)');
const version = '(?:H(?:T(?:T(?:P/?)?)?)?|R(?:T(?:S(?:P/?)?)?)?|I(?:C(?:E/?)?)?)?';
/** Some servers read the headers of a request whose line has no version (Python). */
const shortLine = `${known}/[^\\n]*\\n[\\w!#$%&'*+.^\`|~-]*`;
const shortRequest = new RegExp(`^(?:${shortLine}:|${known}https?:[^\\n]*\\n)`, 'i');
const requestStart = new RegExp(
  `^(?:${knownBlank}[^\\n]*|${shortLine}|[!-~]*|${other}(?:${otherTarget}(?:[ \\t]+${version})?)?)$`,
  'i',
);
/** A method (RFC 9110 §9.1) before a space and the possible start of a target: a path, `*`, a URL. */
const methodBefore = new RegExp(`^(?:${known}|[\\w!#$%&'*+.^\`|~-]+[ \\t]+)(?:$|[/*]|h(?:$|t))`, 'i');
const knownBefore = new RegExp(`^${known}`, 'i');
/** From here on it cannot be another protocol. */
const webRequest = new RegExp(`^(?:${methods.join('|')}) +(?:/|https?:)`, 'i');
const requestLineMax = 16_384;
/** The PROXY protocol in both versions: some servers read the request or ClientHello after it. */
const proxyHeader = /^(?:PROXY (?:TCP|UNKNOWN)|\r\n\r\n\0\r\nQUIT\n)/;

function requestLine(protocol: string): RegExp {
  return new RegExp(`^(?:${known}${knownTarget}|${other}${otherTarget}[ \\t]+)${protocol}/\\d`, 'i');
}

/** Some servers accept such a line as a request, skipping spaces or a byte order mark before it. */
function readLenient(bytes: Buffer): TunnelOpening {
  const start = bytes.toString('latin1', 0, requestLineMax);
  const line = start.replace(/^[\s\0\x1c-\x1f\x85\xef\xbb\xbf]+/, '');
  const isLike = requestLike.test(line) || shortRequest.test(line) || otherLike.test(line);
  if (isLike || proxyHeader.test(start)) return unclear;
  if (!requestStart.test(line)) return opaque;
  const isRequest = methodBefore.test(line);
  if (bytes.length >= requestLineMax) {
    const isBlank = line === '' && start.trim() === '';
    return isBlank || isRequest || knownBefore.test(line) ? unclear : opaque;
  }
  // After a line end, as in terminals and some message formats, the client may be waiting for a reply.
  return isRequest && !/\n|[\r\0]$/.test(line) ? incomplete : word;
}

/** True for upper-case words, like methods in use. */
function allUpper(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (!((byte >= 0x41 && byte <= 0x5a) || byte === 0x2d)) return false;
  }
  return true;
}

function isTokenByte(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f;
}

/** Extracts the handshake message from its records (RFC 8446 §5.1, §4.1.2); the last record ends with it. */
export function readClientHello(bytes: Buffer): ClientHello | typeof incomplete | typeof unclear {
  const parts: Buffer[] = [];
  let got = 0;
  let need = 4;
  let at = 0;
  let announced = 0;
  for (;;) {
    if (at + 5 > bytes.length) return incomplete;
    if (bytes[at] !== 0x16 || bytes[at + 1] !== 3) return unclear;
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0 || length > 16_640) return unclear;
    const part = bytes.subarray(at + 5, Math.min(at + 5 + length, bytes.length));
    parts.push(part);
    if (parts.length > helloRecordsMax) return unclear;
    got += part.length;
    announced += length;
    if (got >= 4 && need === 4) {
      const start = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      if (start[0] !== 1) return unclear;
      need = 4 + start.readUIntBE(1, 3);
      if (need > openingBytesMax) return unclear;
    }
    at += 5 + length;
    if (need > 4 && got >= need) break;
    if (at > bytes.length) return incomplete;
  }
  // Nothing may follow in that record (RFC 8446 §5.1), such as another hello.
  if (announced > need) return unclear;
  const hello = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  return parseHello(hello, at);
}

/** Parses a hello. If parsers could disagree (two names, inconsistent lengths), it is unclear. */
function parseHello(hello: Buffer, recordsEnd: number): ClientHello | typeof unclear {
  const end = hello.length;
  try {
    let at = 4 + 2 + 32;
    at += 1 + hello.readUInt8(at);
    const suites = hello.subarray(at + 2, at + 2 + hello.readUInt16BE(at));
    at += 2 + suites.length;
    at += 1 + hello.readUInt8(at);
    const hasSuite = hasEcdsaSuite(suites);
    const found = { kind: 'tls', end: recordsEnd } as const;
    if (at === end) return { ...found, serverName: undefined, ecdsa: hasSuite, early: false };
    if (at + 2 + hello.readUInt16BE(at) !== end) return unclear;
    at += 2;
    let serverName: string | undefined;
    let ecdsa = hasSuite;
    let early = false;
    while (at < end) {
      const type = hello.readUInt16BE(at);
      const next = at + 4 + hello.readUInt16BE(at + 2);
      if (next > end) return unclear;
      if (type === 0) {
        if (serverName !== undefined) return unclear;
        serverName = readServerName(hello.subarray(at + 4, next));
        if (serverName === undefined) return unclear;
      } else if (type === 13) {
        ecdsa = hasSuite && offersEcdsa(hello.subarray(at + 4, next));
      } else if (type === 42) {
        early = true;
      }
      at = next;
    }
    return { ...found, serverName, ecdsa, early };
  } catch {
    return unclear;
  }
}

/** The only name in a server_name extension (RFC 6066 §3); undefined for any other list. */
function readServerName(data: Buffer): string | undefined {
  const length = data.length - 5;
  if (length < 1 || data.readUInt16BE(0) !== length + 3 || data[2] !== 0 || data.readUInt16BE(3) !== length)
    return undefined;
  return data.toString('latin1', 5);
}

/** signature_algorithms (RFC 8446 §4.2.3): ecdsa_secp256r1_sha256, or any ECDSA pair of TLS 1.2. */
function offersEcdsa(data: Buffer): boolean {
  for (let i = 2; i + 1 < data.length; i += 2) if (data[i + 1] === 3 && (data[i] as number) <= 6) return true;
  return false;
}

/**
 * TLS 1.2 cipher suites for an ECDSA certificate (IANA's TLS parameters): AES in CBC, GCM and CCM, and ChaCha20. TLS
 * 1.3 suites (0x13..) work with any certificate.
 */
const ecdsaSuites = new Set([0xc009, 0xc00a, 0xc023, 0xc024, 0xc02b, 0xc02c, 0xc0ac, 0xc0ad, 0xc0ae, 0xc0af, 0xcca9]);

function hasEcdsaSuite(suites: Buffer): boolean {
  for (let i = 0; i + 1 < suites.length; i += 2) {
    if (suites[i] === 0x13 || ecdsaSuites.has(suites.readUInt16BE(i))) return true;
  }
  return false;
}
