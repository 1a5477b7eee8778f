/** Tickets, and when users are asked; the page in a browser is in test/e2e/coaching.test.ts. */
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { plainBrand } from '../../../../gateway/portal/brand.ts';
import { Coach, type CoachSettings, type Occasion } from '../../../../gateway/proxy/admit/coach.ts';
import { coachPage } from '../../../../gateway/proxy/admit/coach-page.ts';
import { type CoachTicket, readTicket, signTicket } from '../../../../gateway/proxy/admit/coach-token.ts';
import { Acknowledgements, ticketMsMax } from '../../../../gateway/stores/acknowledgements.ts';
import { openMemoryStores } from '../../../../gateway/stores/memory.ts';
import { Policy } from '../../../../policy/decide.ts';
import type { PolicyDecision } from '../../../../policy/decision.ts';
import { ServiceRegistry } from '../../../../policy/registry.ts';
import { silentLog } from '../../stores/silent-log.ts';

const secret = Buffer.alloc(32, 7);
const ticket: CoachTicket = {
  subject: 'ann',
  origin: 'https://seen.example',
  scope: 'service seen',
  ttlMs: 60_000,
  path: '/a?b=c',
  issuedAt: 1_000_000,
};
const expected = { subject: 'ann', origin: 'https://seen.example', secret, now: 1_000_000 };

describe('a ticket', () => {
  test.each<[string, Partial<typeof expected>, boolean]>([
    ['as issued', {}, true],
    ['just in time', { now: ticket.issuedAt + ticketMsMax }, true],
    ['too late', { now: ticket.issuedAt + ticketMsMax + 1 }, false],
    ['from the future', { now: ticket.issuedAt - 120_000 }, false],
    ['another person', { subject: 'bob' }, false],
    ['another host', { origin: 'https://other.example' }, false],
    ['another scheme', { origin: 'http://seen.example' }, false],
    ['another port', { origin: 'https://seen.example:8443' }, false],
    ['another secret', { secret: Buffer.alloc(32, 8) }, false],
  ])('%s', (_name, changed, isGood) => {
    expect(readTicket(signTicket(ticket, secret), { ...expected, ...changed })).toEqual(isGood ? ticket : undefined);
  });

  test('no changed letter, and no other text, is a valid ticket', () => {
    const good = signTicket(ticket, secret);
    const last = good.length - 1;
    fc.assert(
      // The last letter of base64url has unused bits.
      fc.property(fc.nat(last - 1), fc.constantFrom('A', 'B', '.', '-', 'z'), (at, letter) => {
        const changed = good.slice(0, at) + letter + good.slice(at + 1);
        expect(readTicket(changed, expected)).toEqual(changed === good ? ticket : undefined);
      }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => void expect(readTicket(text, expected)).toBeUndefined()),
    );
    expect(readTicket(`${good}.`, expected)).toBeUndefined();
  });
});

test('everything on the page is text', () => {
  const evil = '"><script>alert(1)</script><img src=x onerror=y>';
  fc.assert(
    fc.property(fc.constantFrom('host', 'text', 'contact', 'ticket', 'action'), (field) => {
      const base = {
        language: 'en' as const,
        brand: plainBrand,
        host: 'x.example',
        service: undefined,
        alternatives: [],
        text: 't',
        contact: 'c',
        ttlMs: 1,
        needsReason: false,
        action: '/',
        ticket: 'x',
      };
      const page = coachPage({ ...base, [field]: evil });
      expect(page).not.toContain('<script');
      expect(page).not.toContain('<img');
      expect(page).not.toContain('x"><');
    }),
  );
});

