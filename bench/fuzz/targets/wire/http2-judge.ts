/**
 * Checks what an HTTP/1.1 origin receives for HTTP/2 frames. Parses the frames independently (RFC 9113 §4.1, §6.1,
 * §6.2), without header blocks, for an upper bound on requests and the only permitted bodies.
 */
import type { StrictField, StrictHead, StrictMessage } from '../../../../test/support/strict-http.ts';
import { decodeFrames, preface } from './http2-frames.ts';
import { secureHost } from './origins.ts';

/** Requests that arrived at the origin: all that began, and the complete ones. */
export type Arrived = { readonly heads: readonly StrictHead[]; readonly messages: readonly StrictMessage[] };

/** A stream opened by HEADERS without END_STREAM (`hasBody`), ended by it (`isWhole`), or reset by the client. */
export type Stream = { readonly hasBody: boolean; isWhole: boolean; isReset: boolean; readonly data: Buffer[] };

const frameTypes = { data: 0, headers: 1, reset: 3 } as const;
const endStream = 1;
const padded = 8;

/** Connection-specific fields (RFC 9113 §8.2.2), which an HTTP/2 client may not send; `te: trailers` is allowed. */
const ofConnection = /^(?:connection|keep-alive|proxy-connection|upgrade|http2-settings|proxy-authorization)$/i;
/** Framing and routing headers, which trailers may not change (RFC 9110 §6.5.1). */
const notInTrailers = /^(?:content-length|transfer-encoding|host|te|trailer)$/i;
/** Masking changes a body with personal data. */
const token = /\[[A-Z][A-Z_]*[-_]\d+\]/;

/** The fault in what the origin received after the client sent these bytes; undefined if there is none. */
export function faultOf(sent: Buffer, { heads, messages }: Arrived): string | undefined {
  const streams = streamsOf(sent);
  if (heads.length > streams.length)
    return `${heads.length} requests out of ${streams.length} streams: ${JSON.stringify(heads.map(({ start }) => start))}`;
  for (const { start, fields } of heads) {
    const wrong = fields.find(isUpgrade(fields) ? isFraming : isOfConnection);
    if (wrong !== undefined) return `${start} may not have ${wrong.join(': ')}`;
    // A WebSocket keeps the client's spelling of the name (RFC 3986 §3.2.2: any case).
    const hosts = fields.filter(([name]) => /^host$/i.test(name)).map(([, value]) => value.toLowerCase());
    if (hosts.join() !== secureHost) return `${start} goes to ${hosts.join()}`;
  }
  const isChunked = ({ fields }: StrictHead) => fields.some(([name]) => /^transfer-encoding$/i.test(name));
  const withBody = streams.filter(({ hasBody }) => hasBody).length;
  if (heads.filter(isChunked).length > withBody) return `more chunked requests than ${withBody} streams with a body`;
  for (const { start, fields, body, trailers } of messages) {
    const wrong = trailers.find(([name]) => ofConnection.test(name) || notInTrailers.test(name));
    if (wrong !== undefined) return `${start} has the trailer ${wrong.join(': ')}`;
    const isSent = streams.some(({ isWhole, data }) => isWhole && Buffer.concat(data).equals(body));
    if (!isSent && !isUpgrade(fields) && !token.test(body.toString('latin1')))
      return `${start} has a body that no stream ended with: ${JSON.stringify(body.toString('latin1').slice(0, 200))}`;
  }
  return undefined;
}

function isOfConnection([name, value]: StrictField): boolean {
  // In HTTP/1.1, TE is listed in Connection (RFC 9110 §10.1.4).
  if (/^connection$/i.test(name)) return value !== 'TE';
  return ofConnection.test(name) || (/^te$/i.test(name) && value !== 'trailers');
}

function isFraming([name, value]: StrictField): boolean {
  return /^(?:content-length|transfer-encoding)$/i.test(name) && value !== '0';
}

/** Only an HTTP/2 WebSocket (RFC 8441) becomes an upgrade, which has no body. */
function isUpgrade(fields: readonly StrictField[]): boolean {
  const own = fields.filter(isOfConnection).map(([name, value]) => `${name}: ${value}`.toLowerCase());
  return own.sort().join() === 'connection: upgrade,upgrade: websocket';
}

/** The streams of a connection on which the client sent these bytes. */
export function streamsOf(bytes: Buffer): readonly Stream[] {
  const streams = new Map<number, Stream>();
  if (!bytes.subarray(0, preface.length).equals(preface)) return [];
  for (const { type, flags, stream: id, payload } of decodeFrames(bytes.subarray(preface.length))) {
    const isEnd = (flags & endStream) !== 0;
    const stream = streams.get(id);
    if (type === frameTypes.headers && stream === undefined && id % 2 === 1)
      streams.set(id, { hasBody: !isEnd, isWhole: isEnd, isReset: false, data: [] });
    if (stream === undefined) continue;
    if (type === frameTypes.reset) stream.isReset = true;
    if (stream.isWhole || stream.isReset) continue;
    if (type === frameTypes.data) stream.data.push(unpadded(payload, flags));
    if (type === frameTypes.data || type === frameTypes.headers) stream.isWhole = isEnd;
  }
  return [...streams.values()];
}

function unpadded(payload: Buffer, flags: number): Buffer {
  if ((flags & padded) === 0) return payload;
  return payload.subarray(1, Math.max(1, payload.length - (payload[0] ?? 0)));
}
