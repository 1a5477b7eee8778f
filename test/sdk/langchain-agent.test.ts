/**
 * The middleware for agents, with the real packages of LangChain: an agent with a tool, and a model that receives only
 * tokens.
 */
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { createAgent, createMiddleware, tool } from 'langchain';
import { expect, test } from 'vitest';
import { createPrivet } from '../../sdk/index.ts';
import { privetAgentMiddleware } from '../../sdk/langchain.ts';

const mail = 'hanako@example.com';

/** Gives one answer after the other, and records its input. */
class ScriptedModel extends FakeListChatModel {
  readonly told: string[] = [];
  #answers: AIMessage[];

  constructor(answers: AIMessage[]) {
    super({ responses: ['unused'] });
    this.#answers = answers;
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]) {
    this.told.push(JSON.stringify(messages));
    const message = this.#answers.shift() as AIMessage;
    return { generations: [{ message, text: String(message.content) }] };
  }
}

test('tools and state have values, the model only tokens', async () => {
  const model = new ScriptedModel([
    new AIMessage({ content: '', tool_calls: [{ name: 'send', args: { to: '[EMAIL-1]' }, id: 'c1' }] }),
    new AIMessage('I have written to [EMAIL-1].'),
  ]);
  const given: unknown[] = [];
  const send = tool(
    (input: unknown) => {
      given.push(input);
      return `Sent to ${mail}.`;
    },
    { name: 'send', description: 'Sends', schema: { type: 'object', properties: { to: { type: 'string' } } } },
  );
  const middleware = createMiddleware(privetAgentMiddleware(createPrivet({ types: ['EMAIL'] })) as never);
  const agent = createAgent({ model, tools: [send], systemPrompt: `You work for ${mail}.`, middleware: [middleware] });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: `Write to ${mail}` }] });

  expect(given).toEqual([{ to: mail }]);
  expect(messages.at(-1)?.content).toBe(`I have written to ${mail}.`);
  expect(messages.at(-1)).toBeInstanceOf(AIMessage);
  expect(model.told).toHaveLength(2);
  expect(model.told.join('')).not.toContain('hanako');
  expect(model.told[1]).toContain('Sent to [EMAIL-1].');
});
