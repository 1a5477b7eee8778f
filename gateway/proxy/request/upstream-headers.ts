/** The headers of a request as sent upstream. */
import { parseCodings } from '../body/content-coding.ts';
import { announcedLengths, announcesText } from '../body/uploads.ts';
import type { Exchange } from '../exchange.ts';
import type { ClientRequest } from './client-request.ts';
import { endToEndHeaders, FieldNames, headerValue } from './headers.ts';
import { formatAuthority } from './target.ts';

/** Headers that a rewritten body invalidates (RFC 9530, RFC 1864, checksums of blob stores and tus, content coding). */
export const ofBody: readonly string[] = [
  'content-encoding',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
  'x-amz-content-sha256',
  'x-amz-checksum-crc32',
  'x-amz-checksum-crc32c',
  'x-amz-checksum-crc64nvme',
  'x-amz-checksum-sha1',
  'x-amz-checksum-sha256',
  'x-amz-checksum-sha512',
  'x-amz-checksum-md5',
  'x-goog-hash',
  'x-ms-blob-content-md5',
  'x-ms-content-crc64',
  'x-ms-content-md5',
  'upload-checksum',
];
/** Headers to omit: Expect if we answer it ourselves, and those that become invalid. */
const dropped = {
  nothing: new FieldNames(['expect']),
  passed: new FieldNames([]),
  body: new FieldNames(['expect', ...ofBody]),
  lengths: new FieldNames(['expect', ...announcedLengths]),
  both: new FieldNames(['expect', ...ofBody, ...announcedLengths]),
};

/**
 * The upstream headers, in the client's order and case, with only the necessary changes: headers of a rewritten body,
 * an Accept-Encoding with unsupported codings, Range on inspected hosts, Via on plain http.
 */
export function upstreamHeaders(pseudonym: string, exchange: Exchange, isRewritten: boolean): string[] {
  const { request, target, decision } = exchange;
  const inspected = decision.inspect === 'mask';
  const announces = inspected && announcesText(request.rawHeaders);
  const nothing = exchange.expectsOrigin ? dropped.passed : dropped.nothing;
  const [rewritten, same] = announces ? [dropped.both, dropped.lengths] : [dropped.body, nothing];
  const kept = endToEndHeaders(request.rawHeaders, isRewritten ? rewritten : same);
  const out: string[] = [];
  let cookies: string | undefined;
  for (let i = 0; i < kept.length; i += 2) {
    const name = kept[i] as string;
    let value = kept[i + 1] as string;
    const lower =
      name.length === 14 || name.length === 15 || name.length === 5 || name.length === 8 || name.length === 12
        ? name.toLowerCase()
        : '';
    // A rewritten body gets new framing; in HTTP/1.1 it keeps the client's position (gateway/http1).
    if (request.httpVersionMajor === 2 && isRewritten && lower === 'content-length') continue;
    // A client may send Host next to :authority, which takes its place below (RFC 9113 §8.3.1).
    if (request.httpVersionMajor === 2 && name === 'host') continue;
    if (lower === 'max-forwards' && request.method === 'OPTIONS' && /^[1-9][0-9]{0,8}$/.test(value))
      value = String(Number(value) - 1);
    if (inspected && (lower === 'range' || lower === 'if-range')) continue;
    if (inspected && lower === 'accept-encoding') value = undoableCodings(value);
    if (request.httpVersionMajor === 2 && name === 'cookie') {
      cookies = cookies === undefined ? value : `${cookies}; ${value}`;
      continue;
    }
    out.push(name, value);
  }
  if (cookies !== undefined) out.push('cookie', cookies);
  // The only value that may be forwarded (RFC 9110 §10.1.4, RFC 9113 §8.2.2); gRPC servers require it.
  if (asksForTrailers(request)) {
    if (request.httpVersionMajor === 2) out.push('te', 'trailers');
    else out.push('TE', 'trailers', 'Connection', 'TE');
  }
  if (carriesVia(exchange)) out.push('Via', `${request.httpVersion} ${pseudonym}`);
  if (request.httpVersionMajor === 2) return ['host', formatAuthority(target.host, target.port, target.scheme), ...out];
  if (exchange.framing.hosts.length > 0) return out;
  return ['Host', formatAuthority(target.host, target.port, target.scheme), ...out];
}

function asksForTrailers(request: ClientRequest): boolean {
  // In HTTP/1.1, `headers` is computed when first read.
  if (request.httpVersionMajor === 2) return request.headers.te === 'trailers';
  const te = headerValue(request.rawHeaders, 'te');
  return te !== undefined && /(?:^|[\s,])trailers\s*(?:,|$)/i.test(te);
}

/** True on plain http, where a proxy must add Via (RFC 9110 §7.6.3); inside tunnels it would reveal the gateway. */
export function carriesVia({ target, context }: Pick<Exchange, 'target' | 'context'>): boolean {
  return target.scheme === 'http' && !context.tunnel;
}

const undone = ['gzip', 'deflate', 'br', 'zstd'];

/**
 * An Accept-Encoding without unsupported codings (`compress`, shared dictionaries). Never adds one that the client has
 * not offered: responses that need no restoring pass in the origin's coding.
 */
export function undoableCodings(acceptEncoding: string): string {
  const offers = acceptEncoding.split(',').map((part) => {
    const [name = '', ...weight] = part.split(';');
    return {
      part: part.trim(),
      name: name.trim().toLowerCase(),
      weight: weight.length === 0 ? '' : `;${weight.join(';')}`,
    };
  });
  const canUndo = (name: string) => name === '' || parseCodings(name) !== undefined;
  if (offers.every(({ name }) => canUndo(name))) return acceptEncoding;
  const isRefused = (weight: string) => /q=0(?:\.0*)?\s*$/i.test(weight);
  const kept = offers.flatMap(({ part, name, weight }) => {
    if (canUndo(name)) return part === '' ? [] : [part];
    if (name !== '*') return [];
    if (isRefused(weight)) return [part];
    return undone.filter((one) => !offers.some((other) => other.name === one)).map((one) => one + weight);
  });
  return kept.length === 0 ? 'identity' : kept.join(', ');
}
