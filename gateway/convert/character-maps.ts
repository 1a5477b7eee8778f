/**
 * Character maps for PDFs whose fonts use a predefined East Asian encoding (ISO 32000-1 §9.7.5.2), common in Japan,
 * China and Korea. The library ships no tables for these and would read their text as empty. The tables are derived
 * from Node.js's decoders.
 */

/** A character encoding: its lead bytes, and the bytes that follow each. */
type Encoding = { readonly label: string; readonly single: readonly Range[]; readonly double: readonly Area[] };
type Range = readonly [from: number, to: number];
type Area = { readonly lead: Range; readonly trail: Range };

const ascii: Range = [0x20, 0x7e];
const area = (lead: Range, trail: Range): Area => ({ lead, trail });
const rows: Range = [0xa1, 0xfe];
const shiftJis: Encoding = {
  label: 'shift_jis',
  single: [ascii, [0xa1, 0xdf]],
  double: [area([0x81, 0x9f], [0x40, 0xfc]), area([0xe0, 0xfc], [0x40, 0xfc])],
};
const euc = (label: string): Encoding => ({ label, single: [ascii], double: [area(rows, rows)] });
const wide = (label: string): Encoding => ({ label, single: [ascii], double: [area([0x81, 0xfe], [0x40, 0xfe])] });

const encodings: readonly [name: RegExp, encoding: Encoding][] = [
  [/^(?:\w+-)?RKSJ-[HV]$/, shiftJis],
  [/^(?:78-)?EUC-[HV]$/, euc('euc-jp')],
  [/^(?:GB|GBpc|GBT|GBTpc)-EUC-[HV]$/, euc('gbk')],
  [/^(?:GBK|GBKp)-EUC-[HV]$|^GBK2K-[HV]$/, wide('gbk')],
  [/^(?:B5pc|(?:ETen|ETenms|HKscs)-B5)-[HV]$/, wide('big5')],
  [/^(?:KSC|KSCpc)-EUC-[HV]$/, euc('euc-kr')],
  [/^KSCms-UHC(?:-HW)?-[HV]$/, wide('euc-kr')],
];
/** Seven-bit forms: the encoding's bytes without their highest bits. */
const sevenBits: readonly [name: RegExp, label: string][] = [
  [/^(?:(?:78|Add|Ext|NWP)-)?[HV]$/, 'euc-jp'],
  [/^GB-[HV]$/, 'gbk'],
  [/^KSC-[HV]$/, 'euc-kr'],
];
const unicode = /^Uni(JIS|GB|CNS|KS)\w*-(?:UCS2|UTF16)(?:-HW)?-[HV]$/;

/**
 * Positions in a character collection (CIDs) have 16 bits, and the first ones are used: our tables must not be applied
 * to fonts that name none of these encodings. Korean collections end sooner, and Korean letters take more space.
 */
const collections = {
  korean: { first: 0x4800, ranges: [[0xac00, 0xd7a3]] },
  others: { first: 0x7800, ranges: [[0x3400, 0x4dbf]] },
} as const;
const shared: readonly Range[] = [
  [0x20, 0x4ff],
  [0x2000, 0x27ff],
  [0x3000, 0x33ff],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0xff00, 0xffef],
];

/** Private-use characters that replace unidentified ones. */
const unknownFirst = 0xe000;
/** Styled letters and figures of old fonts, which Adobe names like the plain ones. */
const styled = /[\uf720-\uf77a]/g;
/** Control characters, which no font draws as letters. */
const controls = '\\0-\\x08\\v\\f\\x0e-\\x1f';
const unnamed = '\ufffd';
/** A character known only by its glyph; excludes the pieces of large brackets. */
const unknown = `[${controls}${unnamed}\\ue000-\\uf8e4\\u{f0000}-\\u{10fffd}]`;
const unknownCharacters = new RegExp(unknown, 'gu');
const unknownWords = new RegExp(`${unknown}{3,}`, 'gu');
/** Font Awesome stars (full, empty, half): a rating is not a word, and no font has letters there. */
const stars = /[\uf005\uf006\uf123]/g;
const controlsWithin = new RegExp(`(?<=[\\p{L}\\p{N}])[${controls}]+(?=[\\p{L}\\p{N}])`, 'gu');

/** Replaces each unidentified character with a space, for reading. */
export function readable(text: string): string {
  return plainStyle(text).replace(unknownCharacters, ' ');
}

/**
 * True if a text has words with unidentified characters. A single one is a bullet, icon or ligature; several identical
 * ones are a line or check marks. A control character may replace a space within words.
 */
export function hasUnknownWords(text: string): boolean {
  const plain = plainStyle(text);
  const words = plain.replace(stars, ' ').match(unknownWords) ?? [];
  const within = plain.match(controlsWithin) ?? [];
  return words.some((word) => word.includes(unnamed) || new Set(word).size > 1) || new Set(within.join('')).size > 1;
}

function plainStyle(text: string): string {
  return text.replace(styled, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xf700));
}

/** Blocks of characters with the first position of each. */
function blocksOf(isKorean: boolean): readonly { readonly range: Range; readonly at: number }[] {
  const { first, ranges } = collections[isKorean ? 'korean' : 'others'];
  let at: number = first;
  return [...shared, ...ranges].map((range) => {
    const block = { range, at };
    at += range[1] - range[0] + 1;
    return block;
  });
}

