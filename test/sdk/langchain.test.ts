/** Messages and chunks of LangChain: after masking and restoring, its functions still accept them. */
import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  isAIMessageChunk,
  isHumanMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { expect, test } from 'vitest';
import { createPrivet } from '../../sdk/index.ts';

const email = 'hanako.yamada@example.co.jp';
const mark = Symbol('mark');

async function* from<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

test('messages keep class and symbols, and each value counts once', async () => {
  const call = { id: 'c1', name: 'send', args: { to: email }, type: 'tool_call' as const };
  const human = Object.assign(new HumanMessage({ content: `Write to ${email}`, id: 'm1' }), { [mark]: 1 });
  const assistant = new AIMessage({ content: [{ type: 'text', text: 'Yes.' }], tool_calls: [call] });
  const given = [human, assistant, new ToolMessage({ content: `sent to ${email}`, tool_call_id: 'c1' })];
  const before = JSON.stringify(given);
  const { messages, counts } = await createPrivet().maskMessages(given, { tokenFormat: 'counter' });
  expect(counts).toEqual({ EMAIL: 3 });
  const [first, second, third] = messages as [HumanMessage & { [mark]: number }, AIMessage, ToolMessage];
  expect([first instanceof HumanMessage, isHumanMessage(first), HumanMessage.isInstance(first)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([first.text, first.id, first[mark], first.lc_kwargs.content]).toEqual([
    'Write to [EMAIL-1]',
    'm1',
    1,
    'Write to [EMAIL-1]',
  ]);
  expect(second).toBeInstanceOf(AIMessage);
  expect(second.tool_calls?.[0]).toEqual({ ...call, args: { to: '[EMAIL-1]' } });
  expect(third.content).toBe('sent to [EMAIL-1]');
  expect(JSON.stringify(messages)).toBe(before.replaceAll(email, '[EMAIL-1]'));
  expect(JSON.stringify(given)).toBe(before);
});

test('chunks of a message can be joined, in their own class, and have the restored text', async () => {
  const privet = createPrivet();
  const { sessionId } = await privet.mask(email, { tokenFormat: 'counter' });
  const chunks = ['To [EM', 'AIL-', '1], and [EMAIL', '-1] [EM'].map(
    (content, i) => new AIMessageChunk({ content, id: 'run-1', response_metadata: { i } }),
  );
  const restored = await collect(privet.restoreStream(from(chunks), sessionId));
  for (const chunk of restored) {
    expect(chunk).toBeInstanceOf(AIMessageChunk);
    expect(isAIMessageChunk(chunk)).toBe(true);
    expect(chunk.lc_kwargs.content).toBe(chunk.content);
  }
  const whole = restored.reduce((one, other) => one.concat(other));
  expect([whole.content, whole.id]).toEqual([`To ${email}, and ${email} [EM`, 'run-1']);
});

test('chunks of the arguments of a tool are joined to a call with the value', async () => {
  const privet = createPrivet();
  const { sessionId } = await privet.mask(email, { tokenFormat: 'counter' });
  const chunks = ['{"to":"[EM', 'AIL-1]"', '}'].map((args, i) => {
    const first = i === 0 ? { name: 'send', id: 'c1' } : {};
    return new AIMessageChunk({
      content: '',
      tool_call_chunks: [{ ...first, args, index: 0, type: 'tool_call_chunk' }],
    });
  });
  const restored = await collect(privet.restoreStream(from(chunks), sessionId));
  const whole = restored.reduce((one, other) => one.concat(other));
  expect(whole.tool_calls).toMatchObject([{ name: 'send', args: { to: email }, id: 'c1' }]);
});

test('nested objects keep their class too', async () => {
  const privet = createPrivet();
  const { sessionId } = await privet.mask(email, { tokenFormat: 'counter' });
  const chunks = ['To [EMAIL', '-1].'].map(
    (text) => new ChatGenerationChunk({ text, message: new AIMessageChunk(text) }),
  );
  const restored = await collect(privet.restoreStream(from(chunks), sessionId));
  const whole = restored.reduce((one, other) => one.concat(other));
  expect([whole.text, whole.message.content, whole.message instanceof AIMessageChunk]).toEqual([
    `To ${email}.`,
    `To ${email}.`,
    true,
  ]);
});
