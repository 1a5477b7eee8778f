/** Joins the pieces of tool calls in model responses, which the declarations of the formats read. */
import type { AnswerEvent, CallPiece } from '../formats/agents.ts';
import { isObject, parseJson } from '../parsing.ts';
import { type ToolRef, toolRefOf } from './tool-names.ts';

/** A call as received so far. */
export type ModelCall = ToolRef & { readonly calledAs: string; readonly arguments: string; readonly isMade: boolean };

/** Joins the pieces of calls; returns each call once, when it is complete. */
export class OpenCalls {
  readonly #open = new Map<string, { name: string; text: string; isMade: boolean }>();
  readonly #ended = new Set<string>();

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Total length of the arguments, in characters. */
  get size(): number {
    let size = 0;
    for (const { text } of this.#open.values()) size += text.length;
    return size;
  }

  /** Calls whose name starts in these pieces. */
  begun(pieces: readonly CallPiece[]): ModelCall[] {
    return pieces.flatMap(({ key, name, isMade = false }) => {
      if (name === undefined || this.#ended.has(key)) return [];
      const known = this.#open.get(key);
      return known === undefined || known.name === '' ? [callOf(name, '', isMade)] : [];
    });
  }

  /** Adds an event's pieces; returns the calls that it completes. */
  add({ pieces, endsAll, of = '' }: AnswerEvent): ModelCall[] {
    const whole: ModelCall[] = [];
    for (const { key, name, arguments: text, ends = false, mayRepeat = false, isMade = false } of pieces) {
      if (this.#ended.has(key)) continue;
      let call = this.#open.get(key);
      if (call === undefined) {
        if (name === undefined && text === undefined) continue;
        call = { name: '', text: '', isMade };
        this.#open.set(key, call);
      }
      // Names arrive complete, or are repeated at the end of the item.
      if (name !== undefined && call.name === '') call.name = name;
      if (text !== undefined) call.text = ends && text.length >= call.text.length ? text : call.text + text;
      if (!ends) continue;
      whole.push(...this.#end(key));
      if (!mayRepeat) this.#ended.add(key);
    }
    if (endsAll) {
      for (const key of [...this.#open.keys()]) if (key.startsWith(of)) whole.push(...this.#end(key));
      // The next response on the connection numbers its calls from the start.
      this.#ended.clear();
    }
    return whole;
  }

  #end(key: string): ModelCall[] {
    const { name, text, isMade } = this.#open.get(key) ?? { name: '', text: '', isMade: false };
    this.#open.delete(key);
    const call = callOf(name, text, isMade);
    return [call, ...innerCalls(call)];
  }
}

function callOf(calledAs: string, text: string, isMade: boolean): ModelCall {
  return { ...toolRefOf(calledAs), calledAs, arguments: text, isMade };
}

/** A tool that nobody offers: some models wrap several calls into one, and packages unwrap them again. */
const wrapper = /^(?:multi_tool_use\.)?parallel$/;

/** Maximum number of wrappers in one another. */
const wrappersMax = 8;

function innerCalls({ calledAs, arguments: text, isMade }: ModelCall, depth = 0): ModelCall[] {
  const calls = depth < wrappersMax && wrapper.test(calledAs) ? parseJson(text) : undefined;
  const { tool_uses: uses } = isObject(calls) ? calls : {};
  if (!Array.isArray(uses)) return [];
  return uses.filter(isObject).flatMap(({ recipient_name: name, parameters = {} }) => {
    if (typeof name !== 'string') return [];
    const inner = typeof parameters === 'string' ? parameters : JSON.stringify(parameters);
    const call = callOf(name.replace(/^functions\./, ''), inner, isMade);
    return [call, ...innerCalls(call, depth + 1)];
  });
}
