import type { Readable } from 'node:stream';
import { PrivetError } from '../core/errors.ts';

/** Far larger than any form on our pages. */
const bytesMax = 32_768;

/**
 * The fields of a form sent from one of our pages (application/x-www-form-urlencoded, WHATWG URL §5).
 * @throws PrivetError `unsupported_media_type` or `body_too_large`
 */
export async function readForm(request: Readable, contentType: string): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType))
    throw new PrivetError('unsupported_media_type', 'The form must be sent as application/x-www-form-urlencoded.', {
      hint: 'Open the page and send it from there.',
    });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax)
      throw new PrivetError('body_too_large', 'The form is too long.', { hint: 'Shorten the text.' });
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
