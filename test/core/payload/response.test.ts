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

  it('a body without tokens keeps every byte', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(restoreJsonBody(` ${json}\n`, map).body).toBe(` ${json}\n`);
      }),
    );
  });
});
