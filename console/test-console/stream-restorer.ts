/** Restores values while an answer streams, with the gateway's own code: held-back text and spellings are the same. */
import { TextRun } from '../../core/stream/text-run.ts';
import type { TokenMap } from '../../gateway/api/fields.ts';

/** A piece of shown text; `token` if it is a restored value. */
export type ShownPiece = { readonly text: string; readonly token?: string };

/** Markers around restored values, from the private use area, so that no text contains them (Unicode §23.5). */
const [before, behind] = ['\ue000', '\ue001'];
const value = new RegExp(`${before}([^${behind}]*)${behind}`);

export class StreamRestorer {
  readonly #run: TextRun;
  readonly #tokens: ReadonlyMap<string, string>;

  constructor(map: TokenMap) {
    const entries = Object.entries(map);
    this.#tokens = new Map(entries.map(([token, value]) => [value, token]));
    this.#run = new TextRun({
      map: new Map(entries),
      bare: false,
      plainOnly: true,
      count: { restored: 0, unresolved: 0 },
      encode: (value) => before + value + behind,
    });
  }

  /** The text held back now. */
  get held(): string {
    return this.#run.carry;
  }

  /** The pieces that can be shown after this one. */
  push(piece: string): ShownPiece[] {
    return this.#shown(this.#run.push(piece));
  }

  end(): ShownPiece[] {
    return this.#shown(this.#run.push('', true));
  }

  #shown(text: string): ShownPiece[] {
    return text
      .split(value)
      .map((part, i) => (i % 2 === 0 ? { text: part } : { text: part, token: this.#tokens.get(part) ?? '' }))
      .filter(({ text }) => text !== '');
  }
}