/** Supplies the tables that the library requests by name (`BinaryDataFactory` of PDF.js). */
export class CharacterMaps {
  /** @throws Error for unknown data; the library continues without it. */
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    const map = kind === 'cMapUrl' ? characterMap(filename) : undefined;
    if (map === undefined) throw new Error(`no data for ${kind}`);
    return Buffer.from(map, 'latin1');
  }
}

/** The source of a CMap (Adobe Technical Note 5014), from codes to positions or from positions to characters. */
function characterMap(name: string): string | undefined {
  const collection = /^Adobe-(?:Japan1|GB1|CNS1|Korea1)-UCS2$/.test(name);
  const isKorean = /^Adobe-Korea1|^KSC|^UniKS/.test(name);
  const blocks = blocksOf(isKorean);
  if (collection) {
    const known = name.startsWith('Adobe-Japan1') ? [...latin, ...halfWidth] : latin;
    return source({ name, codes: [['0000', 'ffff']], body: charactersOf(blocks, known) });
  }
  if (unicode.test(name)) {
    const lines = blocks.map(({ range: [from, to], at }) => `<${hex(from)}> <${hex(to)}> ${at}`);
    return source({ name, codes: [['0000', 'ffff']], body: sections('cidrange', lines) });
  }
  const encoding = encodings.find(([names]) => names.test(name))?.[1];
  if (encoding !== undefined) return encoded(name, encoding, blocks);
  const label = sevenBits.find(([names]) => names.test(name))?.[1];
  return label === undefined
    ? undefined
    : encoded(name, { label, single: [], double: [area(rows, rows)] }, blocks, 0x80);
}

type Blocks = ReturnType<typeof blocksOf>;

function encoded(name: string, { label, single, double }: Encoding, blocks: Blocks, less = 0): string {
  const decoder = new TextDecoder(label);
  const lines: string[] = [];
  const add = (...bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    const code = text.length === 1 ? text.charCodeAt(0) : 0;
    const block = blocks.find(({ range: [from, to] }) => code >= from && code <= to);
    const written = bytes.map((byte) => hex(byte - less, 2)).join('');
    if (block !== undefined) lines.push(`<${written}> ${block.at + code - block.range[0]}`);
  };
  for (const [from, to] of single) for (let byte = from; byte <= to; byte++) add(byte);
  for (const { lead, trail } of double) {
    for (let a = lead[0]; a <= lead[1]; a++) for (let b = trail[0]; b <= trail[1]; b++) add(a, b);
  }
  const codes = [
    ...single.map(([from, to]) => [hex(from, 2), hex(to, 2)] as const),
    ...double.map(({ lead, trail }) => {
      return [
        hex(lead[0] - less, 2) + hex(trail[0] - less, 2),
        hex(lead[1] - less, 2) + hex(trail[1] - less, 2),
      ] as const;
    }),
  ];
  return source({ name, codes, body: sections('cidchar', lines) });
}

/** Positions with the characters from `first` on. */
type Known = { readonly from: number; readonly to: number; readonly first: number };
/** Positions of Latin letters, equal in all collections, for fonts without a known encoding. */
const latin: readonly Known[] = [{ from: 1, to: 0x5f, first: 0x20 }];
/** Half-width positions in Adobe-Japan1; no range may cross 256 (Adobe Technical Note 5078). */
const halfWidth: readonly Known[] = [
  { from: 231, to: 255, first: 0x20 },
  { from: 256, to: 325, first: 0x39 },
];

/** Maps positions in ranges of 256, because only the last byte of a range start is counted up. */
function charactersOf(blocks: Blocks, known: readonly Known[]): string {
  const lines: string[] = [];
  // Later entries win.
  for (let from = 1; from < (blocks[0]?.at ?? 0); from = (from | 0xff) + 1) {
    lines.push(`<${hex(from)}> <${hex(from | 0xff)}> <${hex(unknownFirst | (from & 0xff))}>`);
  }
  for (const { from, to, first } of known) lines.push(`<${hex(from)}> <${hex(to)}> <${hex(first)}>`);
  for (const { range, at } of blocks) {
    for (let from = range[0]; from <= range[1]; ) {
      const to = Math.min(range[1], from | 0xff);
      const place = at + from - range[0];
      lines.push(`<${hex(place)}> <${hex(place + to - from)}> <${hex(from)}>`);
      from = to + 1;
    }
  }
  return sections('bfrange', lines);
}

function source(map: { name: string; codes: readonly (readonly [string, string])[]; body: string }): string {
  const codes = map.codes.map(([from, to]) => `<${from}> <${to}>`);
  return `/CMapName /${map.name} def\n/WMode ${map.name.endsWith('V') ? 1 : 0} def\n${sections('codespacerange', codes)}${map.body}`;
}

function sections(kind: string, lines: readonly string[]): string {
  return `${lines.length} begin${kind}\n${lines.join('\n')}\nend${kind}\n`;
}

function hex(code: number, digits = 4): string {
  return code.toString(16).padStart(digits, '0');
}
