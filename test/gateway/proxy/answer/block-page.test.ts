/** The page for a blocked service: its content, and that nothing in it becomes markup. */
import { describe, expect, test } from 'vitest';
import { readServices } from '../../../../config/services.ts';
import { PrivetError } from '../../../../core/errors.ts';
import { plainBrand } from '../../../../gateway/portal/brand.ts';
import { knownReasons } from '../../../../gateway/portal/reasons.ts';
import { errorAnswer } from '../../../../gateway/proxy/answer/answers.ts';
import { type BlockPage, blockPage } from '../../../../gateway/proxy/answer/block-page.ts';
import type { ExceptionRequest } from '../../../../gateway/stores/exceptions.ts';
import { ServiceRegistry } from '../../../../policy/registry.ts';

const registry = new ServiceRegistry();
const service = registry.add({
  service_name: 'Sketchy',
  domain: 'sketchy.example',
  category: 'blocked',
  reason: 'it trains on what is typed',
});
const good = registry.add({ service_name: 'Good', domain: 'good.example', category: 'approved' });
const decision = {
  action: 'block',
  inspect: 'mask',
  service,
  rule: 'is_blocked',
  ruleKind: 'service',
  reason: 'r',
} as const;
const request: ExceptionRequest = {
  id: '1',
  subject: 'ann',
  host: 'sketchy.example',
  service: null,
  reason: 'trial',
  at: '2026-05-04T10:00:00Z',
  state: 'open',
  note: null,
  decided_at: null,
  expires_at: null,
};
const base: BlockPage = {
  language: 'en',
  brand: { ...plainBrand, company: 'Northwind', contact: 'it@northwind.example', text: { en: 'Own words.', ja: null } },
  decision,
  host: 'sketchy.example',
  requestId: 'q1',
  alternatives: [good],
};

describe('the block page', () => {
  test('says what is blocked, why, and what to do', () => {
    const page = blockPage(base);
    expect(page).toContain('Northwind does not allow this service: it trains on what is typed.');
    expect(page).toContain('Own words.');
    expect(page).toContain('<a href="https://good.example/" rel="noreferrer">Good</a>');
    expect(page).toContain('<a href="mailto:it@northwind.example">');
    expect(page).toMatch(
      /class="button" href="http:\/\/privet\.proxy\/me\/exceptions\?host=sketchy\.example">Ask for an/,
    );
    expect(page).toMatch(/<details><summary>Technical details<\/summary>.*blocked_by_policy.*q1/s);
    expect(blockPage({ ...base, language: 'ja' })).toContain('Northwind では、このサービスの利用を認めていません。');
  });

  test('links to no host that only programs use', () => {
    const page = blockPage({ ...base, alternatives: [{ ...good, api_hosts: [good.domain] }, good] });
    expect(page).toMatch(/[^>]Good[^<]+<a href="https:\/\/good\.example\/"/);
  });

  test('shows the state of a request instead of the button', () => {
    const open = blockPage({ ...base, request });
    expect(open).toContain('You asked for an exception. It has not been decided yet.');
    expect(open).not.toContain('class="button"');
    const decided = {
      ...request,
      state: 'denied',
      note: 'Use <b>Good</b>',
      decided_at: '2026-05-05T10:00:00Z',
    } as const;
    const denied = blockPage({ ...base, request: decided });
    expect(denied).toContain('was denied. Your administrator’s note: “Use &lt;b&gt;Good&lt;/b&gt;”');
    expect(denied).toContain('>Ask again</a>');
  });

  test.each([
    ['a rule', { ruleKind: 'rule', rule: 'no uploads' }, 'because of the rule “no uploads”.'],
    [
      'an anonymizer',
      { ruleKind: 'anonymizer', rule: 'anonymizer x' },
      'Northwind does not allow it, because it shows other sites under its own address.',
    ],
    ['no service', { ruleKind: 'unknown', service: undefined }, 'Northwind has not approved this address.'],
    ['no reason', { service: { ...service, reason: undefined } }, 'Northwind does not allow this AI service.'],
  ])('says why: %s', (_name, over, sentence) => {
    expect(blockPage({ ...base, decision: { ...decision, ...over } as BlockPage['decision'] })).toContain(sentence);
  });

  test('links the addresses in the words of the company', () => {
    const text = { en: 'Read https://intranet.example/ai?a=1&b="x".\nThen ask.', ja: null };
    expect(blockPage({ ...base, brand: { ...base.brand, text } })).toContain(
      'Read <a href="https://intranet.example/ai?a=1&amp;b" rel="noreferrer">https://intranet.example/ai?a=1&amp;b</a>=&quot;x&quot;.<br>Then ask.',
    );
  });

  test('explains every reason of the shipped registry', () => {
    const used = new Set([...readServices(undefined).services].flatMap(({ reason }) => reason ?? []));
    expect(used.size).toBeGreaterThan(10);
    expect([...used].filter((reason) => !knownReasons.includes(reason))).toEqual([]);
  });

  test('escapes everything it shows', () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=y>';
    const brand = { company: evil, contact: evil, logo: null, text: { en: evil, ja: evil } };
    const bad = { ...service, service_name: evil, reason: evil };
    const page = blockPage({
      ...base,
      brand,
      host: evil,
      requestId: evil,
      decision: { ...decision, service: bad, rule: evil },
      alternatives: [{ ...good, service_name: evil }],
      request: { ...request, state: 'denied', note: evil },
    });
    expect(page).not.toMatch(/<script|<img|"><scr/);
  });
});

describe('the page for a request that was not sent', () => {
  const pageFor = (language: string, details: object) =>
    String(
      errorAnswer(new PrivetError('blocked_by_policy', 'Step detect: no.', { details }), {
        requestId: 'q2',
        rawHeaders: ['Sec-Fetch-Mode', 'navigate', 'Accept-Language', language],
        host: 'good.example',
        brand: base.brand,
      }).body,
    );

  test.each([
    ['en', { types: { EMAIL: 1, CREDIT_CARD: 2 } }, 'to this service: E-mail address, Payment card number.'],
    ['ja', { types: { EMAIL: 1, CREDIT_CARD: 2 } }, '含まれています：メールアドレス、'],
    ['en', { injection: { risk: 'high' } }, 'looks like an attack on the AI model (prompt injection).'],
    ['ja', { injection: { risk: 'high' } }, 'プロンプトインジェクション）とみられる文が含まれています。'],
    ['en', { tools: { kind: 'pin' } }, 'It contains something that your company does not allow'],
  ])('explains in %s what %j means, and whom to contact', (language, details, sentence) => {
    const page = pageFor(language, details);
    expect(page).toContain(sentence);
    expect(page).toContain('<a href="mailto:it@northwind.example">');
    expect(page).toMatch(/<details>.*Step detect: no\./s);
  });
});
