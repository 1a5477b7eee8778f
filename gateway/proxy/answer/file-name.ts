/** Restores the name of a file that a client downloads: it was masked when the client uploaded the file. */
import { restoreText } from '../../../core/restore.ts';
import type { TokenMap } from '../../../core/vault.ts';

/** A file name of Content-Disposition (RFC 6266 §4.1) in quotes or as a token; `filename*` is percent-encoded. */
const fileName = /\b(filename\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/gi;
/** Names that a quoted string holds as they are. */
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Restores `Content-Disposition` in flat headers; true if it contained a token. */
export function restoreFileName(headers: string[], map: TokenMap): boolean {
  let restoredTotal = 0;
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() !== 'content-disposition') continue;
    const value = headers[i + 1] as string;
    const isExtended = /\bfilename\*=/i.test(value);
    headers[i + 1] = value.replace(fileName, (all, key: string, quoted?: string, word = '') => {
      const name = quoted ?? word;
      const { restored, restoredCount } = restoreText(name, map, { guardUrls: false });
      if (restoredCount === 0) return all;
      restoredTotal += restoredCount;
      if (key.endsWith('*')) return plain.test(restored) ? `${key}=${restored}` : all;
      if (plain.test(restored)) return `${key}="${restored}"`;
      return isExtended ? all : `${key}*=UTF-8''${encodeURIComponent(restored.toWellFormed())}`;
    });
  }
  return restoredTotal > 0;
}
