import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hintSentence as hint, withHint } from '../../../core/payload/hint.ts';
import { placeOf } from '../../../core/payload/json-place.ts';

describe('withHint', () => {
  const user = { role: 'user', content: 'x' };
  const system = { role: 'system', content: hint };
  const block = (text: string, more: object = {}) => ({ type: 'text', text, ...more });
  const cached = block('a', { cache_control: { type: 'ephemeral' } });
  const instruction = { systemInstruction: { parts: [{ text: hint }] }, contents: [] };
  const chat = 'api.openai.com/v1/chat/completions';
  const bedrock = 'bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream';
  const rows: [name: string, address: string, body: unknown, expected: unknown][] = [
    ['chat without a system message', chat, { messages: [user] }, { messages: [system, user] }],
    [
      'chat with one',
      `${chat}?x=1`,
      { messages: [{ role: 'developer', content: 'Be "brief".' }, user] },
      { messages: [{ role: 'developer', content: `Be "brief".\n\n${hint}` }, user] },
    ],
    [
      'chat with one of parts',
      'a.openai.azure.com/openai/deployments/d/chat/completions',
      { messages: [{ role: 'system', content: [block('a')] }] },
      { messages: [{ role: 'system', content: [block('a'), block(hint)] }] },
    ],
    ['chat without messages', 'ollama.com/api/chat', { messages: [] }, { messages: [system] }],
    ['Responses', 'api.openai.com/v1/responses', { instructions: 'a' }, { instructions: `a\n\n${hint}` }],
    [
      'Responses without instructions',
      'api.openai.com/v1/responses',
      { input: 'a' },
      { instructions: hint, input: 'a' },
    ],
    ['Anthropic', 'api.anthropic.com/v1/messages', { messages: [user] }, { system: hint, messages: [user] }],
    [
      'Anthropic with blocks',
      'api.anthropic.com/v1/messages/count_tokens',
      { system: [cached] },
      { system: [cached, block(hint)] },
    ],
    ['Gemini', 'g.example/v1beta/models/m:streamGenerateContent?alt=sse', { contents: [] }, instruction],
    [
      'Gemini with an instruction in snake case',
      'g.example/v1beta/models/m:generateContent',
      { system_instruction: { parts: [{ text: 'a' }] } },
      { system_instruction: { parts: [{ text: 'a' }, { text: hint }] } },
    ],
    [
      'Code Assist',
      'cloudcode-pa.googleapis.com/v1internal:generateContent',
      { model: 'm', request: { contents: [] } },
      { model: 'm', request: instruction },
    ],
    ['Bedrock Converse', bedrock, { system: [{ text: 'a' }] }, { system: [{ text: 'a' }, { text: hint }] }],
    ['Ollama generate', 'localhost/api/generate', { prompt: 'a' }, { system: hint, prompt: 'a' }],
    ['an empty body', 'localhost/api/generate', {}, { system: hint }],
  ];
  it.each(rows)('%s', (_name, address, body, expected) => {
    for (const indent of [0, 2]) {
      const output = withHint(JSON.stringify(body, null, indent), address) ?? 'null';
      expect(JSON.stringify(JSON.parse(output))).toBe(JSON.stringify(expected));
    }
  });

  it.each([
    ['embeddings', 'api.openai.com/v1/embeddings', '{"input":"a"}'],
    ['a web app', 'chatgpt.com/backend-api/f/conversation', '{"messages":[]}'],
    ['a body that is not an object', 'api.openai.com/v1/responses', '["a"]'],
    ['messages that are not a list', 'api.openai.com/v1/chat/completions', '{"messages":"a"}'],
    ['a system text that is a number', 'api.anthropic.com/v1/messages', '{"system":1}'],
  ])('%s: none', (_name, address, body) => expect(withHint(body, address)).toBeUndefined());
});

describe('placeOf', () => {
  it('finds every value of any document', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(2), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        for (const [key, expected] of Object.entries(JSON.parse(json) as Record<string, unknown>)) {
          const place = placeOf(json, [key]);
          expect(JSON.parse(json.slice(place?.start, place?.end))).toEqual(expected);
          if (!Array.isArray(expected)) continue;
          for (const [i, element] of expected.entries()) {
            const inner = placeOf(json, [key, i]);
            expect(JSON.parse(json.slice(inner?.start, inner?.end))).toEqual(element);
          }
          expect(placeOf(json, [key, expected.length])).toBeUndefined();
        }
      }),
    );
  });

  it('of two members with one name it finds the last', () => {
    expect(placeOf('{"a":1,"a":22}', ['a'])).toEqual({ start: 11, end: 13 });
  });
});
