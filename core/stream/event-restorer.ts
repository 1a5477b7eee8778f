/** Restores the strings of JSON events (text and optional name), run by run; `core/formats` locates them. */
import type { WireFormats } from '../formats/wire-formats.ts';
import { ownCopy } from '../own-copy.ts';
import { type JsonEdit, type JsonMember, jsonLiteral, scanJson, spliceJson } from '../payload/json-strings.ts';
import { documentOffsets, type TextEdit, type TextShifts } from '../payload/offsets.ts';
import { formatsOf, isToolPath, type RestoreContext, restoredLiteral } from '../payload/response.ts';
import { DeltaEncoding } from './delta-encoding.ts';
import { type Delta, isDelta, piecesBeside, piecesOf, placesOf, type RunPlaces } from './delta-member.ts';
import { type EventShape, shapeOf, valueLike } from './event-shape.ts';
import { HeldTexts } from './held-texts.ts';
import { isCutCopy, itemCopyOf } from './item-copy.ts';
import type { ResumePoint } from './numbered-events.ts';
import { brokenEvent, type RestoredEvent, type SynthesizedEvent, unchanged } from './restored-event.ts';
import {
  type GrowthRule,
  growthRule,
  isEnded,
  isGrown,
  isPiece,
  newRun,
  observeValue,
  type Run,
  startAnew,
  type Template,
} from './run.ts';
import { copyMark, type EventScope, endingOf, isToolPiece, keyedPath, runKey, scopeOf } from './run-key.ts';
import { RunOffsets } from './run-offsets.ts';
import { RunTable } from './run-table.ts';
import { afterStart, placeOfPiece } from './start-event.ts';
import { emptyEvent } from './synthesized-event.ts';
import { TextIds } from './text-ids.ts';
import { type FollowShown, type IsInAddress, TextRun, type TextRunOptions } from './text-run.ts';
import { continuesToken } from './token-edits.ts';

/** Prefix of a plain text run's key, followed by the name of its events. */
const textMark = '=text|';

/** Texts of longer events are copied, because a run would keep the whole event. */
const longEvent = 4_096;
// Kept length of a patched text, in case it is truncated; no realistic response is longer.
const wholeMax = 200_000;
// A truncation restores the kept text again; this limits the total per stream.
const cutMax = 5 * wholeMax;

/** Restores the events of one stream, holding back text in which a token may have started. */
export class EventRestorer {
  readonly #context: RestoreContext;
  readonly #formats: WireFormats;
  readonly #runs = new RunTable();
  readonly #deltas: DeltaEncoding;
  #shape: EventShape | undefined;
  /** The same for events that passed unread. */
  #observed: EventShape | undefined;
  readonly #held = new HeldTexts();
  #hasTools = false;
  readonly #offsets = new RunOffsets();
  readonly #ids = new TextIds();
  /** True if the next event is the last, so its texts end with it. */
  isLast = false;
  /** Length of text restored again because of truncations. */
  #cut = 0;
  /** The last event's number, in numbered streams. */
  #sequence: number | undefined;
  /** Number of events read. */
  at = 0;

  constructor(context: RestoreContext) {
    this.#context = context;
    this.#formats = formatsOf(context);
    this.#deltas = new DeltaEncoding(this.#formats);
  }

  /** True while an event without an opening character may pass unread. */
  get isIdle(): boolean {
    return !this.isHolding && !this.#hasTools && !this.#deltas.isActive && !this.#context.documents;
  }

  /** True while text is held back. */
  get isHolding(): boolean {
    return this.#held.count > 0;
  }

