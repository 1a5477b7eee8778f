/**
 * Puts values in place of tokens while an answer arrives in pieces, as the gateway does it on the wire: only an end that may
 * still become a token is held back. For the simulation; what the gateway itself restores (mangled spellings, addresses) is
 * told by /restore.
 */
import type { TokenMap } from './answers.ts';

export class StreamRestorer {
  readonly #map: TokenMap;
  readonly #tokens: readonly string[];
  #held = '';

  constructor(map: TokenMap) {
    this.#map = map;
    this.#tokens = Object.keys(map).sort((a, b) => b.length - a.length);
  }

  /** What is held back now. */
  get held(): string {
    return this.#held;
  }

  /** The pieces that can be shown after this one; `token` where one stood. */
  push(piece: string): { readonly text: string; readonly token?: string }[] {
    return this.#take(this.#held + piece, false);
  }

  end(): { readonly text: string; readonly token?: string }[] {
    return this.#take(this.#held, true);
  }

  #take(text: string, isEnd: boolean): { readonly text: string; readonly token?: string }[] {
    const shown: { readonly text: string; readonly token?: string }[] = [];
    let at = 0;
    for (;;) {
      const open = text.indexOf('[', at);
      if (open < 0) break;
      if (open > at) shown.push({ text: text.slice(at, open) });
      const token = this.#tokens.find((candidate) => text.startsWith(candidate, open));
      if (token !== undefined) {
        shown.push({ text: this.#map[token] ?? '', token });
        at = open + token.length;
        continue;
      }
      const rest = text.slice(open);
      if (!isEnd && this.#tokens.some((candidate) => candidate.startsWith(rest))) {
        this.#held = rest;
        return shown;
      }
      shown.push({ text: '[' });
      at = open + 1;
    }
    if (at < text.length) shown.push({ text: text.slice(at) });
    this.#held = '';
    return shown;
  }
}
