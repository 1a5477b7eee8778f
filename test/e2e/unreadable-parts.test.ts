/**
 * Conversations with tool results that contain a long word. They are sent again with every question, so one refusal
 * ends the conversation.
 */
import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anthropicClient, openAiClient, proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { personal } from '../support/personal.ts';

const names = ['api.openai.com', 'api.anthropic.com'];
const hex = randomBytes(300).toString('hex');
/** Bytes that cannot be read, after the magic number of WebAssembly. */
const wasm = Buffer.concat([Buffer.from('\0asm\x01\0\0\0', 'latin1'), randomBytes(600)]).toString('base64');
const bases = Array.from(randomBytes(400), (byte) => 'ACGT'[byte & 3]).join('');
const mixed = Array.from(randomBytes(400), (byte) => 'ACGTacgt'[byte & 7]).join('');
const note = '(Content of kind binary was left out here: it could not be inspected.)';

const origin = await startOrigin({ names });
beforeEach(() => origin.reset());

const gateway = await startGateway({ hosts: Object.fromEntries(names.map((name) => [name, origin])) });
const proxied = proxiedFetch(gateway);

const conversation = (content: string) => [
  { role: 'user' as const, content: `Look for ${personal.EMAIL}.` },
  {
    role: 'assistant' as const,
    content: null,
    tool_calls: [{ id: 'c', type: 'function' as const, function: { name: 'read', arguments: '{}' } }],
  },
  { role: 'tool' as const, tool_call_id: 'c', content },
];

describe('with default settings', () => {
  const ask = async (content: string) => {
    await openAiClient(proxied).chat.completions.create({ model: 'm', messages: conversation(content) });
    return JSON.parse(origin.requests[0]?.body.toString() ?? '').messages[2].content as string;
  };

  test.each([
    ['hexadecimal digits', { data: hex }],
    ['digits in capitals', { hash: { base64: hex.toUpperCase() } }],
    ['a sequence of bases', { data: bases }],
    ['one with lower-case repeats', { blob: mixed }],
    ['lines of a sequence', { data: bases.replaceAll(/.{60}/g, '$&\n') }],
  ])('%s are text', async (_name, result) => {
    expect(await ask(JSON.stringify({ ...result, to: personal.EMAIL }))).toBe(
      JSON.stringify({ ...result, to: '[EMAIL-1]' }),
    );
  });

  test.each(['data', 'blob', 'wasmBase64'])('a program under %s is omitted, and the rest is sent', async (name) => {
    const result = { [name]: wasm, to: personal.EMAIL };
    expect(JSON.parse(await ask(JSON.stringify(result)))).toEqual({ [name]: note, to: '[EMAIL-1]' });
  });

  test('a name before the content is masked too, and texts keep their order', async () => {
    const file = `data:application/x-thing;name=${personal.EMAIL};base64,${wasm}`;
    expect(JSON.parse(await ask(JSON.stringify({ file, to: personal.EMAIL })))).toEqual({
      file: note,
      to: '[EMAIL-1]',
    });
  });

  test('encrypted reasoning passes unchanged', async () => {
    const blind = randomBytes(400).toString('base64');
    const content = [
      { type: 'redacted_thinking' as const, data: blind },
      { type: 'text' as const, text: `I write to ${personal.EMAIL}.` },
    ];
    const more = {
      reasoning_details: [{ type: 'reasoning.encrypted', data: blind, format: 'x', index: 0 }],
      thinking_blocks: [{ type: 'redacted_thinking', data: blind }],
    };
    const messages = [{ role: 'assistant' as const, content, ...more }];
    await anthropicClient(proxied).messages.create({ model: 'm', max_tokens: 9, messages });
    expect(JSON.parse(origin.requests[0]?.body.toString() ?? '').messages).toEqual(
      JSON.parse(JSON.stringify(messages).replace(personal.EMAIL, '[EMAIL-1]')),
    );
  });

  test('a text mislabelled as base64 is read', async () => {
    const data = Buffer.from(`Please write to ${personal.EMAIL} at once, and to nobody else.`).toString('base64');
    const messages = [{ role: 'user', content: [{ type: 'redacted_thinking', data }] }];
    await anthropicClient(proxied).messages.create({ model: 'm', max_tokens: 9, messages: messages as never });
    const sent = JSON.parse(origin.requests[0]?.body.toString() ?? '').messages[0].content[0].data as string;
    expect(Buffer.from(sent, 'base64').toString()).toBe('Please write to [EMAIL-1] at once, and to nobody else.');
  });

  test('if a note is not valid content, the request is refused with the position', async () => {
    const content = [{ type: 'thing', source: { type: 'base64', data: wasm } }];
    const asked = openAiClient(proxied).chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: content as never }],
    });
    await expect(asked).rejects.toThrow('content of kind binary at messages[0].content[0].source.data is not sent');
    expect(origin.requests).toEqual([]);
  });
});

describe('masking.uninspectable.binary: block', () => {
  beforeAll(() => gateway.configure({ masking: { uninspectable: { binary: 'block' } } }));

  test('a program in a tool result is refused with its position', async () => {
    const messages = conversation(JSON.stringify({ files: [{ data: wasm }] }));
    const asked = openAiClient(proxied).chat.completions.create({ model: 'm', messages });
    await expect(asked).rejects.toThrow('content of kind binary at messages[2].content: files[0].data is not sent');
    expect(origin.requests).toEqual([]);
  });
});