const registry = new ServiceRegistry();
registry.add({ service_name: 'Seen', domain: 'seen.example', kind: 'chat', category: 'monitoring' });
registry.add({ service_name: 'Good <b>', domain: 'good.example', kind: 'chat', category: 'approved' });
const policy = new Policy({
  registry,
  config: {
    unknown: 'allow',
    inspect: { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' },
    coach: true,
    coach_ttl: 60_000,
    bypass: [],
    rules: [],
  },
});

function coachUnderTest(over: Partial<CoachSettings> = {}) {
  let now = 1_000_000;
  const results: string[] = [];
  const stores = openMemoryStores({ ttlMs: 0 });
  const acknowledgements = new Acknowledgements({ stores, log: silentLog, now: () => now });
  onTestFinished(async () => {
    acknowledgements.close();
    await stores.close();
  });
  const settings = { programs: 'header', reason: 'optional', text: null, contact: null, ...over } as const;
  const coach = new Coach({
    acknowledgements,
    registry,
    secret: () => secret,
    settings: () => settings,
    onResult: (result) => results.push(result),
    now: () => now,
  });
  const decide = (occasion: Occasion): PolicyDecision =>
    policy.decide({ host: 'seen.example', port: 443, ...occasion });
  const at = { scheme: 'https', host: 'seen.example', port: 443 } as const;
  const asked = (method: string, fields: Record<string, string>, subject = 'ann') => ({
    decision: decide({ path: '/a', method: 'GET', size: 0 }),
    decide,
    client: { address: '10.0.0.1', subject },
    target: { ...at, path: '/a' },
    method,
    rawHeaders: Object.entries(fields).flat(),
  });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return {
    coach,
    results,
    asked,
    pass: (ms: number) => (now += ms),
    navigate: (subject = 'ann') =>
      coach.ask(asked('GET', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, subject)),
    post: (body: string, subject = 'ann', fields = {}) =>
      coach.serve(
        { ...asked('POST', { ...form, ...fields }, subject), target: { ...at, path: '/.privet/coach' } },
        Readable.from([Buffer.from(body)]),
      ),
  };
}
const ticketOf = (verdict: unknown): string =>
  encodeURIComponent(
    /name="ticket" value="([^"]+)"/.exec((verdict as { answer: { body: string } }).answer.body)?.[1] ?? '',
  );

describe('coached users', () => {
  test('once per coach_ttl and person', async () => {
    const { navigate, post, pass, results } = coachUnderTest();
    const page = await navigate();
    expect((page as { answer: { body: string } }).answer.body).toContain('Good &lt;b&gt;</a>');
    expect(await post(`ticket=${ticketOf(page)}&reason=work`)).toMatchObject({
      answer: { status: 303, headers: ['Location', '/a', 'Cache-Control', 'no-store'] },
      justification: 'work',
    });
    expect(await navigate()).toBeUndefined();
    expect(await navigate('bob')).toMatchObject({ answer: { status: 403 } });
    pass(59_999);
    expect(await navigate()).toBeUndefined();
    pass(2);
    expect(await navigate()).toMatchObject({ answer: { status: 403 } });
    expect(results).toEqual(['shown', 'confirmed', 'shown', 'shown']);
  });

  test('a form works once, and only for its user', async () => {
    const { navigate, post, pass, results } = coachUnderTest();
    const ticketText = ticketOf(await navigate());
    expect((await post(`ticket=${ticketText}`, 'bob')).answer.status).toBe(403);
    expect(await navigate('bob')).toBeDefined();
    expect((await post(`ticket=${ticketText}`)).justification).toBe('');
    pass(61_000);
    // Sent again after its confirmation has expired, it creates no second one.
    expect(await post(`ticket=${ticketText}`)).not.toHaveProperty('justification');
    expect(await navigate()).toBeDefined();
    expect(results.filter((result) => result === 'confirmed')).toEqual(['confirmed']);
  });

  test.each<[string, Record<string, string>, boolean]>([
    ['a page', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, true],
    ['a page of an old browser', { accept: 'text/html,*/*' }, true],
    ['a frame', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, false],
    ['a script', { 'sec-fetch-mode': 'cors', accept: 'text/html' }, false],
    ['a program', { accept: '*/*' }, false],
  ])('%s', async (_name, fields, isPage) => {
    const { coach, asked } = coachUnderTest();
    const confirmAt = 'https://seen.example/.privet/coach';
    expect(await coach.ask(asked('GET', fields))).toEqual(isPage ? { answer: expect.anything() } : { confirmAt });
    const strict = coachUnderTest({ programs: 'refuse' });
    const refused = strict.coach.ask(strict.asked('GET', fields));
    if (isPage) expect(await refused).toHaveProperty('answer');
    else
      await expect(refused).rejects.toMatchObject({
        code: 'confirmation_required',
        status: 403,
        details: { url: confirmAt },
      });
  });
});

