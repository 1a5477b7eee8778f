/** The company's name, logo and text on the gateway's pages, from `pages` in the configuration. */
import { readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Config } from '../../config/load.ts';
import type { Language } from './words.ts';

/** The company's data on every page. */
export type Brand = {
  readonly company: string | null;
  /** The logo as a `data:` URL. */
  readonly logo: string | null;
  /** The contact: an e-mail address, a link, or a text. */
  readonly contact: string | null;
  /** The company's own text on every page. */
  readonly text: Readonly<Record<Language, string | null>>;
};

/** Used without configuration. */
export const plainBrand: Brand = { company: null, logo: null, contact: null, text: { en: null, ja: null } };

/** Privet's logo as a file, shared with the consoles. */
export const markFile = readFileSync(join(import.meta.dirname, '../../console/shared/privet.svg'), 'utf8');

const logoTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};
/** Maximum size of the logo, which is part of every page. */
const logoBytesMax = 64 * 1024;

/** Why the logo file is invalid; undefined if it is valid. */
export function logoFault({ logo_file: file }: Config['pages']): string | undefined {
  if (file === null) return undefined;
  if (logoTypes[extname(file).toLowerCase()] === undefined) return 'must be an svg, png, jpg or webp file';
  try {
    return statSync(file).size > logoBytesMax ? `must be a file of at most ${logoBytesMax} bytes` : undefined;
  } catch {
    return 'cannot be read';
  }
}

/** Reads the brand. A logo that has become unreadable is left out. */
export function readBrand(pages: Config['pages']): Brand {
  const { company, contact, text, logo_file: file } = pages;
  if (file === null || logoFault(pages) !== undefined) return { company, contact, text, logo: null };
  const type = logoTypes[extname(file).toLowerCase()];
  return { company, contact, text, logo: `data:${type};base64,${readFileSync(file).toString('base64')}` };
}
