import type { Lexicon, WordEntry } from './lexicon.ts';
import { type Units, unitFlag } from './units.ts';

/** The classified words of one sentence in text order, one event per class of a word; excess events are dropped. */
export class Events {
  static readonly max = 160;
  count = 0;
  readonly class = new Int16Array(Events.max);
  /** First unit. */
  readonly from = new Int32Array(Events.max);
  /** Exclusive end unit. */
  readonly to = new Int32Array(Events.max);

  add(classNumber: number, from: number, to: number): void {
    if (this.count === Events.max) return;
    this.class[this.count] = classNumber;
    this.from[this.count] = from;
    this.to[this.count] = to;
    this.count++;
  }
}

/** Maximum distance at which a class still applies in later sentences. */
const carryMax = 40;

/** Maximum length of a term in a script without spaces. */
const termMax = 24;

/** Class numbers of the forms that the reader recognises. */
export type FormClasses = {
  readonly address: number;
  readonly open: number;
  readonly image: number;
  readonly carries: readonly number[];
};

/** Turns units into events, sentence by sentence. */
export class EventReader {
  private readonly lexicon: Lexicon;
  private readonly forms: FormClasses;
  private readonly units: Units;
  private readonly text: string;
  private at = 0;
  readonly events = new Events();
  /** Where a word of each carried-over class was last seen. */
  private readonly carried: { number: number; from: number; to: number }[] = [];

  constructor(text: string, units: Units, lexicon: Lexicon, forms: FormClasses) {
    this.text = text;
    this.units = units;
    this.lexicon = lexicon;
    this.forms = forms;
  }

  /** Reads the next sentence into `events`; false after the last. Very long sentences are split. */
  next(): boolean {
    const { units, events, lexicon } = this;
    if (this.at >= units.count) return false;
    this.carry();
    let i = this.at;
    const start = i;
    while (i < units.count) {
      const flags = units.flags[i] ?? 0;
      if (i > start && (flags & unitFlag.sentence) !== 0) break;
      if (events.count > Events.max - 16) break;
      if ((flags & unitFlag.east) !== 0) {
        i = this.readTerm(i);
        continue;
      }
      const entry = lexicon.words.get(units.hash[i] ?? 0);
      i = entry === undefined ? this.readForm(i) : this.readWord(i, entry);
    }
    this.at = i;
    return true;
  }

  /** Starts the next sentence with the classes that carry over: the addressee and the role to play. */
  private carry(): void {
    const { events, units, carried } = this;
    const { carries } = this.forms;
    let kept = 0;
    for (let i = 0; i < events.count; i++) {
      const number = events.class[i] ?? 0;
      if (!carries.includes(number)) continue;
      const from = events.from[i] ?? 0;
      if ((units.position[this.at] ?? 0) - (units.position[from] ?? 0) > carryMax) continue;
      carried[kept++] = { number, from, to: events.to[i] ?? 0 };
    }
    events.count = 0;
    for (let i = Math.max(0, kept - 4); i < kept; i++) {
      const event = carried[i];
      if (event !== undefined) events.add(event.number, event.from, event.to);
    }
  }

  private readWord(i: number, entry: WordEntry): number {
    const { units, events } = this;
    const phrases = entry.phrases?.get(units.hash[i + 1] ?? 0);
    if (phrases !== undefined && i + 1 < units.count) {
      let longest = 0;
      for (const phrase of phrases) {
        const { rest } = phrase;
        if (rest.length < longest) break;
        if (!this.follows(i, rest)) continue;
        const to = i + rest.length + 1;
        if (phrase.masks) return to;
        for (const number of phrase.classes) events.add(number, i, to);
        longest = rest.length;
      }
    }
    for (const number of entry.classes) events.add(number, i, i + 1);
    if (i + 1 < units.count && ((units.flags[i + 1] ?? 0) & unitFlag.east) !== 0) this.readTerm(i);
    return this.readForm(i);
  }

  private follows(i: number, rest: readonly number[]): boolean {
    const { units } = this;
    for (let k = 0; k < rest.length; k++) {
      const j = i + k + 1;
      if (j >= units.count || units.hash[j] !== rest[k] || ((units.flags[j] ?? 0) & unitFlag.sentence) !== 0)
        return false;
    }
    return true;
  }

  /** Reads the terms that start at this unit; also reads on after a term without a class. */
  private readTerm(i: number): number {
    const { text, units, events } = this;
    const start = units.start[i] ?? 0;
    const { trie } = this.lexicon;
    let node: number | undefined = 0;
    const found: { classes: readonly number[]; end: number }[] = [];
    for (let k = start; k < text.length && k - start < termMax; k++) {
      let code = text.charCodeAt(k);
      if (code >= 65 && code <= 90) code += 32;
      node = trie.step(node, code);
      if (node === undefined) break;
      const classes = trie.classesAt(node);
      if (classes !== undefined) found.push({ classes, end: k + 1 });
    }
    const longest = found.at(-1);
    if (longest === undefined) return i + 1;
    if (longest.classes.length === 0) return this.unitAfter(i, longest.end);
    for (const { classes, end } of found) {
      const to = this.unitAfter(i, end);
      for (const number of classes) events.add(number, i, to);
    }
    return i + 1;
  }

  private unitAfter(i: number, end: number): number {
    const { units } = this;
    let to = i + 1;
    while (to < units.count && (units.start[to] ?? 0) < end) to++;
    return to;
  }

  /** Recognises addresses by the characters after the word ("http" and "://", a name and "@"). */
  private readForm(i: number): number {
    const { text, units, events, forms } = this;
    const end = units.end[i] ?? 0;
    const next = text.charCodeAt(end);
    if (next === 0x3a && text.charCodeAt(end + 1) === 0x2f && text.charCodeAt(end + 2) === 0x2f) {
      let stop = end + 3;
      let query = false;
      for (; stop < text.length; stop++) {
        const code = text.charCodeAt(stop);
        if (code <= 0x20 || code === 0x29 || code === 0x3e || code === 0x22 || code > 0x7f) break;
        if (code === 0x3f) query = true;
      }
      let to = i + 1;
      while (to < units.count && (units.start[to] ?? 0) < stop) to++;
      events.add(forms.address, i, to);
      // A query waiting for its value: "https://…?q=".
      if (query && text.charCodeAt(stop - 1) === 0x3d) events.add(forms.open, i, to);
      const before = units.start[i] ?? 0;
      if (text.charCodeAt(before - 1) === 0x28 && text.charCodeAt(before - 2) === 0x5d && query) {
        events.add(forms.image, i, to);
      }
      return to;
    }
    if (next === 0x40 && i + 1 < units.count && units.start[i + 1] === end + 1) {
      let to = i + 2;
      while (to < units.count && (units.start[to] ?? 0) === (units.end[to - 1] ?? 0) + 1) {
        const joint = text.charCodeAt((units.start[to] ?? 0) - 1);
        if (joint !== 0x2e && joint !== 0x2d) break;
        to++;
      }
      events.add(forms.address, i, to);
      return to;
    }
    return i + 1;
  }
}
