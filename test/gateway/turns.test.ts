import { expect, test } from 'vitest';
import { Turns } from '../../gateway/api/turns.ts';

test('calls of one turn go on together, behind everything that was to be read; the next ones in a turn of their own', async () => {
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

test('what is done in one turn leaves together, after the last of it is done', async () => {
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
