/** The result of signals: score, confidence, kind, category, and the reason in words. */
import { describe, expect, test } from 'vitest';
import { assess, isWorthKeeping, type Signal } from '../../policy/discovery.ts';

describe('the score', () => {
  const of = (signals: Signal[], use: Partial<{ subjects: number; days: number; bytesUp: number }> = {}) =>
    assess({ signals: new Set(signals), subjects: 1, days: 1, bytesUp: 0, ...use });

  test.each<
    [name: string, signals: Signal[], use: object, score: number, confidence: string, kind: string, category: string]
  >([
    ['a top level alone', ['host-tld-ai'], {}, 3, 'weak', 'ai', 'monitoring'],
    ['a top level in use', ['host-tld-ai'], { subjects: 3, days: 3 }, 5, 'low', 'ai', 'monitoring'],
    ['two words of a name', ['host-tld-ai', 'host-model-word'], {}, 6, 'low', 'ai', 'monitoring'],
    ['a name and a shape', ['host-model-word', 'body-chat'], {}, 8, 'medium', 'ai', 'monitoring'],
    ['much use', ['host-tld-ai'], { subjects: 2, days: 2, bytesUp: 1024 * 1024 }, 4, 'weak', 'ai', 'monitoring'],
    ['little use', ['host-tld-ai'], { subjects: 2, days: 2, bytesUp: 1024 * 1024 - 1 }, 3, 'weak', 'ai', 'monitoring'],
    ['with a weak one', ['body-chat', 'host-tld-ai', 'host-token-ai'], {}, 9, 'medium', 'ai', 'monitoring'],
    ['a little less', ['body-chat', 'host-chat-word', 'host-token-ai'], {}, 7, 'low', 'ai', 'monitoring'],
    ['nearly much', ['body-chat', 'answer-usage'], {}, 10, 'medium', 'ai', 'monitoring'],
    ['nothing', [], { subjects: 9, days: 9, bytesUp: 9e9 }, 0, 'weak', 'ai', 'monitoring'],
    ['much', ['host-tld-ai', 'path-model-api', 'body-chat'], {}, 11, 'high', 'ai', 'monitoring'],
    [
      'weak ones never suffice',
      ['host-token-ai', 'host-chat-word', 'host-api-label', 'path-model-list', 'port-model-server'],
      { subjects: 9, days: 9, bytesUp: 9e9 },
      3,
      'weak',
      'ai',
      'monitoring',
    ],
    ['a key for an unregistered host', ['header-provider-key'], {}, 5, 'low', 'relay', 'blocked'],
    ['an imitation', ['host-lookalike'], {}, 5, 'low', 'lookalike', 'blocked'],
    ['harm', ['host-risk-word', 'host-tld-ai'], {}, 6, 'low', 'ai', 'blocked'],
  ])('%s', (_name, signals, use, score, confidence, kind, category) =>
    expect(of(signals, use)).toMatchObject({ score, confidence, kind, category }),
  );

  test.each<[reason: string, signals: Signal[]]>([
    ['The name resembles that of an AI service'.replace('The', 'the'), ['host-token-ai']],
    ['The name ends in .ai; an AI SDK sends the requests', ['host-tld-ai', 'host-chat-word', 'agent-sdk']],
    ['The name imitates a registered service', ['host-lookalike']],
    ['The name imitates a registered service; the name ends in .ai', ['host-tld-ai', 'host-lookalike']],
    [
      'The name contains a model or product name; the name contains a word typical of harmful image services; requests use paths of model APIs; requests send it a key of an AI provider',
      ['host-model-word', 'host-risk-word', 'path-model-api', 'header-provider-key', 'header-provider'],
    ],
    [
      'Requests have header fields of an AI provider; requests have header fields of an AI SDK; request bodies look like a chat with a model; request bodies contain a prompt',
      ['header-provider', 'header-sdk', 'body-chat', 'body-prompt'],
    ],
    [
      'Responses have header fields of an AI provider; responses have header fields of an AI gateway; responses limit tokens; responses to JSON requests are event streams',
      ['answer-provider', 'answer-gateway', 'answer-token-limit', 'answer-stream'],
    ],
    [
      'Responses stream like those of a model; responses count tokens; errors look like those of a model API',
      ['answer-events', 'answer-usage', 'answer-error'],
    ],
  ])('in words: %s', (reason, signals) => expect(of(signals).reason).toBe(reason));

  test.each<[Signal[], boolean]>([
    [[], false],
    [['host-token-ai', 'path-model-list'], false],
    [['host-token-ai', 'host-tld-ai'], true],
    [['body-chat'], true],
  ])('%j are worth storing: %s', (signals, expected) => expect(isWorthKeeping(signals)).toBe(expected));
});
