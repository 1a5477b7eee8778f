import { anyOf } from '../../../core/patterns.ts';
import { mediaTypeOf } from '../../../core/payload/media-type.ts';
import { bodyKind } from '../../../core/payload/request.ts';
import { type StreamKind, streamKind } from '../../../core/stream/stream-restorer.ts';

/**
 * How a response is handled: passed on unchanged, collected as one JSON document, or restored as a stream. `sniffed`: a
 * document, or the stream indicated by its first characters.
 */
export type RestorePlan = 'pass' | 'document' | 'sniffed' | StreamKind;

/** Paths where a service returns files: uploads, and batch results. */
const filePath = /\/(?:contents?|downloads?|results?|outputs?)(?:$|\?)|:download(?:$|\?)|[?&]alt=media(?:&|$)/;
/** Paths where lines of JSON are documents rather than events of a stream. */
const resultPath = /\/files\/[^/?]+\/content(?:$|\?)|\/results(?:$|\?)/;
/** Types that give no information about a file. */
const unknownTypes = anyOf('octet-stream binary x-download force-download unknown');
const anyType = new RegExp(
  `^(?:|message/rfc822|application/(?:mbox|(?:x-)?gzip)|(?:application|binary|unknown)/${unknownTypes}|text/(?!html|event-stream).*)$`,
);

/** Files that users save, in the encoding that their programs read. */
const tableType = /^text\/(?:csv|tab-separated-values|(?:x-)?vcard|calendar|directory)$|^message\/rfc822$/;

/** Plans by media type, and for files by path. `isRpc`: JSON-RPC, to which some MCP clients expect any response. */
export function planRestore(contentType: string | undefined, path = '', isRpc = false): RestorePlan {
  const plan = planByType(contentType, path);
  return isRpc && (plan === 'text' || plan === 'file' || contentType === undefined) ? 'sniffed' : plan;
}

function planByType(contentType: string | undefined, path: string): RestorePlan {
  const type = mediaTypeOf(contentType);
  if (type === 'multipart/mixed') return 'multipart';
  const kind = streamKind(type, path);
  if (kind === 'ndjson') return resultPath.test(path) ? 'jsonl' : 'ndjson';
  if (kind === 'json') return 'document';
  if (anyType.test(type) && filePath.test(path)) return 'file';
  if (tableType.test(type)) return 'file';
  if (kind === 'text') {
    // React components include the length of their texts.
    if (/css|javascript|x-component/.test(type)) return 'pass';
    return /html|xml/.test(type) ? 'html' : 'text';
  }
  if (kind !== undefined) return kind;
  // Types masked as text in requests are restored as text in responses.
  if (bodyKind(type) === 'text' && !/javascript|ecmascript/.test(type)) return /xml$/.test(type) ? 'html' : 'text';
  return 'pass';
}
