/**
 * Actions by type, custom recognizers, the hook, spans, and texts in pieces: options of createPrivet other than types.
 */
import { trace } from '@opentelemetry/api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPrivet, type MaskEvent } from '../../sdk/index.ts';

const mail = 'hanako@example.com';
const card = '4111 1111 1111 1111';
const hashKey = 'a key that is long enough';

describe('actions', () => {
  test('every way to mask applies them, and only tokens are restored', async () => {
    const privet = createPrivet({ actions: { CREDIT_CARD: 'mask', PHONE: 'redact' } });
    const text = `Mail ${mail}, card ${card}, call 03-1234-5678.`;
    const masked = await privet.mask(text, { tokenFormat: 'counter' });
    expect(masked.masked).toBe('Mail [EMAIL-1], card ****1111, call [PHONE].');
    expect(masked.tokenMap).toEqual({ '[EMAIL-1]': mail });
    expect((await privet.restoreAll(masked.masked, masked)).restored).toBe(
      `Mail ${mail}, card ****1111, call [PHONE].`,
    );

    const told = await privet.maskMessages([{ role: 'user', content: text }], { tokenFormat: 'counter' });
    expect(told.messages[0]?.content).toBe(masked.masked);
    expect([told.tokenMap, told.counts]).toEqual([{ '[EMAIL-1]': mail }, { EMAIL: 1, CREDIT_CARD: 1, PHONE: 1 }]);

    const { body } = await privet.maskBody(JSON.stringify({ messages: [{ role: 'user', content: text }] }), {
      contentType: 'application/json',
      tokenFormat: 'counter',
    });
    expect(JSON.parse(body as string).messages[0].content).toBe(masked.masked);
  });

  test('a call may override them, and block refuses it before anything is stored', async () => {
    const privet = createPrivet({ actions: { EMAIL: 'redact' }, hashKey });
    expect((await privet.mask(mail, { actions: { EMAIL: { replace: 'someone' } } })).masked).toBe('someone');
    expect((await privet.mask(mail, { actions: { CONTACT: 'hash' } })).masked).toBe('[EMAIL]');
    const [a, b] = await Promise.all([1, 2].map(() => privet.mask(mail, { actions: { EMAIL: 'hash' } })));
    expect(a?.masked).toMatch(/^\[EMAIL#[0-9a-f]{16}\]$/);
    expect(a?.masked).toBe(b?.masked);
    await expect(
      privet.mask(`${mail} ${card}`, { actions: { FINANCE: 'block' }, sessionId: 's' }),
    ).rejects.toMatchObject({
      code: 'blocked_by_policy',
    });
    expect(await privet.tokens('s')).toBeUndefined();
  });

  test('invalid ones are refused at once', () => {
    expect(() => createPrivet({ actions: { EMAIL: 'hash' } })).toThrow(/needs a key/);
    expect(() => createPrivet({ actions: { MAIL: 'redact' } })).toThrow(/MAIL/);
    expect(() => createPrivet({ actions: [] as never })).toThrow(/actions/);
  });
});

test('custom recognizers apply to every call, and their false positives are ignored', async () => {
  const recognizers = [{ type: 'EMPLOYEE_ID', forms: ['/E-\\d{6}/'], allow: ['E-000000'] }];
  const privet = createPrivet({ recognizers, types: ['EMAIL', 'EMPLOYEE_ID'] });
  const { masked } = await privet.mask('E-123456, E-000000', { tokenFormat: 'counter' });
  expect(masked).toBe('[EMPLOYEE_ID_1], E-000000');
  expect(privet.detect('K-1', { recognizers: [{ type: 'K', forms: ['/K-\\d/'] }] }).count).toBe(1);
  expect(() => createPrivet({ recognizers: [{ type: 'x', forms: [] }] })).toThrow(/^recognizers\[0\]\.type/);
});

test('onMask receives counts and the session, but no value', async () => {
  const events: MaskEvent[] = [];
  const privet = createPrivet({ onMask: (event) => events.push(event) });
  const { sessionId } = await privet.mask(`${mail} ${card}`);
  await privet.maskMessages([{ role: 'user', content: mail }], { sessionId });
  await privet.maskBody(mail, { sessionId, contentType: 'text/plain' });
  expect(events).toEqual([
    { call: 'mask', sessionId, counts: { EMAIL: 1, CREDIT_CARD: 1 } },
    { call: 'maskMessages', sessionId, counts: { EMAIL: 1 } },
    { call: 'maskBody', sessionId, counts: { EMAIL: 1 } },
  ]);
});

test('with OpenTelemetry there are spans with counts, and no value', async () => {
  type Kept = { name: string; attributes: Record<string, unknown>; status?: number; ended: boolean };
  const spans: Kept[] = [];
  const startSpan = (name: string) => {
    const span: Kept = { name, attributes: {}, ended: false };
    spans.push(span);
    return {
      setAttribute(key: string, value: unknown) {
        span.attributes[key] = value;
      },
      setStatus({ code }: { code: number }) {
        span.status = code;
      },
      end() {
        span.ended = true;
      },
    };
  };
  // The real package registers it, as an SDK of OpenTelemetry does.
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) } as never);
  onTestFinished(() => trace.disable());
  const privet = createPrivet({ actions: { SSN: 'block' } });
  const masked = await privet.mask(`${mail} ${mail} ${card}`);
  await privet.restoreAll(masked.masked, masked);
  await privet.mask('SSN 078-05-1121').catch(() => undefined);
  expect(spans).toEqual([
    { name: 'privet.mask', attributes: { 'privet.values': 3, 'privet.types': ['EMAIL', 'CREDIT_CARD'] }, ended: true },
    { name: 'privet.restore', attributes: { 'privet.values': 3, 'privet.types': ['restored'] }, ended: true },
    { name: 'privet.mask', attributes: {}, status: 2, ended: true },
  ]);
});

describe('maskStream', () => {
  async function* pieces(text: string, length: number) {
    for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
  }

  test.each([1, 7, 64, 1_000, 100_000])('pieces of %i characters yield the same as the whole', async (length) => {
    const sentence = (i: number) =>
      `Number ${i}: write to user${i}@example.com or pay with ${card}, please. Nothing else is to be done today. `;
    const text = Array.from({ length: 60 }, (_, i) => sentence(i)).join('');
    const privet = createPrivet({ types: ['EMAIL', 'CREDIT_CARD'] });
    const out: string[] = [];
    for await (const piece of privet.maskStream(pieces(text, length), { sessionId: 's', tokenFormat: 'counter' })) {
      out.push(piece);
    }
    const masked = out.join('');
    expect(masked).not.toMatch(/@example|4111/);
    expect((await privet.restoreAll(masked, { sessionId: 's' })).restored).toBe(text);
    expect(masked).toBe(
      (await createPrivet({ types: ['EMAIL', 'CREDIT_CARD'] }).mask(text, { tokenFormat: 'counter' })).masked,
    );
    expect(out.length).toBeGreaterThan(1);
  });
});
