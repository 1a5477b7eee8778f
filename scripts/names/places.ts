import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Languages in which places are listed. */
export const locales: readonly string[] = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ja', 'zh', 'ko'];

/**
 * Names of the world's larger places in the product's languages: GeoNames (CC BY 4.0), from the message catalogs
 * `geonames/<locale>.mo` of the Debian package libgeonames-common.
 */
export function placeNames(dictionaries: string, only: readonly string[] = locales): string[] {
  const names = new Set<string>();
  for (const locale of only) {
    const file = join(dictionaries, 'geonames', `${locale}.mo`);
    if (!existsSync(file)) throw new Error(`${file} is missing`);
    for (const text of messagesOf(readFileSync(file))) {
      const name = text.replace(/\s*\(.*\)/, '').trim();
      if (name !== '' && !/[\d,:=]/.test(name)) names.add(name);
      // `大阪市` also counts as `大阪`.
      if (/^[\u3400-\u9fff]{3,}[市区町村县縣區]$/.test(name)) names.add(name.slice(0, -1));
      if (/^[가-힣]{2,} ?[시군구]$/.test(name)) names.add(name.slice(0, -1).trim());
    }
  }
  return [...names].sort();
}

/** The translations of a GNU gettext catalog (gettext manual, "The Format of GNU MO Files"), little-endian. */
function messagesOf(file: Buffer): string[] {
  const count = file.readUInt32LE(8);
  const table = file.readUInt32LE(16);
  return Array.from({ length: count }, (_, at) => {
    const length = file.readUInt32LE(table + 8 * at);
    const offset = file.readUInt32LE(table + 8 * at + 4);
    return file.toString('utf8', offset, offset + length);
  });
}
