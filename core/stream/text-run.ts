/**
 * A run of text that arrives in pieces: completes and restores tokens split between pieces. Only text that may become a
 * token is carried over to the next piece.
 * A run is plain text or a JSON document (tool arguments, structured output). In JSON only the decoded contents of
 * strings are scanned, and originals are escaped for their depth; a string that starts as JSON is one level deeper.
 * Decoded offsets map to raw ones, so everything else stays as written.
 */

import { UrlGuard } from '../guard/url-guard.ts';
import { JsonFence } from '../payload/json-fence.ts';
import { jsonEscape } from '../payload/json-strings.ts';
import { TextShifts, utf8Length } from '../payload/offsets.ts';
import { type RestoreContext, restoredNumber } from '../payload/response.ts';
import { heldSuffixLength, tokenLengthMax } from '../tokens/tokens.ts';
import type { TokenMap } from '../vault.ts';
import { decodeString, type Offsets, rawAt, shift } from './string-literal.ts';
import { type TokenEdit, tokenEdits } from './token-edits.ts';

/** True if a URL in the surrounding text extends to an offset; negative offsets are in text held earlier. */
export type IsInAddress = (at: number) => boolean;

/** Reads a string literal of the event, to tell where a token would be inside a URL if it is displayed raw. */
export type FollowShown = (from: number) => IsInAddress;

/** A run's context. */
export type TextRunOptions = RestoreContext & {
  /** True for tool arguments, whose tokens may have lost their brackets. */
  readonly bare: boolean;
  /** True for raw text, where a leading `{` has no meaning. */
  readonly plainOnly?: boolean;
  /** Pieces may be complete texts: one that ends with "5%" is sent in full, although a token may start like that. */
  readonly mayBeWhole?: boolean;
  /** True if offsets into this run count UTF-8 bytes. */
  readonly countsBytes?: boolean;
  /** Encodes an original for the surrounding text, unless that is JSON. */
  readonly encode?: (value: string) => string;
};

/** The content of a string, or of the run at level 0. Only `text` is final; a JsonState may fall back to it. */
type Content = {
  before: string;
  /** For undecided text that was already sent: its first bracket and the number of brackets. */
  head: '' | '[' | '{';
  opened: number;
  readonly guard: UrlGuard;
  readonly fence: JsonFence;
  inner: 'unknown' | 'text' | JsonState;
};
type JsonState = {
  inString: boolean;
  depth: number;
  content: Content;
  /** The beginning of an escape that was sent because nothing followed. */
  escape: string;
};

type Pass = {
  readonly run: TextRunOptions;
  readonly final: boolean;
  readonly edits: { start: number; end: number; literal: string }[];
  /** Raw offset from which text is held back. */
  hold: number;
};

/** Restores a run. `push` returns the text to output now; `carry` is the held text, still masked. */
export class TextRun {
  readonly #options: TextRunOptions;
  #content: Content;
  #carry = '';
  /** Length of the masked text already sent. */
  #length = 0;
  /** Replacements so far, to adjust offsets into the run. */
  readonly shifts = new TextShifts();

  constructor(options: TextRunOptions) {
    this.#options = options;
    this.#content = newContent(options.plainOnly === true, options);
  }

  /** Held text: fewer than 128 code units (in JSON with escapes, characters). */
  get carry(): string {
    return this.#carry;
  }

  /** True if nothing is held and no link is open that the next piece would continue. */
  get isSettled(): boolean {
    const { mayBeWhole, bare } = this.#options;
    return this.#carry === '' && (mayBeWhole || bare || this.#content.guard.isSettled);
  }

