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

/** The replacements in the runs of one stream. */
export class RunOffsets {
  /** Replacements by run, including ended runs: their offsets may arrive later. */
  readonly #known = new Map<string, { readonly run: Run; readonly shifts: TextShifts }>();

  /** Where a choice's text starts, by the path of its token offsets. */
  readonly #bases = new Map<string, number>();

  /** True if no run has replacements. */
  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  /** Records a run with replacements. */
  note(run: Run): void {
    const { shifts } = run.text;
    if (shifts.isEmpty || this.#known.get(run.key)?.shifts === shifts || this.#known.size >= runsMax) return;
    this.#known.set(run.key, { run, shifts });
  }

  /** The edits for the offsets that change. */
  edits({ scope, members, deltas, edited }: EventTexts): JsonEdit[] {
    const edits: JsonEdit[] = [];
    const { formats } = scope;
    const texts = members.filter((member) => isAnswerText(member, formats));
    for (const offset of members) {
      if (!isTextOffset(offset, formats)) continue;
      const base = isTokenOffset(offset, formats) ? this.#baseOf(offset, formats) : 0;
      const text = textOfOffset(offset, texts, formats);
      const run = text && deltas.find(({ member }) => member === text)?.run;
      let shifts: TextShifts | undefined;
      if (run || !text) {
        shifts = run?.text.shifts ?? this.#runOf(scope, offset);
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
  #runOf(scope: EventScope, offset: JsonMember): TextShifts | undefined {
    const known = [...this.#known.values()].filter(
      ({ run }) => !run.isTool && !/thinking|reasoning|thought/.test(run.key),
    );
    const { formats } = scope;
    const content = offset.node.member('content_index')?.value;
    const indexes = content !== undefined || scope.facts.isNumbered ? [] : scope.indexes;
    const contentIndexes = content === undefined ? [] : [`index=${content}`, `content_index=${content}`];
    const choice = formats.choice.exec(keyedPath(offset.node, formats))?.[0];
    const found =
      known.find(({ run }) => indexes.length > 0 && indexes.every((index) => run.indexes.includes(index))) ??
      known.find(({ run: { indexes: own } }) => own.some((index) => contentIndexes.includes(index))) ??
      known.find(({ run }) => choice !== undefined && run.path.startsWith(choice)) ??
      (indexes.length === 0 && content === undefined && choice === undefined ? known[0] : undefined);
    return found?.shifts;
  }
}

function shiftsOf(text: JsonMember, edits: readonly TextEdit[] | undefined, inBytes: boolean): TextShifts | undefined {
  if (!edits) return undefined;
  if (inBytes) return TextShifts.inBytes(text.value, edits);
  const shifts = new TextShifts();
  for (const { start, end, value } of edits) shifts.add(start, end, value.length);
  return shifts;
}
