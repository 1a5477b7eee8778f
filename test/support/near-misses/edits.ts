/** Small, fixed edits that turn a text with a finding into one that nearly has it, and vice versa. */

/**
 * A text made from a sample. `start..end` is the current position of the sample's value, `from..to` the inserted text.
 */
export type Variant = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly from?: number;
  readonly to?: number;
};

/** A sample: a text, and the position of its value (the whole text if there is nothing to find). */
export type Sample = { readonly text: string; readonly start: number; readonly end: number };

const isDigit = (char: string) => /^\d$/.test(char);
const isLetter = (char: string) => /^[A-Za-z]$/.test(char);
const isJapanese = (char: string) => /^[\u3040-\u30ff\u3400-\u9fff]$/.test(char);
const isSign = (char: string) => /^[^\p{L}\p{N}]$/u.test(char);

function following(char: string): string | undefined {
  if (isDigit(char)) return String((Number(char) + 1) % 10);
  if (isLetter(char)) return /z/i.test(char) ? (char === 'z' ? 'a' : 'A') : String.fromCharCode(char.charCodeAt(0) + 1);
  if (/^[\u3040-\u309f]$/.test(char)) return char === 'の' ? 'は' : 'の';
  if (/^[\u30a0-\u30ff]$/.test(char)) return char === 'ア' ? 'イ' : 'ア';
  return isJapanese(char) ? (char === '山' ? '川' : '山') : undefined;
}

function otherKind(char: string): string | undefined {
  if (isDigit(char)) return 'x';
  if (isLetter(char)) return '7';
  return isJapanese(char) ? 'a' : 'x';
}

function otherCase(char: string): string | undefined {
  if (!isLetter(char)) return undefined;
  return char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase();
}

/** Converts between ASCII and full width. */
function otherWidth(char: string): string | undefined {
  const code = char.codePointAt(0) ?? 0;
  if (code === 0x20) return '\u3000';
  if (code === 0x3000) return ' ';
  if (code > 0x20 && code < 0x7f) return String.fromCharCode(code + 0xfee0);
  return code > 0xff00 && code < 0xff5f ? String.fromCharCode(code - 0xfee0) : undefined;
}

const to = (sign: string) => (char: string) => (isSign(char) && char !== sign ? sign : undefined);

/** The replacement of one character; undefined if the edit does not apply. */
export const characterEdits: Readonly<Record<string, (char: string) => string | undefined>> = {
  drop: () => '',
  next: following,
  kind: otherKind,
  case: otherCase,
  width: otherWidth,
  'space>': (char) => ` ${char}`,
  'to -': to('-'),
  'to space': to(' '),
  'to .': to('.'),
  'to line': to('\n'),
};

/** The sample with one edit at the characters `at..at + length`. */
export function edited({ text, start, end }: Sample, at: number, length: number, by: string): Variant {
  const change = by.length - length;
  // Text inserted directly before or after a value is not part of it.
  const place = (offset: number) => (offset >= at + length ? offset + change : Math.min(offset, at));
  const isBefore = length === 0 && at === end;
  const isInserted = by.endsWith(text.slice(at, at + length));
  return {
    text: text.slice(0, at) + by + text.slice(at + length),
    start: place(start),
    end: isBefore ? end : place(end),
    from: at,
    to: at + by.length - (isInserted ? length : 0),
  };
}

/** Positions in the variant: `<` start of the value, `>` its end, `^` the edit, `$` the end of what it inserts. */
export function placeOf(at: number, { start, end, from, to }: Variant): string {
  if (at === start) return '<';
  if (at === end) return '>';
  if (at === from) return '^';
  if (at === to) return '$';
  if (at < start) return `<-${start - at}`;
  if (at > end) return `>+${at - end}`;
  // From the side that the edit does not move, so that edits with one effect have one description.
  const isFromStart = from === undefined ? at - start <= end - at : at < from;
  return isFromStart ? `<+${at - start}` : `>-${end - at}`;
}

/** The sample up to an offset, or from there on. */
export const cuts: Readonly<Record<string, (sample: Sample, at: number) => Variant>> = {
  'cut here': ({ text, start, end }, at) => ({
    text: text.slice(0, at),
    start: Math.min(start, at),
    end: Math.min(end, at),
    from: at,
  }),
  'from here': ({ text, start, end }, at) => ({
    text: text.slice(at),
    start: Math.max(0, start - at),
    end: Math.max(0, end - at),
    from: 0,
  }),
};

/** Characters added on either side of a value. */
const neighbours = [...'aZ0_-./@#+:=,"(<>{|*%$& 　のア漢、（ー０é'];

/** Surroundings of a text. */
const surroundings: Readonly<Record<string, readonly [before: string, after: string]>> = {
  json: ['{"id":1,"note":"', '","ok":true}'],
  'json list': ['["', '","b"]'],
  'json in json': ['{"body":"{\\"note\\":\\"', '\\"}"}'],
  csv: ['7,', ',yes'],
  tsv: ['7\t', '\tyes'],
  'table row': ['| 7 | ', ' | yes |'],
  query: ['https://a.example/x?q=', '&b=1'],
  path: ['https://a.example/', '/x'],
  bold: ['**', '**'],
  code: ['`', '`'],
  fence: ['```\n', '\n```'],
  html: ['<td>', '</td>'],
  attribute: ['<a title="', '">x</a>'],
  brackets: ['（', '）'],
  quote: ['> ', '\n> yes'],
  item: ['- ', '\n- yes'],
  numbered: ['12. ', '\n13. yes'],
  comment: ['// ', '\nreturn;'],
  log: ['2026-11-02T10:11:12Z INFO ', ' (3 ms)'],
  version: ['v1.2.3 ', ' 10.0.1'],
  english: ['I wrote to them about ', ' and got no answer.'],
  japanese: ['昨日、', 'について連絡しました。'],
  amount: ['$1,200.50 ', ' 3,000円'],
};

