/** Accounts for the texts that a stream holds back. Each keeps the event in which it is sent later. */
import type { Run, Template } from './run.ts';

// More texts than this do not go on at the same time.
const heldMax = 500;
/** Total size of the events, because every one of them may be sent for a few letters. */
const sizeMax = 262_144;
/** The event is searched for each piece that was sent. */
const pieceSize = 64;

/** The held texts of one stream. */
export class HeldTexts {
  #count = 0;
  #size = 0;

  /** Number of runs that hold text. */
  get count(): number {
    return this.#count;
  }

  /** True if the run may hold text of an event of this length; one run always may. */
  mayHold({ held, template }: Run, length: number): boolean {
    const others = this.#count - (held ? 1 : 0);
    const size = this.#size - sizeOf(template) + length;
    return others === 0 || (size <= sizeMax && others < heldMax);
  }

  /** Records whether the run holds text, with the event in which it is sent. */
  note(run: Run, template: () => Template | undefined): void {
    const held = run.text.carry !== '';
    this.#size -= sizeOf(run.template);
    if (held !== run.held) this.#count += held ? 1 : -1;
    run.held = held;
    run.template = held ? template() : undefined;
    this.#size += sizeOf(run.template);
  }
}

function sizeOf(template: Template | undefined): number {
  return template === undefined ? 0 : template.json.length + pieceSize * template.sent.length;
}
