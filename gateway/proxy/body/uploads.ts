/**
 * Uploads over several requests: a file is announced with its length, then sent completely or in pieces. Google
 * (`x-goog-upload-*`, and `content-range` as in RFC 9110 §14.5), OpenAI (`/v1/uploads`), object stores, and resumable
 * uploads.
 */
import { isTextType, kindOfMediaType } from '../../../core/payload/media.ts';
import { bodyKind } from '../../../core/payload/request.ts';
import { FieldNames, headerValue } from '../request/headers.ts';

/** Headers that announce a file's length, which masking may change. They are optional. */
export const announcedLengths = [
  'x-goog-upload-header-content-length',
  'x-upload-content-length',
  'x-goog-upload-raw-size',
];

/** True for a request that announces a file that may be masked, so its {@link announcedLengths} may become wrong. */
export function announcesText(rawHeaders: readonly string[]): boolean {
  const type =
    headerValue(rawHeaders, 'x-goog-upload-header-content-type') ?? headerValue(rawHeaders, 'x-upload-content-type');
  return type !== undefined && (isTextType(type) || kindOfMediaType(type) === 'document');
}

const fileNameFields = new FieldNames([
  'x-goog-upload-file-name',
  'x-file-name',
  'x-filename',
  'content-disposition',
  'slug',
  'x-ms-blob-content-disposition',
  'dropbox-api-arg',
]);

/** User metadata of objects in S3, Google's and Azure's stores, where programs put the file name. */
const metadataField = /^x-(?:amz|goog|ms)-meta-/i;

/** True for a header with the file name or human-written text about the file. */
export function isFileNameField(name: string): boolean {
  if (fileNameFields.has(name)) return true;
  // Called for every header; most are rejected here.
  return name.length > 10 && (name.charCodeAt(0) | 0x20) === 0x78 && metadataField.test(name);
}

/**
 * The media type of the body. For Google's resumable uploads, whose own client declares them as JSON, and for JSON sent
 * to a store, that of the file: no name in it has a meaning for the receiver.
 */
export function bodyType(rawHeaders: readonly string[]): string | undefined {
  const command = headerValue(rawHeaders, 'x-goog-upload-command');
  if (command !== undefined && isUpload(command)) return fileType;
  const declared = headerValue(rawHeaders, 'content-type');
  return storeFields.isIn(rawHeaders) && bodyKind(declared) === 'json' ? fileType : declared;
}

const fileType = 'application/octet-stream';

/** Headers of Azure blobs (where ChatGPT stores its files), S3 and Dropbox. */
const storeFields = new FieldNames(['x-ms-blob-type', 'x-amz-storage-class', 'x-amz-acl', 'dropbox-api-arg']);

function isUpload(command: string): boolean {
  return /\bupload\b/i.test(command);
}

/** Parts of S3 multipart uploads, and the blocks and pages of Azure blobs. */
function isPieceByQuery(path: string): boolean {
  const query = new URLSearchParams(path.slice(path.indexOf('?')));
  if (query.has('partNumber') && query.has('uploadId')) return true;
  return /^(?:block|appendblock|page)$/i.test(query.get('comp') ?? '');
}

/** True for a piece of a file: a value may continue in the next piece, and the offsets of the others are fixed. */
export function isPieceOfFile(rawHeaders: readonly string[], path: string): boolean {
  // OpenAI: the sum of all parts must equal the announced length.
  if (/\/uploads\/[^/?]+\/parts(?:$|\?)/.test(path)) return true;
  if (path.includes('?') && isPieceByQuery(path)) return true;
  // tus 1.0 and the IETF's resumable uploads (draft-ietf-httpbis-resumable-upload).
  if (!/^0+$/.test(headerValue(rawHeaders, 'upload-offset')?.trim() ?? '0')) return true;
  if (headerValue(rawHeaders, 'upload-complete')?.trim() === '?0') return true;
  const command = headerValue(rawHeaders, 'x-goog-upload-command');
  if (command !== undefined && isUpload(command)) {
    return !/\bfinalize\b/i.test(command) || (headerValue(rawHeaders, 'x-goog-upload-offset') ?? '0') !== '0';
  }
  const range = headerValue(rawHeaders, 'content-range')?.trim();
  // RFC 9110 §14.4, units are case-insensitive (§14.1). Without a range of its own, it queries how much has arrived.
  if (range === undefined || /^bytes \*\//i.test(range)) return false;
  const whole = /^bytes 0-(\d+)\/(\d+)$/i.exec(range);
  return whole === null || Number(whole[2]) !== Number(whole[1]) + 1;
}
