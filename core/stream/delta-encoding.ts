/**
 * Events that patch a document: `{"p": path, "o": operation, "v": value}` (chatgpt.com "v1", chat.deepseek.com).
 * `p` and `o` are left out where they are those of the event before, so every event has to be read in order.
 */
import type { JsonEdit, JsonMember } from '../payload/json-strings.ts';
import type { Ending, EventScope } from './run-key.ts';

/** One event in that encoding. */
export type DeltaEvent = {
  /** Key of the run that a string appends to; undefined for strings that are no piece of a run. */
  keyOf(member: JsonMember): string | undefined;
  /** Runs that end with the event: all when the message is finished, else those whose path does not go on. */
  ending(keys: Iterable<string>): Ending | undefined;
  /** Path and operation written into the event, for when another event was put before it. */
  spellOut(json: string): JsonEdit | undefined;
};

/** Remembers the path and operation of the last event. */
export class DeltaEncoding {
  #path = '';
  #operation = '';
  #channel = '';
  /** True from the first event in this encoding on. */
  isActive = false;

  /** The event in this encoding; undefined when it is none. */
  read(scope: EventScope, members: readonly JsonMember[], name: string | undefined): DeltaEvent | undefined {
    const { root } = scope;
    if (name === 'delta_encoding') this.isActive = true;
    if (root.isArray) return undefined;
    const p = root.member('p');
    const o = root.member('o');
    // A lone `p` is the padding of another provider.
    const hasValue =
      root.member('v') !== undefined ||
      members.some((member) => member.isKey && member.node === root && member.value === 'v');
    if (!hasValue) return undefined;
    const isPatch = this.isActive || p?.isString || o?.isString;
    if (!isPatch) return undefined;
    this.isActive = true;
    if (p?.isString) this.#path = p.value;
    if (o?.isString) this.#operation = o.value;
    const c = root.member('c');
    if (c) this.#channel = c.value;
    const path = this.#path;
    const operation = this.#operation;
    const channel = this.#channel;
    let finished = false;
    const touched = new Set<string>();
    const key = (where: string) => `delta|${channel}|${where}`;
    const keyOf = (member: JsonMember): string | undefined => {
      if (!member.isString || member.isKey || member.key !== 'v') return undefined;
      let where = path;
      let how = operation;
      if (member.node !== root) {
        // An element of `v` of a patch.
        if (member.node.parent?.key !== 'v' || member.node.parent.parent !== root) return undefined;
        where += member.node.member('p')?.value ?? '';
        how = member.node.member('o')?.value ?? how;
      }
      if (/\/status$/.test(where) && member.value.toLowerCase().startsWith('finished')) finished = true;
      touched.add(key(where));
      return how === 'append' || how === 'APPEND' || how === '' ? key(where) : undefined;
    };
    return {
      keyOf,
      ending(keys) {
        const ended = finished
          ? [...keys]
          : [...keys].filter((known) => known.startsWith(`delta|${channel}|`) && !touched.has(known));
        return ended.length === 0 ? undefined : { all: finished, paths: [], keys: ended };
      },
      spellOut(json) {
        const missing = [
          ...(p ? [] : [`"p":${JSON.stringify(path)}`]),
          ...(o ? [] : [`"o":${JSON.stringify(operation)}`]),
        ];
        if (missing.length === 0) return undefined;
        const at = json.indexOf('{') + 1;
        return { start: at, end: at, literal: `${missing.join()},` };
      },
    };
  }

  /** An event that appends a text to the run with that key; path and operation are spelled out. */
  event(key: string, text: string): string {
    const [, channel = '', path = ''] = key.split('|');
    // A number or a string in the original; it is optional, so only a number is repeated.
    const c = /^\d+$/.test(channel) && channel !== this.#channel ? `,"c":${channel}` : '';
    return `{"p":${JSON.stringify(path)},"o":"append","v":${JSON.stringify(text)}${c}}`;
  }
}
