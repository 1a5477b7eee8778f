/** Tables of office files: the cell before a value is its label. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { builtinTypes } from '../../../core/detection.ts';
import { MemoryVault } from '../../../core/vault.ts';
import { BodyMasker, type MaskingOptions } from '../../../gateway/proxy/masking.ts';

const masker = new BodyMasker({
  vault: new MemoryVault(),
  types: {},
  dictionary: [],
  bodyBytesMax: 1_000_000,
  uninspectable: { image: 'allow', audio: 'allow', document: 'extract', binary: 'block', signed: 'block' },
  tokenTtlMs: 0,
  batchTtlMs: 0,
  hints: [],
  builtinTypes,
} as unknown as MaskingOptions);

const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
const docx = (...cells: string[]) =>
  Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
      ),
      'word/document.xml': strToU8(
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:tbl><w:tr>${cells.map(cell).join('')}</w:tr></w:tbl></w:body></w:document>`,
      ),
    }),
  );

test('a label in the cell before', async () => {
  const body = docx('SSN', '536221234', 'Date of birth:', '1985-04-01', 'Quantity', '12345678');
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const form = Buffer.concat([
    Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    body,
    Buffer.from('\r\n--b--\r\n'),
  ]);
  const result = await masker.mask({
    body: form,
    contentType: 'multipart/form-data; boundary=b',
    contentEncoding: undefined,
    host: 'a.test',
    path: '/',
    session: 's',
    mode: 'mask',
  });
  expect(result.counts).toEqual({ SSN: 1, DATE_OF_BIRTH: 1 });
  const start = result.body.indexOf('\r\n\r\n') + 4;
  const out = unzipSync(new Uint8Array(result.body.subarray(start, result.body.lastIndexOf('\r\n--b--'))));
  const text = strFromU8(out['word/document.xml'] as Uint8Array);
  expect(text).toContain(cell('[SSN-1]'));
  expect(text).toContain(cell('[DATE_OF_BIRTH-1]'));
  expect(text).toContain(cell('12345678'));
});
