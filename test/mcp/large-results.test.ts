/** Results near and above the limit of clients: the official client closes the connection at a message of 10 MiB. */
import { expect, test } from 'vitest';
import { call, connect, failure } from './client.ts';

test.each(['legacy', 'modern'] as const)('results of every length, protocol era %s', async (era) => {
  const client = await connect({ era });
  const { sessionId } = await call<{ sessionId: string }>(client, 'mask_pii', { text: 'Write to ana@example.com' });
  const restore = (text: string) => client.callTool({ name: 'restore_all', arguments: { text, sessionId } });

  // A text within the limit whose result is too long is an error; three bytes each in UTF-8.
  const message = await failure(client, 'restore_all', { text: '山'.repeat(3_300_000), sessionId });
  expect(message).toMatch(/^text: the result has 9\.4 MiB, and clients accept 9\.0\. Send the text in parts/);

  // The session stays alive, and a long result is sent completely and once.
  for (const text of ['x'.repeat(1_100_000), 'é'.repeat(4_600_000)]) {
    const { structuredContent, content, isError } = await restore(text);
    expect(isError).not.toBe(true);
    expect((structuredContent as { restored: string }).restored === text).toBe(true);
    expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/^The result is in structuredContent\./) }]);
  }

  // A short one is sent as text as well.
  const { structuredContent, content } = await restore('Hello');
  expect(structuredContent).toMatchObject({ restored: 'Hello' });
  expect(JSON.parse((content[0] as { text: string }).text)).toEqual(structuredContent);
});
