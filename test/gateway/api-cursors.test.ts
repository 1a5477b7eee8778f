/**
 * Cursors on every store and its real server: a returned one continues the list, and all stores reject invalid ones
 * alike.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { startApi } from './api-under-test.ts';
import { storeUnderTest } from './stores/stores-under-test.ts';

const event = (i: number) => ({
  at: Date.UTC(2026, 10, 1) + i,
  subject: 'ann',
  service: 'chatgpt',
  action: 'allow',
  fields: { requestId: `r${i}` },
});

/** The same bytes in more letters, or more bytes. */
const longer = (cursor: string) => ['A', 'AA', 'AAA', 'AAAA'].map((rest) => cursor + rest);

describe.each(['memory', 'sqlite', 'redis', 'postgres'] as const)('%s', (kind) => {
  const under = storeUnderTest(kind);

  test('a cursor works in its own list only, and an invalid one is 422', async () => {
    const stores = await under.open();
    const { call, post } = await startApi({ stores });
    await stores.events.append(Array.from({ length: 3 }, (_, i) => event(i)));
    // Redis returns sessions in groups, and there must be several.
    for (let i = 0; i < 40; i++) await post('/mask', { text: 'ana@example.com' });
    const given = new Map<string, string>();
    for (const list of ['events', 'sessions']) {
      const seen: string[] = [];
      let next: string | undefined;
      do {
        const path = `/admin/${list}?limit=2${next === undefined ? '' : `&cursor=${next}`}`;
        const { status, body } = await call(path);
        expect(status).toBe(200);
        seen.push(...body[list].map((one: { requestId?: string; id?: string }) => one.requestId ?? one.id));
        next = body.next;
        if (next !== undefined) given.set(list, next);
      } while (next !== undefined);
      expect(new Set(seen).size).toBe(list === 'events' ? 3 : 40);
    }
    const [ofEvents = '', ofSessions = ''] = [given.get('events'), given.get('sessions')];
    const wrong = ['zzzz', 'a%00b', 'a:b', '5', '0-1', '1.1', '%F0%9F%98%80', 'x'.repeat(1_501), '-1', ''];
    for (const [list, cursors] of [
      ['events', [...wrong, ofSessions, ofEvents.slice(1), ...longer(ofEvents)]],
      ['sessions', [...wrong, ofEvents, ofSessions.slice(1), ...longer(ofSessions)]],
    ] as const) {
      for (const cursor of cursors) {
        const { status, body } = await call(`/admin/${list}?cursor=${cursor}`);
        expect([list, cursor, status, body.error?.details?.[0]?.field]).toEqual([list, cursor, 422, 'cursor']);
      }
    }
  });

  test('a live view resumed with an unknown id starts now', async () => {
    const stores = await under.open();
    const { host, port } = await startApi({ stores });
    const { key } = await (await startApi({ stores })).accounts.createKey({ name: 'ann', role: 'admin' });
    const leave = new AbortController();
    onTestFinished(() => leave.abort());
    const answer = await fetch(`http://${host}:${port}/admin/events/tail`, {
      headers: { authorization: `Bearer ${key}`, 'last-event-id': 'zzzz' },
      signal: leave.signal,
    });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    const until = async (what: RegExp) => {
      while (!what.test(text)) text += new TextDecoder().decode((await reader.read()).value);
    };
    await until(/id: [\w-]+\n\n/);
    await stores.events.append([event(77)]);
    await until(/"requestId":"r77"/);
  });
});
