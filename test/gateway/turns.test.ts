import { expect, test } from 'vitest';
import { type Step, Turns } from '../../gateway/api/turns.ts';

test('calls of one turn run together after all reads; later ones in their own turn', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const call = async (name: string) => {
    seen.push(`${name} arrived`);
    await turns.next();
    seen.push(`${name} worked on`);
  };
  const first = call('a');
  await Promise.resolve();
  const second = call('b');
  await Promise.all([first, second]);
  await call('c');
  expect(seen).toEqual(['a arrived', 'b arrived', 'a worked on', 'b worked on', 'c arrived', 'c worked on']);
});

test('results of one turn are sent together, after the last is done', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const call = async (name: string, steps: number) => {
    await turns.next();
    for (let step = 0; step < steps; step++) await Promise.resolve();
    seen.push(`${name} done`);
    await turns.end();
    seen.push(`${name} left`);
  };
  await Promise.all([call('a', 0), call('b', 5)]);
  await call('c', 1);
  expect(seen).toEqual(['a done', 'b done', 'a left', 'b left', 'c done', 'c left']);
});

/** A call with two steps; reports each. */
const callOf = (name: string, seen: string[]): Step => {
  return () => {
    seen.push(`${name}1`);
    return () => {
      seen.push(`${name}2`);
      return undefined;
    };
  };
};

test('calls that arrive together run step by step; a single one does not wait', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  turns.take(callOf('a', seen), 'maybe');
  turns.take(callOf('b', seen), 'no');
  // Others came before it.
  turns.take(callOf('c', seen), 'yes');
  expect(seen).toEqual([]);
  await new Promise(setImmediate);
  expect(seen).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  turns.take(callOf('d', seen), 'yes');
  expect(seen.slice(6)).toEqual(['d1', 'd2']);
});

test('after single-call turns, calls do not wait except for samples; a caller may force waiting', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const waited: boolean[] = [];
  const one = async (isAlone: 'maybe' | 'no') => {
    const before = seen.length;
    turns.take(callOf('a', seen), isAlone);
    waited.push(seen.length === before);
    await new Promise(setImmediate);
  };
  for (let i = 0; i < 36; i++) await one('maybe');
  expect(waited.map(Number).join('')).toBe(`1111${'0'.repeat(15)}1${'0'.repeat(15)}1`);
  await one('no');
  expect(waited.at(-1)).toBe(true);
  // A turn with two calls: from then on calls wait again.
  turns.take(callOf('a', seen), 'no');
  turns.take(callOf('b', seen), 'maybe');
  await new Promise(setImmediate);
  await one('maybe');
  expect(waited.at(-1)).toBe(true);
  expect(seen).toHaveLength(2 * (waited.length + 2));
});
