import type { Keys } from '../formats/agents.ts';
import { wireFormats } from '../formats/index.ts';

/** `messages[3].content[0]`, for display and events; shows only protocol names. */
export function pointerOf(keys: Keys): string {
  let pointer = '';
  for (const key of keys) {
    if (typeof key === 'number') pointer += `[${key}]`;
    else pointer += (pointer === '' ? '' : '.') + (wireFormats.agents.shown.has(key) ? key : '…');
  }
  return pointer;
}
