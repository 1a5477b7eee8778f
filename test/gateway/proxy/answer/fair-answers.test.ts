/** Large answers are processed in turn, by client. */
import { expect, test, vi } from 'vitest';

// One heavy job at a time, however many processors there are.
vi.stubEnv('PRIVET_WORKER_COUNT', '1000');
const { open, push } = await import('./opened-restorer.ts');

test('the answer of one client does not wait for all those of another', async () => {
  const document = JSON.stringify({ text: 'Nothing to see here. '.repeat(120_000), to: '[EMAIL-1]' });
  const order: string[] = [];
  const restored = ['ann', 'ann', 'ann', 'bob'].map(async (client) => {
    const run = open('document', { bytesMax: 1e8, client });
    push(run, document);
    run.restorer.end();
    await run.ended;
    order.push(client);
    expect(run.output()).toContain('ann@corp.example');
  });
  await Promise.all(restored);
  expect(order).toEqual(['ann', 'bob', 'ann', 'ann']);
});
