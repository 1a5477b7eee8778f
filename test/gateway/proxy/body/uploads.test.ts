import { describe, expect, it } from 'vitest';
import { bodySignature } from '../../../../gateway/proxy/body/signed-bodies.ts';
import { announcesText, bodyType, isPieceOfFile } from '../../../../gateway/proxy/body/uploads.ts';

describe('isPieceOfFile', () => {
  it.each([
    [['X-Goog-Upload-Command', 'upload, finalize', 'X-Goog-Upload-Offset', '0'], false],
    [['X-Goog-Upload-Command', 'upload', 'X-Goog-Upload-Offset', '0'], true],
    [['X-Goog-Upload-Command', 'upload, finalize', 'X-Goog-Upload-Offset', '8388608'], true],
    [['X-Goog-Upload-Command', 'start'], false],
    [['Content-Range', 'bytes 0-9/10'], false],
    [['Content-Range', 'bytes 0-9/20'], true],
    [['Content-Range', 'bytes 10-19/20'], true],
    [['Content-Range', 'bytes 0-9/*'], true],
    [['Content-Range', 'Bytes 10-19/20'], true],
    [['Content-Range', 'BYTES 0-9/10'], false],
    [['Content-Range', 'bytes  10-19/20'], true],
    [['Content-Range', 'lines 10-19/20'], true],
    [['Content-Range', 'bytes */20'], false],
    [['Upload-Offset', '0'], false],
    [['Upload-Offset', '8388608'], true],
    [['Upload-Offset', '0', 'Upload-Complete', '?1'], false],
    [['Upload-Offset', '0', 'Upload-Complete', '?0'], true],
    [['Upload-Complete', '?0'], true],
    [[], false],
  ])('%j: %j', (fields, expected) => expect(isPieceOfFile(fields, '/upload/v1beta/files')).toBe(expected));

  it.each([
    ['/v1/uploads/upload_abc/parts', true],
    ['/openai/v1/uploads/upload_abc/parts?api-version=1', true],
    ['/v1/uploads', false],
    ['/v1/uploads/upload_abc/complete', false],
    ['/v1/files', false],
    ['/bucket/key?partNumber=1&uploadId=abc', true],
    ['/bucket/key?uploadId=abc&x-id=UploadPart&partNumber=12', true],
    ['/bucket/key?uploadId=abc', false],
    ['/bucket/key?partNumber=1', false],
    ['/box/blob?comp=block&blockid=AAAA', true],
    ['/box/blob?sv=1&comp=appendblock', true],
    ['/box/blob?comp=page', true],
    ['/box/blob?comp=blocklist', false],
    ['/box?restype=container&comp=list', false],
    ['/a?x=1?comp=block', false],
    ['/comp=block', false],
  ])('%s: %j', (path, expected) => expect(isPieceOfFile([], path)).toBe(expected));
});

describe('announcesText', () => {
  it.each([
    ['text/plain', true],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', true],
    ['image/png', false],
    ['video/mp4', false],
  ])('%s: %j', (type, expected) => {
    expect(announcesText(['X-Goog-Upload-Header-Content-Type', type])).toBe(expected);
  });
  it('other requests keep their fields', () => expect(announcesText(['content-type', 'text/plain'])).toBe(false));
});

describe('bodyType', () => {
  it.each([
    [['content-type', 'application/json'], 'application/json'],
    [['content-type', 'application/json', 'x-goog-upload-command', 'start'], 'application/json'],
    [['content-type', 'application/json', 'x-goog-upload-command', 'upload, finalize'], 'application/octet-stream'],
    [['content-type', 'application/json', 'x-ms-blob-type', 'BlockBlob'], 'application/octet-stream'],
    [['content-type', 'text/csv', 'x-ms-blob-type', 'BlockBlob'], 'text/csv'],
  ])('%j: %s', (fields, expected) => expect(bodyType(fields)).toBe(expected));
});

describe('bodySignature', () => {
  const aws = 'AWS4-HMAC-SHA256 Credential=A/1/us-east-1/bedrock/aws4_request, SignedHeaders=host, Signature=0';
  it.each([
    [['authorization', aws], 'AWS Signature Version 4'],
    [['Authorization', aws, 'X-Amz-Content-SHA256', 'UNSIGNED-PAYLOAD'], undefined],
    [['authorization', 'Bearer bedrock-api-key-x'], undefined],
    [['authorization', 'TC3-HMAC-SHA256 Credential=x'], 'Tencent Cloud TC3'],
    [['authorization', 'ACS3-HMAC-SHA256 Credential=x'], 'Alibaba Cloud ACS3'],
    [['authorization', 'HMAC-SHA256 Credential=x, SignedHeaders=host, Signature=0'], 'Volcano Engine HMAC'],
    [['authorization', 'bce-auth-v1/x'], 'Baidu Cloud BCE'],
    [['signature-input', 'a=("@method" "content-digest");keyid="k"'], 'HTTP Message Signatures'],
    [['signature-input', 'a=("@method");keyid="k"'], undefined],
    [['authorization', 'Basic eA=='], undefined],
    [[], undefined],
  ])('%j: %s', (fields, expected) => expect(bodySignature(fields)).toBe(expected));
});