describe('attempts by a script of the service', () => {
  test.each<[string, 'GET' | 'HEAD' | 'POST', Record<string, string>, boolean]>([
    ['a window', 'GET', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, true],
    ['a program', 'GET', {}, true],
    ['fetch()', 'GET', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' }, false],
    ['fetch() for the head', 'HEAD', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, false],
    ['a frame', 'GET', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, false],
    ['fetch() of a form', 'POST', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, false],
    ['a form in a frame', 'POST', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, false],
  ])('%s gets a ticket: %s', async (_name, method, fields, isGiven) => {
    const { coach, asked } = coachUnderTest();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const request = asked(method, { ...fields, ...form });
    const answer = coach.serve(
      { ...request, target: { ...request.target, path: '/.privet/coach' } },
      Readable.from([Buffer.from('ticket=x')]),
    );
    if (isGiven) expect((await answer).answer.body).toContain('name="ticket"');
    else await expect(answer).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('a window of the page cannot be controlled by its opener', async () => {
    const { headers } = ((await coachUnderTest().navigate()) as unknown as { answer: { headers: string[] } }).answer;
    expect(headers[headers.indexOf('Cross-Origin-Opener-Policy') + 1]).toBe('same-origin');
  });
});

describe('an invalid form', () => {
  test.each<[string, string, Record<string, string>, string | number]>([
    ['too large', `reason=${'x'.repeat(40_000)}`, {}, 'body_too_large'],
    ['no form', '{}', { 'content-type': 'application/json' }, 'unsupported_media_type'],
    ['from another page', 'ticket=x', { origin: 'https://evil.example' }, 403],
    ['from a page that hides its origin', 'ticket=x', { origin: 'null' }, 403],
  ])('%s', async (_name, body, fields, outcome) => {
    const { post, results } = coachUnderTest();
    if (typeof outcome === 'string') await expect(post(body, 'ann', fields)).rejects.toMatchObject({ code: outcome });
    else expect((await post(body, 'ann', fields)).answer.status).toBe(outcome);
    expect(results).not.toContain('confirmed');
  });

  test('a reason is truncated, and a blank one does not count if required', async () => {
    const { navigate, post } = coachUnderTest({ reason: 'required' });
    const ticketText = ticketOf(await navigate());
    const again = await post(`ticket=${ticketText}&reason=%20%0A`);
    expect(again.answer.body).toContain('Please write what you need it for.');
    expect((await post(`ticket=${ticketOf(again)}&reason=${'y'.repeat(900)}`)).justification).toBe('y'.repeat(500));
  });
});

test('a confirmation on one replica applies on the other at once', async () => {
  const stores = openMemoryStores({ ttlMs: 0 });
  const [here, there] = [0, 1].map(() => new Acknowledgements({ stores, log: silentLog, now: () => 5 }));
  expect(await there?.of('ann', 'service seen')).toEqual({ at: 0, until: 0 });
  await here?.confirm('ann', 'service seen', 10);
  expect(await there?.of('ann', 'service seen')).toEqual({ at: 5, until: 15 });
  expect(await there?.of('bob', 'service seen')).toEqual({ at: 0, until: 0 });
  here?.close();
  there?.close();
  await stores.close();
});
