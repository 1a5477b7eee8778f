/** Signals of a host name. */
import { describe, expect, test } from 'vitest';
import { loadServices } from '../../config/services.ts';
import { type Signal, signalWeights } from '../../policy/discovery.ts';
import { hostSignals } from '../../policy/discovery-host.ts';

describe('the name of a host', () => {
  test.each<[host: string, signals: Signal[]]>([
    ['chat.newgpt.ai', ['host-tld-ai', 'host-model-word', 'host-chat-word']],
    ['api.deepseek-mirror.example', ['host-model-word', 'host-api-label']],
    ['my-llm.example.com', ['host-model-word']],
    ['perplexityai.example', ['host-token-ai']],
    ['ai21.example', ['host-token-ai']],
    ['undress-now.example', ['host-risk-word']],
    ['chatbot.example', ['host-model-word', 'host-chat-word']],
    // Ordinary hosts.
    ['www.dubai.ae', []],
    ['thai.example', []],
    ['hyundai.com', []],
    ['snapchat.com', []],
    ['robots.example', []],
    ['gptx', []],
    ['gpt', []],
    ['a-thai.example', []],
    ['thebot.example', []],
    ['bot.example.com', ['host-chat-word']],
    ['avatar-maker.example', ['host-chat-word']],
    ['example.bot', []],
    ['example.ai', ['host-tld-ai']],
    ['ai.example', ['host-token-ai']],
    ['my-ai-shop.example', ['host-token-ai']],
    ['wxyai.example', ['host-token-ai']],
    ['wxai.example', []],
    ['x-ai2.example', ['host-token-ai']],
    ['aix.example', []],
    ['supergpt.example', ['host-model-word']],
    ['gpt4all.example', ['host-model-word']],
    ['mycorpllm.example', ['host-model-word']],
    ['llmops.example', ['host-model-word']],
    ['averyveryverylonggpt.example', []],
    ['api.claude.example', ['host-model-word', 'host-api-label']],
    ['api.example.ai', ['host-tld-ai', 'host-api-label']],
    ['api.ai', ['host-tld-ai']],
    ['face-swap.example', ['host-risk-word']],
    ['mail.example.co.jp', []],
    ['api.example.com', []],
    ['192.0.2.7', []],
    ['2001:db8::1', []],
  ])('%s', (host, signals) => expect(hostSignals(host).sort()).toEqual([...signals].sort()));

  test('finds four of ten registered domains', () => {
    const domains = (loadServices() as { domain: string; scope?: string }[]).filter(({ scope }) => scope !== 'path');
    const found = domains.filter(({ domain }) => hostSignals(domain).some((signal) => signalWeights[signal] !== 'C'));
    expect(found.length / domains.length).toBeGreaterThan(0.4);
  });
});
