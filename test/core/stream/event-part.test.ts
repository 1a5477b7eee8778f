import { expect, it } from 'vitest';
import { StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { tokenMap } from './wire-fixtures.ts';

const megabyte = 1024 * 1024;

it('large events that were sent unread are not kept', () => {
  const restorer = new StreamRestorer({ kind: 'sse', map: tokenMap({ '[EMAIL-1]': 'a@b.example' }) });
  const event = { choices: [{ index: 0, delta: { audio: { id: 'a', data: 'QUJD'.repeat(megabyte / 4) } } }] };
  const bytes = new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`);
  const kept = () => {
    collectGarbage();
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = kept();
  for (let at = 0; at < 40; at++) expect(restorer.push(bytes).length).toBe(bytes.length);
  expect(kept() - before).toBeLessThan(20 * megabyte);
});
