/** Reads bodies as files, for the tests in this folder. */
import { parseRequestBody, type TextBodyKind } from '../../../core/payload/request.ts';

export function opened(kind: TextBodyKind, body: string, contentType?: string) {
  const parsed = parseRequestBody(kind, body, contentType === undefined ? {} : { contentType });
  const labels = [...(parsed.labels ?? [])].map(([at, name]) => `${name}=${parsed.leaves[at]}`);
  return { ...parsed, labels };
}

export const inJson = (value: unknown) => opened('json', JSON.stringify(value));

export const part = (head: string, body: string) =>
  opened(
    'multipart',
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n--b--\r\n`,
    'multipart/form-data; boundary=b',
  );
