/** Names that imitate those of registered services, and those that only resemble them. */
import { describe, expect, test } from 'vitest';
import { LookalikeIndex } from '../../policy/discovery-lookalike.ts';

describe('a name that imitates', () => {
  const index = new LookalikeIndex([
    ...'openai.com|chatgpt.com|perplexity.ai|huggingface.co|poe.com|claude.ai|*.cdn.midjourney.com'.split('|'),
    ...'shared.example/midjourneys|api.elevenlabs.io|chatgpt.example|cohere.com|wordware.com'.split('|'),
    ...'together.ai|deepseek.io'.split('|'),
  ]);
  test.each<[host: string, imitated: string | undefined]>([
    ['openal.com', 'openai.com'],
    ['opena1.com', 'openai.com'],
    ['chatgtp.com', 'chatgpt.com'],
    ['www.chatgpt.com.login.example', 'chatgpt.com'],
    ['openai-support.net', 'openai.com'],
    ['xn--oenai-vye.com', 'openai.com'],
    ['perp1exity.ai', 'perplexity.ai'],
    ['huggingfaces.co', 'huggingface.co'],
    ['openaii.com', 'openai.com'],
    ['oepnai.com', 'openai.com'],
    ['opemai.com', 'openai.com'],
    ['chatgpts.com', 'chatgpt.com'],
    ['elevenlab.io', 'elevenlabs.io'],
    ['elevenlabz.io', 'elevenlabs.io'],
    ['elevenlabz.com', 'elevenlabs.io'],
    ['elevenlabz.example', 'elevenlabs.io'],
    ['perplexitie.org', undefined],
    ['perplexitx.com', 'perplexity.ai'],
    ['vvordware.com', 'wordware.com'],
    ['worclware.com', 'wordware.com'],
    ['chatgpt.com.example', 'chatgpt.com'],
    ['www.claude.ai.login.co.jp', 'claude.ai'],
    ['www.poe.com.login.example', 'poe.com'],
    ['login-chatgpt.example.com', undefined],
    ['my-elevenlabs-key.example', 'elevenlabs.io'],
    ['chatgpt-key.test', 'chatgpt.com'],
    ['xn--claude-8nf.ai', undefined],
    // No imitations.
    ['chatgpt.test', undefined],
    ['midjourneyx.com', undefined],
    ['cohere-energy.example', undefined],
    ['together-today.example', undefined],
    ['poes.com', undefined],
    ['opennai.test', undefined],
    ['openaixx.com', undefined],
    ['opnai.com', undefined],
    ['deepseeq.com', 'deepseek.io'],
    ['deepseeq.net', undefined],
    ['chatgqt.example', 'chatgpt.example'],
    ['poe.com.au', undefined],
    ['openai.com', undefined],
    ['chat.openai.com', undefined],
    ['openai.org', undefined],
    ['open.com', undefined],
    ['pie.com', undefined],
    ['claude-monet.example', undefined],
    ['perplexing.com', undefined],
    ['192.0.2.7', undefined],
  ])('%s: %s', (host, imitated) => expect(index.find(host)).toBe(imitated));

  test('of a registry with a million names only the first are indexed, so that no request waits for it', () => {
    let taken = 0;
    function* names() {
      for (let i = 0; i < 1_000_000; i++) {
        taken++;
        yield i === 0 ? 'chatgpt.com' : `s${i}.example`;
      }
    }
    expect(new LookalikeIndex(names()).find('chatgtp.com')).toBe('chatgpt.com');
    expect(taken).toBeLessThan(10_000);
  });
});
