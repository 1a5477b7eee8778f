import { deflateSync } from 'fflate';

/** Bytes as they are stored: deflated, in base64. */
export function packBytes(bytes: Uint8Array): string {
  return Buffer.from(deflateSync(bytes, { level: 9 })).toString('base64');
}
