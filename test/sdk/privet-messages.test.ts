/** Chat messages and response streams through the SDK. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPrivet, email } from './checked-privet.ts';

describe('messages', () => {
  const image = new Uint8Array([1, 2, 3]);
  const when = new Date(0);

  test.each<[name: string, input: object, output: object]>([
    ['content as text', [{ role: 'user', content: email }], [{ role: 'user', content: '[EMAIL-1]' }]],
    [
      'content as parts, including bytes',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: email },
            { type: 'image', image },
          ],
        },
      ],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: '[EMAIL-1]' },
            { type: 'image', image },
          ],
        },
      ],
    ],
    [
      'tool calls of OpenAI',
      [{ role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'f', arguments: `{"to":"${email}"}` } }] }],
      [{ role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'f', arguments: '{"to":"[EMAIL-1]"}' } }] }],
    ],
    [
      'tool use and result of Anthropic',
      [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'tu_1', name: 'f', input: { to: [email] } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'tu_1', content: [{ type: 'text', text: email }] }],
        },
      ],
      [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'tu_1', name: 'f', input: { to: ['[EMAIL-1]'] } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'tu_1', content: [{ type: 'text', text: '[EMAIL-1]' }] }],
        },
      ],
    ],
    [
      'a whole request',
      { model: 'm', system: `You write to ${email}`, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 },
      { model: 'm', system: 'You write to [EMAIL-1]', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 },
    ],
    [
      'Gemini contents',
      { contents: [{ role: 'user', parts: [{ text: email }] }] },
      { contents: [{ role: 'user', parts: [{ text: '[EMAIL-1]' }] }] },
    ],
    [
      'values that JSON cannot represent',
      [{ role: 'user', content: email, at: when, url: new URL('https://example.com/'), n: 5n }],
      [{ role: 'user', content: '[EMAIL-1]', at: when, url: new URL('https://example.com/'), n: 5n }],
    ],
  ])('%s', async (_name, input, output) => {
    const before = structuredClone(Array.isArray(input) || 'model' in input ? withoutUrl(input) : input);
    const { messages, tokenMap, counts } = await createPrivet().maskMessages(input);
    expect(messages).toEqual(output);
    expect(Object.values(tokenMap)).toEqual([email]);
    expect(counts.EMAIL).toBeGreaterThan(0);
    expect(withoutUrl(input)).toEqual(before);
  });

  test('messages that are class instances are masked, and keep their class', async () => {
    class Message {
      readonly role = 'user';
      readonly content: unknown;
      constructor(content: unknown) {
        this.content = content;
      }
      get length() {
        return String(this.content).length;
      }
    }
    class Circular {
      readonly self = this;
    }
    const [kept, circular] = [new Message('Hello.'), new Circular()];
    const given = [new Message(`To ${email}`), kept, new Message([new Message(email)]), circular];
    const { messages } = await createPrivet().maskMessages(given);
    expect(messages).toEqual([new Message('To [EMAIL-1]'), kept, new Message([new Message('[EMAIL-1]')]), circular]);
    expect(messages[0]).toBeInstanceOf(Message);
    expect((messages[0] as Message).length).toBe('To [EMAIL-1]'.length);
    expect([messages[1] === kept, messages[3] === circular]).toEqual([true, true]);
    expect((given[0] as Message).content).toBe(`To ${email}`);
  });

  test('without a detection the same array is returned', async () => {
    const messages = [{ role: 'user', content: 'Hello.' }];
    const privet = createPrivet();
    const result = await privet.maskMessages(messages);
    expect(result.messages).toBe(messages);
    expect(await privet.tokens(result.sessionId)).toBeDefined();
  });

  test('signed reasoning with a value is refused', async () => {
    const messages = [
      { role: 'assistant', content: [{ type: 'thinking', thinking: `about ${email}`, signature: 'c2lnbmVk' }] },
    ];
    await expect(createPrivet().maskMessages(messages)).rejects.toMatchObject({ code: 'uninspectable' });
    const turns = [...messages, { role: 'user', content: `Tell ${email}.` }];
    const allowed = await createPrivet().maskMessages(turns, { uninspectable: { signed: 'allow' } });
    expect(allowed.messages[0]).toEqual(messages[0]);
    expect(JSON.stringify(allowed.messages[1])).not.toContain(email);
  });
});

/** URL objects cannot be cloned. */
function withoutUrl(value: object): object {
  return JSON.parse(JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? String(item) : item)));
}

describe('streams', () => {
  async function* from<T>(items: readonly T[]): AsyncGenerator<T> {
    yield* items;
  }
  async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
    const list: T[] = [];
    for await (const item of items) list.push(item);
    return list;
  }

  test('texts at every cut, surrogates included', async () => {
    const { mask, restoreStream } = createPrivet();
    const masked = await mask(`😀 ${email} 👍`);
    for (let cut = 0; cut <= masked.masked.length; cut++) {
      const pieces = [masked.masked.slice(0, cut), masked.masked.slice(cut)];
      expect((await all(restoreStream(from(pieces), masked))).join('')).toBe(`😀 ${email} 👍`);
      const piped = ReadableStream.from(pieces).pipeThrough(restoreStream(masked));
      expect((await all(piped)).join('')).toBe(`😀 ${email} 👍`);
    }
  });

  test('events of a package: those without a token are the same objects, held text comes before the end', async () => {
    const { mask, restoreStream } = createPrivet();
    const masked = await mask(email);
    const delta = (content: string) => ({
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content } }],
    });
    const events = [delta('Dear '), delta('[EM'), delta('AIL-1]'), delta('!'), delta(' [')];
    const out = await all(restoreStream(from(events), masked));
    expect(out[0]).toBe(events[0]);
    expect(out.map((event) => event.choices[0]?.delta.content ?? '').join('')).toBe(`Dear ${email}! [`);
  });

  test('bytes of a response', async () => {
    const { mask, restoreStream } = createPrivet();
    const masked = await mask(email);
    const sse = new TextEncoder().encode('data: {"choices":[{"index":0,"delta":{"content":"[EMAIL-1]"}}]}\n\n');
    const bytes = ReadableStream.from([sse.slice(0, 40), sse.slice(40)]).pipeThrough(
      restoreStream(masked, { kind: 'sse' }),
    );
    expect(Buffer.concat(await all(bytes)).toString()).toContain(`"content":"${email}"`);
  });

  test('an unknown session is an error when the stream is read', async () => {
    const { restoreStream } = createPrivet();
    await expect(all(restoreStream(from(['x']), 'nobody'))).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(all(ReadableStream.from(['x']).pipeThrough(restoreStream('nobody')))).rejects.toMatchObject({
      code: 'session_not_found',
    });
    // The stream is not read yet: a rejection must not end the process.
    const failures: unknown[] = [];
    const note = (reason: unknown) => failures.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const later = restoreStream(from(['x']), 'nobody');
    await new Promise((resolve) => setImmediate(resolve));
    expect(failures).toEqual([]);
    await expect(all(later)).rejects.toMatchObject({ code: 'session_not_found' });
  });
});
