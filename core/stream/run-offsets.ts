/** Adjusts the offsets in events, into their own text or into a run, for preceding replacements. */
import type { WireFormats } from '../formats/wire-formats.ts';
import type { JsonEdit, JsonMember } from '../payload/json-strings.ts';
import {
  isAnswerText,
  isTextOffset,
  isTokenOffset,
  shiftedOffset,
  type TextEdit,
  TextShifts,
  textOfOffset,
} from '../payload/offsets.ts';
import type { Run } from './run.ts';
import { type EventScope, keyedPath } from './run-key.ts';

/** The texts of an event that has offsets. */
export type EventTexts = {
  readonly scope: EventScope;
  readonly members: readonly JsonMember[];
  /** The event's pieces of runs. */
  readonly deltas: readonly { readonly member: JsonMember; readonly run: Run }[];
  /** Replacements in the event's other texts. */
  readonly edited: ReadonlyMap<JsonMember, readonly TextEdit[]>;
};

// More runs with replacements than this are not a conversation.
const runsMax = 2000;

/** A run with replacements; not the run itself, which keeps its last text. */
type KnownRun = Pick<Run, 'indexes'> & { readonly at: number; shifts: TextShifts };

/** The replacements in the runs of one stream. */
export class RunOffsets {
  /** Replacements by run, including ended runs: their offsets may arrive later. */
  readonly #known = new Map<string, KnownRun>();
  /** The runs of the answer's text: all, those with an index, and the first one of a choice. */
  readonly #texts: KnownRun[] = [];
  readonly #byIndex = new Map<string, KnownRun[]>();
  readonly #byChoice = new Map<string, KnownRun>();

  /** Where a choice's text starts, by the path of its token offsets. */
  readonly #bases = new Map<string, number>();

  /** True if no run has replacements. */
  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  /** Records a run with replacements. */
  note(run: Run, { choice }: WireFormats): void {
    const { shifts } = run.text;
    if (shifts.isEmpty) return;
    const before = this.#known.get(run.key);
    if (before) before.shifts = shifts;
    if (before || this.#known.size >= runsMax) return;
    const known = { indexes: run.indexes, at: this.#known.size, shifts };
    this.#known.set(run.key, known);
    if (run.isTool || /thinking|reasoning|thought/.test(run.key)) return;
    this.#texts.push(known);
    for (const index of known.indexes) {
      const others = this.#byIndex.get(index);
      if (others) others.push(known);
      else this.#byIndex.set(index, [known]);
    }
    const own = choice.exec(run.path)?.[0];
    if (own !== undefined && !this.#byChoice.has(own)) this.#byChoice.set(own, known);
  }

  /** The edits for the offsets that change. */
  edits({ scope, members, deltas, edited }: EventTexts): JsonEdit[] {
    const edits: JsonEdit[] = [];
    const { formats } = scope;
    const texts = members.filter((member) => isAnswerText(member, formats));
    const runs = new Map(deltas.map(({ member, run }) => [member, run]));
    let ofIndexes: KnownRun | undefined | null = null;
    const ofEvent = () => (ofIndexes = ofIndexes === null ? this.#withAll(scope.indexes) : ofIndexes);
    for (const offset of members) {
      if (!isTextOffset(offset, formats)) continue;
      const base = isTokenOffset(offset, formats) ? this.#baseOf(offset, formats) : 0;
      const text = textOfOffset(offset, texts, formats);
      const run = text && runs.get(text);
      let shifts: TextShifts | undefined;
      if (run || !text) {
        shifts = run?.text.shifts ?? this.#runOf(scope, offset, ofEvent);
      } else {
        shifts = shiftsOf(text, edited.get(text), formats.isByteOffset(offset.path));
      }
      if (!shifts || shifts.isEmpty) continue;
      const literal = shiftedOffset(offset, shifts, base);
      edits.push({ start: offset.start, end: offset.end, literal });
    }
    return edits;
  }

  /** The offset at which a choice's text starts: completions count tokens from the start of the prompt. */
  #baseOf(offset: JsonMember, formats: WireFormats): number {
    const choice = keyedPath(offset.node, formats);
    const base = this.#bases.get(choice) ?? Number(offset.value);
    if (this.#bases.size < runsMax) this.#bases.set(choice, base);
    return base;
  }

  /** The run of an offset without an adjacent text: same indexes, else same choice, else the first run. */
  #runOf(scope: EventScope, offset: JsonMember, ofEvent: () => KnownRun | undefined): TextShifts | undefined {
    const { formats } = scope;
    const content = offset.node.member('content_index')?.value;
    const usesIndexes = content === undefined && !scope.facts.isNumbered && scope.indexes.length > 0;
    const choice = formats.choice.exec(keyedPath(offset.node, formats))?.[0];
    const found =
      (usesIndexes ? ofEvent() : undefined) ??
      (content === undefined ? undefined : this.#ofContent(content)) ??
      (choice === undefined ? undefined : this.#byChoice.get(choice)) ??
      (!usesIndexes && content === undefined && choice === undefined ? this.#texts[0] : undefined);
    return found?.shifts;
  }

  #withAll(indexes: readonly string[]): KnownRun | undefined {
    const [first = ''] = indexes;
    return this.#byIndex.get(first)?.find((known) => indexes.every((index) => known.indexes.includes(index)));
  }

  #ofContent(content: string): KnownRun | undefined {
    const one = this.#byIndex.get(`index=${content}`)?.[0];
    const other = this.#byIndex.get(`content_index=${content}`)?.[0];
    return one && other && other.at < one.at ? other : (one ?? other);
  }
}

function shiftsOf(text: JsonMember, edits: readonly TextEdit[] | undefined, inBytes: boolean): TextShifts | undefined {
  if (!edits) return undefined;
  if (inBytes) return TextShifts.inBytes(text.value, edits);
  const shifts = new TextShifts();
  for (const { start, end, value } of edits) shifts.add(start, end, value.length);
  return shifts;
}