function glued(sample: Sample, at: number, by: string): Variant {
  const variant = edited(sample, at, 0, by);
  return at === sample.start ? { ...variant, start: sample.start + by.length } : variant;
}

/** A sample with its value spelled differently. */
function rewritten({ text, start, end }: Sample, write: (value: string) => string): Variant {
  const value = write(text.slice(start, end));
  return { text: text.slice(0, start) + value + text.slice(end), start, end: start + value.length };
}

const separators = { '-': '-', space: ' ', '.': '.', '/': '/', none: '', dash: '–', middot: '・', comma: ',' };

/** Named changes of a whole sample. */
export function* wholeEdits(sample: Sample): Generator<readonly [name: string, variant: Variant]> {
  const { text, start, end } = sample;
  const value = text.slice(start, end);
  const inside = (before: string, after: string): Variant => ({
    text: before + text + after,
    start: start + before.length,
    end: end + before.length,
  });
  yield ['alone', { text: value, start: 0, end: value.length }];
  for (const by of neighbours) {
    yield [`${by}>`, glued(sample, start, by)];
    yield [`<${by}`, glued(sample, end, by)];
  }
  for (const [name, [before, after]] of Object.entries(surroundings)) yield [name, inside(before, after)];
  for (const [name, by] of Object.entries(separators))
    yield [`separated:${name}`, rewritten(sample, (one) => one.replace(/[- ./・－　–‐]/g, by))];
  yield ['groups of 4', rewritten(sample, (one) => one.replace(/[- ]/g, '').replace(/.{4}(?=.)/g, '$& '))];
  yield ['upper', { ...sample, text: text.length === text.toUpperCase().length ? text.toUpperCase() : text }];
  yield ['lower', { ...sample, text: text.length === text.toLowerCase().length ? text.toLowerCase() : text }];
  yield ['wide', { ...sample, text: Array.from(text, (char) => otherWidth(char) ?? char).join('') }];
  yield ['wide digits', { ...sample, text: text.replace(/[0-9]/g, (char) => otherWidth(char) ?? char) }];
  yield ['zeros', rewritten(sample, (one) => one.replace(/\d/g, '0'))];
  yield ['counted', rewritten(sample, (one) => counted(one))];
  yield ['digits back', rewritten(sample, digitsBack)];
  yield ['repeated', { ...sample, text: `${text}\n${text}` }];
  yield ['list', { ...sample, text: `${text}, ${value}` }];
  yield ['pair', { ...sample, text: `${text} ${value}` }];
  yield ['or', { ...sample, text: `${text} or ${value}` }];
  yield ['joined', { ...sample, text: text + text }];
}

function counted(value: string): string {
  let next = 0;
  return value.replace(/\d/g, () => String(++next % 10));
}

function digitsBack(value: string): string {
  const digits = value.match(/\d/g) ?? [];
  return value.replace(/\d/g, () => digits.pop() ?? '');
}

/** A text of a row, named by the alternative that it varies. */
export type Alternative = { readonly text: string; readonly name: string; readonly parts: readonly string[] };

/** Prefix of an alternative: says whether the others are the first, second or third of their lists. */
const marks = ['', '²', '³'];

/**
 * Texts of a row: all first alternatives (then all second, then all third), and each of these with one alternative
 * replaced. All combinations would be thousands of texts.
 */
export function alternatives(row: string, isSecret = false): Alternative[] {
  const fixed = row.split(/\{([^}]*)\}/);
  const choices = fixed.filter((_, i) => i % 2 === 1).map((part) => part.split(/(?<!\\)\|/));
  const all = new Map<string, Alternative>();
  for (let base = 0; base < marks.length; base++) {
    const usual = choices.map((list) => list[base % list.length] as string);
    choices.forEach((list, varied) => {
      list.forEach((one, i) => {
        const taken = usual.with(varied, one);
        const parts = fixed.map((part, at) => (at % 2 === 1 ? (taken[(at - 1) / 2] as string) : part));
        const name = `${marks[base]}${isSecret ? `${varied + 1}.${i + 1}` : one || '()'}`;
        const plain = parts.map((part) => part.replaceAll('\\|', '|'));
        if (!all.has(plain.join(''))) all.set(plain.join(''), { text: plain.join(''), name, parts: plain });
      });
    });
  }
  return [...all.values()];
}

/** A span by the numbers of the alternatives that it begins and ends with; `^` and `$` are the ends of the text. */
export function spanIn({ text, parts }: Alternative, start: number, end: number): string {
  let at = 0;
  let [from, to] = [start === 0 ? '^' : '', end === text.length ? '$' : ''];
  parts.forEach((part, i) => {
    const [begin, name] = [at, i % 2 === 1 ? `${(i + 1) / 2}` : `${i / 2}>`];
    at += part.length;
    if (part === '') return;
    const isOwn = i % 2 === 1;
    if (start === begin && isOwn) from = name;
    if (end === at && isOwn) to = name;
    if (start >= begin && start < at && from === '') from = `${name}+${start - begin}`;
    if (end > begin && end <= at && to === '') to = `${name}+${end - begin}`;
  });
  return from === to ? from : `${from}..${to}`;
}
