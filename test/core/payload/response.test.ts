import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restoreJsonBody } from '../../../core/payload/response.ts';
import { fixtureText, meta, tokenMap } from '../stream/wire-fixtures.ts';

const value = 'O"Hara \\ Sons\n';
const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': value });

describe('restoreJsonBody', () => {
  const rows: [name: string, body: unknown, expected: unknown][] = [
    ['text', { content: 'to [NAME-1]' }, { content: `to ${value}` }],
    ['arguments in a string', { arguments: '{"to":"[NAME-1]"}' }, { arguments: JSON.stringify({ to: value }) }],
    ['arguments without brackets', { arguments: '{"to":"EMAIL-1"}' }, { arguments: '{"to":"a@b.example"}' }],
    ['text without brackets', { content: 'EMAIL-1' }, { content: 'EMAIL-1' }],
    ['arguments as an object', { input: { to: '[EMAIL-1]' } }, { input: { to: 'a@b.example' } }],
    ['errors', { error: { message: 'bad: [EMAIL-1]' } }, { error: { message: 'bad: a@b.example' } }],
    [
      'signed thinking',
      { type: 'thinking', thinking: '[EMAIL-1]', signature: 's' },
      { type: 'thinking', thinking: '[EMAIL-1]', signature: 's' },
    ],
    ['unsigned thinking', { thinking: '[EMAIL-1]' }, { thinking: 'a@b.example' }],
    ['encrypted', { encrypted_content: '[EMAIL-1]' }, { encrypted_content: '[EMAIL-1]' }],
    [
      'the address of an image',
      { text: '![a](https://x.example/[EMAIL-1])' },
      { text: '![a](https://x.example/[EMAIL-1])' },
    ],
    ['never issued', { text: '[EMAIL-12]' }, { text: '[EMAIL-12]' }],
  ];
  for (const [name, body, expected] of rows) {
    it(name, () => expect(JSON.parse(restoreJsonBody(JSON.stringify(body), map).body)).toEqual(expected));
  }

  for (const folder of ['openai-chat', 'anthropic-messages', 'gemini', 'openai-responses']) {
    it(`${folder}: a whole answer`, () => {
      const { tokenMap: tokens, expectText } = meta(folder);
      const result = restoreJsonBody(fixtureText(`${folder}/response.json`), tokenMap(tokens));
      expect(result.body).toContain(JSON.stringify(expectText));
      expect(result.unresolved).toBeGreaterThan(0);
    });
  }

  it('broken JSON stays, with nothing counted', () => {
    expect(restoreJsonBody('{"a":"[EMAIL-1]"', map)).toEqual({
      body: '{"a":"[EMAIL-1]"',
      restored: 0,
      unresolved: 0,
      isUnreadable: true,
    });
  });

  it('without issued tokens, nothing is done', () => {
    const json = '{"a":"[EMAIL-1]"}';
    expect(restoreJsonBody(json, tokenMap({}))).toEqual({ body: json, restored: 0, unresolved: 0 });
  });

  it('restorations are counted', () => {
    const json = '{"a":"[EMAIL-1] [NAME-1] [EMAIL-1] [EMAIL-7]"}';
    expect(restoreJsonBody(json, map)).toMatchObject({ restored: 3, unresolved: 1 });
    expect(restoreJsonBody(json, map)).not.toHaveProperty('isUnreadable');
    expect(restoreJsonBody(json, map)).not.toHaveProperty('isCut');
  });

  it('a byte order mark stays', () => {
    expect(restoreJsonBody('\ufeff{"a":"[EMAIL-1]"}', map).body).toBe('\ufeff{"a":"a@b.example"}');
    expect(restoreJsonBody('\ufeff{"a":"x"}', map).body).toBe('\ufeff{"a":"x"}');
    expect(restoreJsonBody('\ufeff\ufeff{"a":"[EMAIL-1]"}', map)).toMatchObject({ isUnreadable: true });
  });

  it('a body that is nested too deeply stays', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}"[EMAIL-1]"${']'.repeat(depth)}`;
    expect(restoreJsonBody(nested(100), map).restored).toBe(1);
    expect(restoreJsonBody(nested(50_000), map)).toEqual({
      body: nested(50_000),
      restored: 0,
      unresolved: 0,
      isUnreadable: true,
    });
  });

  it.each([
    ['to [EMAIL-1] and [NA', 'to a@b.example and ', true],
    ['to [EMAIL-1', 'to ', true],
    ['to [EMAIL-1]', 'to a@b.example', false],
    ['to you', 'to you', false],
    ['to [OTHER', 'to [OTHER', false],
  ])('of a growing text, a possible token is left out: %s', (text, shown, isCut) => {
    const json = JSON.stringify({ text });
    const { body, ...more } = restoreJsonBody(json, map, undefined, { isGrowing: true });
    expect(JSON.parse(body)).toEqual({ text: shown });
    expect(more.isCut).toBe(isCut ? true : undefined);
    expect(JSON.parse(restoreJsonBody(json, map).body)).toEqual({
      text: text.replaceAll('[EMAIL-1]', 'a@b.example'),
    });
  });

  it('a URL of a host that may receive values', () => {
    const json = JSON.stringify({ text: 'https://crm.example/?m=[EMAIL-1] https://evil.example/?m=[EMAIL-1]' });
    expect(JSON.parse(restoreJsonBody(json, map, (host) => host === 'crm.example').body)).toEqual({
      text: 'https://crm.example/?m=a@b.example https://evil.example/?m=[EMAIL-1]',
    });
  });

  it('a body without tokens keeps every byte', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(restoreJsonBody(` ${json}\n`, map).body).toBe(` ${json}\n`);
      }),
    );
  });
});