  /** Restores carry and piece; with `final` nothing is held back. `isInAddress` receives offsets of the piece. */
  push(piece: string, final = false, isInAddress?: IsInAddress): string {
    const text = this.#carry === '' ? piece : this.#carry + piece;
    if (text === '') return '';
    const pass: Pass = { run: this.#options, final, edits: [], hold: text.length };
    const before = this.#carry.length;
    const place = {
      level: 0,
      closed: final,
      pass,
      ...(isInAddress && { isInAddress: (at: number) => isInAddress(at - before) }),
    };
    readContent(text, { base: 0 }, this.#content, place);
    this.#carry = text.slice(pass.hold);
    this.#note(text, pass);
    return splice(text, pass);
  }

  #note(text: string, pass: Pass): void {
    const { countsBytes } = this.#options;
    if (!countsBytes) {
      for (const { start, end, literal } of pass.edits) {
        if (end <= pass.hold) this.shifts.add(this.#length + start, this.#length + end, literal.length);
      }
      this.#length += pass.hold;
      return;
    }
    let at = 0;
    for (const { start, end, literal } of pass.edits) {
      if (end > pass.hold) continue;
      this.#length += utf8Length(text.slice(at, start));
      const size = utf8Length(text.slice(start, end));
      this.shifts.add(this.#length, this.#length + size, utf8Length(literal));
      this.#length += size;
      at = end;
    }
    this.#length += utf8Length(text.slice(at, pass.hold));
  }

  /** Records a piece that passed unread: it contains no token and nothing was carried. */
  observe(piece: string): void {
    if (this.#content.inner === 'text') {
      this.#content.guard.push(piece);
      this.#content.fence.push(piece);
      this.#length += this.#options.countsBytes ? utf8Length(piece) : piece.length;
      if (piece !== '') this.#content.before = piece.slice(-1);
    } else {
      this.push(piece);
    }
  }

  /** Resets the run, because its text was replaced. */
  reset(): void {
    this.#content = newContent(this.#options.plainOnly === true, this.#options);
    this.#carry = '';
    this.#length = 0;
    this.shifts.clear();
  }
}

function newContent(plain: boolean, context: RestoreContext): Content {
  const guard = new UrlGuard(context.allowsHost);
  return { before: '', head: '', opened: 0, guard, fence: new JsonFence(), inner: plain ? 'text' : 'unknown' };
}

function splice(text: string, pass: Pass): string {
  let result = '';
  let from = 0;
  for (const edit of pass.edits) {
    if (edit.end > pass.hold) continue;
    result += text.slice(from, edit.start) + edit.literal;
    from = edit.end;
  }
  return from === 0 ? text.slice(0, pass.hold) : result + text.slice(from, pass.hold);
}

/** Reads decoded content. */
function readContent(text: string, offsets: Offsets, content: Content, place: Place): void {
  const { level, pass } = place;
  if (content.inner === 'unknown') {
    const seen = content.head + text;
    const kind = kindOf(seen);
    if (kind === 'json' && level < 8) {
      // Only whitespace and brackets can have been sent before.
      content.inner = { inString: false, depth: content.opened, content: newContent(false, pass.run), escape: '' };
      content.before = ''; // Text after the document is not adjacent to what preceded it.
    } else if (kind !== 'unknown') {
      content.inner = 'text';
    }
  }
  if (typeof content.inner === 'string') {
    const shown = readText(text, offsets, content, place);
    if (content.inner === 'unknown') noteOpened(content, text, shown);
    return;
  }
  let followed = 0;
  const follow = (to: number) => {
    content.guard.push(text, followed, to);
    followed = Math.max(followed, to);
  };
  const isInAddress = (at: number): boolean => {
    let to = followed;
    while (to < text.length && rawAt(offsets, to) < at) to++;
    follow(to);
    return place.isInAddress?.(at) || content.guard.isInsideMarkup;
  };
  const isShown = !pass.run.bare;
  const stopped = readJson(text, offsets, content.inner, { ...place, isInAddress: isShown ? isInAddress : undefined });
  if (isShown) follow(stopped < text.length ? stopped : shownLength(text, offsets, pass));
  if (stopped < text.length) {
    content.inner = 'text';
    readText(text.slice(stopped), shift(offsets, stopped), content, place);
  }
}

function noteOpened(content: Content, text: string, shown: number): void {
  for (let i = 0; i < shown; i++) {
    const char = text[i];
    if (char !== '[' && char !== '{') continue;
    if (content.head === '') content.head = char;
    content.opened++;
  }
}

/** Length of the text that is not held back. */
function shownLength(text: string, offsets: Offsets, { hold }: Pass): number {
  let length = text.length;
  while (length > 0 && rawAt(offsets, length - 1) >= hold) length--;
  return length;
}

/** Tells JSON from text by the first characters; a token in brackets (`[EMAIL-1]`) is text. */
function kindOf(text: string): 'json' | 'text' | 'unknown' {
  const match = /^\uFEFF?[ \t\r\n]*([[{]?)([[ \t\r\n]*)(.?)/s.exec(text);
  const [, opened = '', , next = ''] = match ?? [];
  if (opened === '') return next === '' ? 'unknown' : 'text';
  if (next === '') return 'unknown';
  if (opened === '{') return next === '"' || next === '}' ? 'json' : 'text';
  return /["{\]\d-]/.test(next) ? 'json' : 'text';
}

/** Returns the length of the text that can be sent. */
function readText(text: string, offsets: Offsets, content: Content, place: Place): number {
  const { level, closed, pass } = place;
  const { map, bare, count } = pass.run;
  const from = content.before.length;
  const whole = from === 0 ? text : content.before + text;
  let suffix = closed ? 0 : heldSuffixLength(whole, prefixTest(map), bare ? { bare } : undefined);
  if (pass.run.mayBeWhole && suffix === 1 && /\d ?%$/.test(whole)) suffix = 0;
  // Do not hold text that started in an escape already sent.
  const held = rawAt(offsets, Math.max(0, text.length - suffix)) < 0 ? 0 : Math.min(text.length, suffix);
  const shown = text.length - held;
  const ready = held === 0 ? whole : whole.slice(0, whole.length - held);
  const { guard, fence } = content;
  const isInAddress =
    place.isInAddress && ((start: number) => place.isInAddress?.(rawAt(offsets, start - from)) ?? false);
  for (const edit of tokenEdits(ready, from, { map, bare, count, guard, fence, isInAddress })) {
    const start = rawAt(offsets, edit.start - from);
    if (start < 0) continue; // Started in an escape already sent.
    pass.edits.push({
      start,
      end: rawAt(offsets, edit.end - from),
      literal: level === 0 ? shownAs(edit, pass.run.encode) : jsonEscape(edit.value, level),
    });
  }
  if (held > 0) pass.hold = Math.min(pass.hold, rawAt(offsets, shown));
  if (shown > 0) content.before = ready.slice(-1);
  return shown;
}

function shownAs({ value, plain }: TokenEdit, encode: ((value: string) => string) | undefined): string {
  return encode === undefined ? value : encode(plain);
}

const prefixTests = new WeakMap<TokenMap, (partial: string) => boolean>();

function prefixTest(map: TokenMap): ((partial: string) => boolean) | undefined {
  if (!map.hasPrefix) return undefined;
  let test = prefixTests.get(map);
  if (!test) {
    test = (partial) => map.hasPrefix?.(partial) ?? true;
    prefixTests.set(map, test);
  }
  return test;
}

/** Nesting depth of a JSON text, and whether its string or run has ended. {@link IsInAddress} is called in order. */
type Place = {
  readonly level: number;
  readonly closed: boolean;
  readonly pass: Pass;
  readonly isInAddress?: ((at: number) => boolean) | undefined;
};

/** Reads JSON text; returns the offset where it ended or proved not to be JSON, else the length. */
function readJson(text: string, offsets: Offsets, state: JsonState, place: Place): number {
  const { closed, pass } = place;
  let at = 0;
  while (at < text.length) {
    if (state.inString) {
      at = readString(text, at, offsets, state, place);
      continue;
    }
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      if (state.depth <= 0) return at; // Text after the document, as below.
      const whole =
        pass.run.bare && pass.run.numbers?.size ? readNumber(text.slice(at, at + tokenLengthMax), pass.run) : 0;
      if (whole === 'unfinished') {
        if (!closed) {
          pass.hold = Math.min(pass.hold, rawAt(offsets, at));
          return text.length;
        }
      } else if (whole !== 0) {
        const { length, literal } = whole;
        pass.edits.push({ start: rawAt(offsets, at), end: rawAt(offsets, at + length), literal });
        pass.run.count.restored++;
        at += length;
        continue;
      }
      state.inString = true;
      state.content = newContent(false, pass.run);
    } else if (code === 0x7b) {
      state.depth++;
    } else if (code === 0x5b) {
      // `[` may open an array, or be a token that the model forgot to quote.
      const next = /[^ \t\r\n]/.exec(text.slice(at + 1))?.[0];
      if (next === undefined && !closed && text.length - at < tokenLengthMax) {
        pass.hold = Math.min(pass.hold, rawAt(offsets, at));
        return text.length;
      }
      if (next !== undefined && !/["{[\]\d\-tfn]/.test(next)) return at;
      state.depth++;
    } else if (code === 0x7d || code === 0x5d) {
      state.depth--;
    } else if (code > 0x20 && code !== 0xfeff && state.depth <= 0) {
      return at; // Text after the document.
    }
    at++;
  }
  return at;
}

/** Length and number of the string at the start if it is a number's token and not a member name; otherwise 0. */
function readNumber(text: string, run: TextRunOptions): { length: number; literal: string } | 'unfinished' | 0 {
  const whole = /^"([^"\\]{3,})"\s*(.?)/s.exec(text);
  if (whole === null) return /^"(?:\[?[A-Z]?[A-Z_]*(?:-\d*\]?)?)?$/.test(text) ? 'unfinished' : 0;
  const [, content = '', next = ''] = whole;
  const literal = restoredNumber(content, run);
  if (literal === undefined || next === ':') return 0;
  return next === '' ? 'unfinished' : { length: content.length + 2, literal };
}

/** Continues a string from `at`; returns the offset after its closing quote, or the end of the text. */
function readString(text: string, at: number, offsets: Offsets, state: JsonState, place: Place): number {
  const { level, pass } = place;
  if (state.escape !== '') return readEscape(text, at, offsets, state, place);
  const part = decodeString(text, at, offsets);
  const closed = part.isClosed || place.closed;
  if (part.text !== '' || closed)
    readContent(part.text, part.offsets, state.content, { ...place, level: level + 1, closed });
  if (part.isClosed) {
    state.inString = false;
    return part.end + 1;
  }
  if (part.end < text.length) {
    // An unfinished escape may belong to a token and cannot be sent alone.
    if (closed || rawAt(offsets, part.end) < 0) state.escape = text.slice(part.end);
    else pass.hold = Math.min(pass.hold, rawAt(offsets, part.end));
  }
  return text.length;
}

/** Continues a string whose last escape was sent incomplete. */
function readEscape(text: string, at: number, offsets: Offsets, state: JsonState, place: Place): number {
  const { escape: begun } = state;
  state.escape = '';
  const table = Array.from(begun, () => -1);
  for (let i = at; i <= text.length; i++) table.push(rawAt(offsets, i));
  return readString(begun + text.slice(at), 0, { base: 0, table }, state, place) + at - begun.length;
}
