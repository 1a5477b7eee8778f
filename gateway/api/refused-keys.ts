/** Rejects dangerous keys in bodies: copying an object with them would modify the prototype of all objects. */

import { PrivetError } from '../../core/errors.ts';
import { parseJson } from '../../core/parsing.ts';

/** The error for a valid JSON body with such a key; undefined if it is not JSON. */
export function refusedKey(body: string): PrivetError | undefined {
  const key = refusedKeyIn(body);
  if (key === undefined) return undefined;
  return new PrivetError('invalid_json', `The body has the key "${key}", which is not allowed.`, {
    hint: 'Remove or rename the key.',
  });
}

function refusedKeyIn(body: string): string | undefined {
  const waiting: unknown[] = [parseJson(body)];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return '__proto__';
    const made: unknown = Object.hasOwn(value, 'constructor') ? value.constructor : null;
    if (typeof made === 'object' && made !== null && Object.hasOwn(made, 'prototype')) return 'constructor';
    for (const part of Object.values(value)) if (typeof part === 'object') waiting.push(part);
  }
  return undefined;
}