  /** The first event whose text is held back; infinite if none is. */
  get heldSince(): number {
    let first = Number.POSITIVE_INFINITY;
    if (!this.isHolding) return first;
    for (const { held, template } of this.#runs)
      if (held && template?.at !== undefined && template.at < first) first = template.at;
    return first;
  }

  /** True if a reader that starts at the next event would restore the same. */
  get isSettled(): boolean {
    for (const { text } of this.#runs) if (!text.isSettled) return false;
    return true;
  }

  /** Records an event that passed unread: a link may start in it, and cumulative text is recognised by its growth. */
  observe(json: string, name: string | undefined): void {
    const value = this.#observed && this.#valueLike(this.#observed, json, name);
    if (this.#observed && value !== undefined) {
      this.#observeValue(this.#observed.run, json, value, this.#observed.rule);
      this.#ids.repeat();
      return;
    }
    this.#observed = undefined;
    const members = scan(json);
    const scope = members && scopeOf(members, name, this.#formats);
    if (!members || !scope) return;
    const deltas: JsonMember[] = [];
    for (const member of members) {
      if (isDelta(scope, member, deltas.length)) deltas.push(member);
    }
    const starts = scope.facts.replaces;
    for (const member of deltas) {
      const place = placeOfPiece(json, scope, member);
      const run = this.#run(place.scope, place.member);
      if (starts) startAnew(run);
      this.#observeValue(run, json, member.value, growthRule(place.member, place.scope));
    }
    const [only] = deltas;
    if (only && deltas.length === 1 && !starts && !scope.facts.start) {
      this.#observed = shapeOf(json, name, only, this.#run(scope, only), scope);
    }
  }

  #observeValue(run: Run, json: string, value: string, rule: GrowthRule): void {
    observeValue(run, keptText(json, value), rule);
    this.#runs.weigh(run);
  }

  /** Restores one event; returns {@link brokenEvent} for text that is not JSON. */
  push(json: string, name: string | undefined, follow?: FollowShown): RestoredEvent {
    this.at++;
    const like = this.#shape && !follow && this.#pushLike(this.#shape, json, name);
    if (like) return like;
    this.#shape = undefined;
    const members = scan(json);
    if (!members) return brokenEvent;
    const around = follow?.(0);
    const scope = scopeOf(members, name, this.#formats);
    const endsAll = !scope && name !== undefined && this.#formats.type(name).endsAll;
    if (!scope) return endsAll && this.isHolding ? { before: this.flush(around), json: undefined } : unchanged;
    const expanded = this.#deltas.read(scope, members, name);
    const place = placeOf(scope);
    const before: SynthesizedEvent[] = [];
    const edits: JsonEdit[] = [];
    const edited = new Map<JsonMember, TextEdit[]>();
    const deltas: Delta[] = [];
    const copy = this.isHolding ? itemCopyOf(scope, members, this.#runs) : undefined;
    for (const member of members) {
      if (!member.isString || this.#formats.isSignedPiece(member)) continue;
      const isInAddress = follow?.(member.start + 1);
      const piece = expanded?.pieceOf(member);
      if (piece) {
        const { key, path: pointer, starts } = piece;
        deltas.push({ member, run: this.#run(scope, member, key), rule: 'delta', starts, pointer, isInAddress });
      } else if (!expanded && isDelta(scope, member, deltas.length)) {
        const { continued, ...place } = placeOfPiece(json, scope, member);
        const rule = growthRule(place.member, place.scope);
        let run = this.#run(place.scope, place.member);
        // What another text may have begun stays with it, unless a token goes on here.
        if (this.#ids.hasSwitched && run.held && !continuesToken(run.text.carry, member.value, this.#context.map)) {
          if (this.#ids.separate()) run = this.#run(place.scope, place.member);
          else before.push(this.#synthesize(run, around));
        }
        const { pointer } = member;
        deltas.push({ member, run, rule, starts: scope.facts.replaces, pointer, continued, isInAddress });
      } else if (expanded === undefined || !member.isKey) {
        const cuts = copy && isCutCopy(copy, member) ? { count: 0 } : undefined;
        const view = { ...this.#context, level: 0, isToolData: false, isInAddress, cuts };
        const literal = restoredLiteral(json, member, view, edited);
        if (literal !== undefined) edits.push({ start: member.start, end: member.end, literal });
      }
    }
    const ending = expanded ? expanded.ending(this.#runs.keys()) : endingOf(scope, members);
    const ended = new Set<Run>();
    if (ending) {
      for (const run of this.#runs)
        if (isEnded(run, ending) && !this.#ids.isOfAnother(run.key, scope.root)) ended.add(run);
    }
    if (copy && !copy.isOpen) for (const run of copy.runs) ended.add(run);
    const places = placesOf(deltas);
    for (const run of ended) {
      if (run.held && !places.has(run)) before.push(this.#synthesize(run, around));
    }
    for (const { key, path, length } of expanded?.truncations ?? []) {
      const run = this.#runs.get(key);
      const shown = run && this.#truncate(run, Number(length.value), { json, name, pointer: path, sent: [] });
      if (shown !== undefined) edits.push({ start: length.start, end: length.end, literal: String(shown) });
    }
    let pieces: readonly Delta[] | undefined;
    for (const [at, { member, run, rule, starts, pointer, continued, isInAddress }] of deltas.entries()) {
      const { first, last } = places.get(run) as RunPlaces;
      const isCopy = run.key.endsWith(copyMark);
      const isFirst = first === at;
      if (isCopy && isFirst) run.text.reset();
      if (starts) {
        // The held text belongs to the previous text.
        if (run.held && isFirst) before.push(this.#synthesize(run, around));
        startAnew(run);
      } else if (continued && run.previous === member.value) {
        // The item and its part both contain the first piece.
        startAnew(run);
      }
      if (expanded && run.whole.length < wholeMax) run.whole = (run.whole + member.value).slice(0, wholeMax);
      const isFinal = last === at && (isCopy || ended.has(run) || this.#formats.isLastPiece(member) || this.isLast);
      const text = this.#restore(run, json, member.value, rule, isFinal, isInAddress);
      // A text inserted by a patch may belong to another message, but offsets refer to the current one.
      if (!expanded || !starts) this.#offsets.note(run, this.#formats);
      if (text !== member.value) edits.push({ start: member.start, end: member.end, literal: jsonLiteral(text) });
      this.#held.note(run, () => {
        pieces ??= piecesOf(deltas, this.#formats);
        return { json, name, pointer, continued, sent: piecesBeside(run, pieces), at: this.at };
      });
    }
    const { documents } = this.#context;
    if (documents) edits.push(...documentOffsets(members, documents, this.#formats));
    if (!this.#offsets.isEmpty || edited.size > 0 || this.#formats.tokenOffsets.test(json)) {
      for (const edit of this.#offsets.edits({ scope, members, deltas, edited })) edits.push(edit);
    }
    const mayRepeat = !ending && !expanded && !scope.facts.start && !deltas[0]?.starts;
    const only = deltas.length === 1 && mayRepeat ? deltas[0] : undefined;
    if (only && edits.every(({ start }) => start === only.member.start) && !scope.root.member('sequence_number')) {
      this.#shape = shapeOf(json, name, only.member, only.run, scope);
    }
    for (const run of ended) this.#runs.delete(run);
    this.#noteSequence(scope);
    const isBehind = before.length > 0 || this.#deltas.isInterrupted;
    const extra = isBehind ? expanded?.spellOut(json) : undefined;
    if (expanded) this.#deltas.isInterrupted = false;
    if (edits.length === 0 && !extra)
      return before.length === 0 && place === undefined ? unchanged : { before, json: undefined, place };
    if (extra) edits.push(extra);
    edits.sort((a, b) => a.start - b.start);
    return { before, json: spliceJson(json, edits), place };
  }

  /** Fast path for an event that differs from the previous one only in its text; undefined for others. */
  #pushLike(shape: EventShape, json: string, name: string | undefined): RestoredEvent | undefined {
    const value = this.#valueLike(shape, json, name);
    if (value === undefined) return undefined;
    const { prefix, suffix, run } = shape;
    this.#ids.repeat();
    const text = this.#restore(run, json, value, shape.rule, this.isLast);
    this.#offsets.note(run, this.#formats);
    this.#held.note(run, () => ({ json, name, pointer: shape.pointer, sent: [], at: this.at }));
    return text === value ? unchanged : { before: [], json: prefix + jsonLiteral(text).slice(1, -1) + suffix };
  }

  #valueLike(shape: EventShape, json: string, name: string | undefined): string | undefined {
    return this.#runs.get(shape.run.key) === shape.run ? valueLike(shape, json, name) : undefined;
  }

  /** Events with all held text, in order of first appearance. */
  flush(isInAddress?: IsInAddress): SynthesizedEvent[] {
    const events: SynthesizedEvent[] = [];
    for (const run of this.#runs) {
      if (!run.held) continue;
      events.push(this.#synthesize(run, isInAddress));
      if (DeltaEncoding.isKey(run.key)) this.#deltas.isInterrupted = true;
    }
    return events;
  }

  /** True if events with this name have carried plain text. */
  hasText(name: string | undefined): boolean {
    return this.#runs.has(textMark + (name ?? ''));
  }

  /** The replacements in the plain text of events with this name. */
  textShifts(name: string | undefined): TextShifts | undefined {
    return this.#runs.get(textMark + (name ?? ''))?.text.shifts;
  }

  /** Restores text that is not JSON, as one run per event name. */
  pushText(text: string, name: string | undefined, final: boolean, isInAddress?: IsInAddress): string {
    const run = this.#open(textMark + (name ?? ''), '', [], '', { bare: false, plainOnly: true });
    this.at++;
    const result = run.text.push(text, final || this.isLast || !this.#held.mayHold(run, text.length), isInAddress);
    this.#held.note(run, () => ({ json: text, name, pointer: '', sent: [], at: this.at }));
    return result;
  }

  #run(scope: EventScope, member: JsonMember, given?: string): Run {
    this.#ids.leave();
    let key = given ?? runKey(scope, member);
    const base = this.#runs.get(key);
    const isTool = base?.isTool ?? (isToolPath(member, this.#formats) || isToolPiece(scope, member));
    if (given === undefined && !isTool && scope.indexes.length === 0) key = this.#ids.keyOf(key, member);
    const known = base?.key === key ? base : this.#runs.get(key);
    if (known) return known;
    if (isTool) this.#hasTools = true;
    const mayBeWhole =
      given === undefined && !isTool && !isPiece(member, this.#formats) && growthRule(member, scope) === 'unknown';
    return this.#open(key, scope.family, scope.indexes, keyedPath(member.node, this.#formats), {
      bare: isTool,
      mayBeWhole,
    });
  }

  #open(
    key: string,
    family: string,
    indexes: readonly string[],
    path: string,
    options: Pick<TextRunOptions, 'bare' | 'plainOnly' | 'mayBeWhole'>,
  ): Run {
    const known = this.#runs.get(key);
    if (known) return known;
    const countsBytes = this.#formats.countsBytes(path);
    const text = new TextRun({ ...this.#context, ...options, countsBytes });
    const run = newRun({ key, text, family, indexes, path, isTool: options.bare });
    this.#runs.add(run);
    return run;
  }

  /** Restores a text of an event. */
  #restore(run: Run, json: string, text: string, rule: GrowthRule, final: boolean, isInAddress?: IsInAddress): string {
    const value = keptText(json, text);
    const grown = isGrown(run, value, rule);
    if (value !== '') run.previous = value;
    if (grown || run.isCumulative) {
      run.isCumulative = true;
      run.text.reset();
      run.whole = value;
    }
    this.#runs.weigh(run);
    // Text inserted after the event would lack its URL context, and the next event repeats all of it anyway.
    const isWhole = run.isCumulative && isInAddress !== undefined;
    return run.text.push(value, final || isWhole || !this.#held.mayHold(run, json.length), isInAddress);
  }

  /** Truncates a patched run's text; returns the displayed length that remains, undefined if unknown. */
  #truncate(run: Run, length: number, template: Template): number | undefined {
    if (length > run.whole.length || this.#cut >= cutMax) return undefined;
    this.#cut += length;
    const whole = run.whole.slice(0, length);
    startAnew(run);
    run.whole = whole;
    const shown = run.text.push(whole);
    this.#held.note(run, () => template);
    return shown.length;
  }

  /**
   * The event that outputs a run's held text. It repeats the last event's number, or a resuming client would skip one.
   */
  #synthesize(run: Run, isInAddress?: IsInAddress): SynthesizedEvent {
    let text: string;
    if (run.isCumulative) {
      run.text.reset();
      text = run.text.push(run.whole, true, isInAddress);
    } else {
      text = run.text.push('', true, isInAddress);
    }
    const template = run.template ?? { json: '""', name: undefined, pointer: '', sent: [] };
    this.#held.note(run, () => undefined);
    if (run.key.startsWith(textMark)) {
      const continues = template.at === undefined ? undefined : { at: template.at, pointer: undefined, text };
      return { json: text, name: run.key.slice(textMark.length) || undefined, isText: true, continues };
    }
    if (DeltaEncoding.isKey(run.key)) {
      return { json: this.#deltas.event(run.key, template.pointer, text), name: template.name };
    }
    const next = afterStart(template);
    const { at, pointer } = template;
    const continues = at === undefined || run.isCumulative ? undefined : { at, pointer, text };
    return { json: emptyEvent(next, text, this.#sequence, this.#formats), name: next.name, continues };
  }

  #noteSequence(scope: EventScope): void {
    const member = scope.root.member('sequence_number');
    if (member && !member.isString) this.#sequence = Number(member.value);
  }
}

/** The text of an event, without the event around it. */
function keptText(json: string, text: string): string {
  return json.length > longEvent ? ownCopy(text) : text;
}

/** The number of an event: `sequence_number` or `event_id`. */
function placeOf({ root }: EventScope): ResumePoint | undefined {
  const member = root.member('sequence_number') ?? root.member('event_id');
  return member?.isString ? member.value : member && Number(member.value);
}

function scan(json: string): JsonMember[] | undefined {
  try {
    return scanJson(json);
  } catch {
    return undefined;
  }
}
