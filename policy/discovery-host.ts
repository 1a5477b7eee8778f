/**
 * Signals from the name of a host, which need no look into the connection. Names alone find less than half of the known
 * AI services and hardly ever an ordinary host (figures in docs/discovery.md).
 */
import { isIP } from 'node:net';
import type { Signal } from './discovery.ts';
import { registrableDomain } from './discovery-domain.ts';
import { oneOf } from './patterns.ts';

/** Words of models and products with no other meaning; they match anywhere in a label. */
const anywhere = new RegExp(
  oneOf(`chatgpt openai anthropic deepseek huggingface stablediffusion stable-diffusion midjourney openrouter chatbot copilot
characterai genai langchain ollama comfyui text2img txt2img aichat chatai aiwriter aigen`),
);
/** Words that mean something else inside a longer word; they match a whole label or a part between hyphens. */
const words = new Set(
  `gpt gpt3 gpt4 gpt5 gpt4o llm llms claude gemini llama llama2 llama3 mistral mixtral qwen grok kimi vllm sora rag
tts stt asr bard codex whisper embeddings completions perplexity dalle sdxl gpts`.split(/\s+/),
);
const gptPart = /^(?:gpt[a-z0-9]{0,12}|[a-z0-9]{2,14}gpt|[a-z0-9]{2,14}llm|llm[a-z0-9]{2,12})$/;
const risk = new RegExp(
  oneOf(`undress nudify deepnude faceswap face-swap deepfake clothoff clothesremov waifu aigirlfriend ai-girlfriend
    girlfriend`),
);
const chat = /chat|prompt|diffusion/;
const chatWords = new Set('bot bots assistant agent agents voice avatar summarizer paraphraser humanizer'.split(' '));
/** Words that contain one of the above by chance. */
const ordinary = /snapchat|wechat|livechat|robots?\b|botany|chateau|prompto|thebot|bottle/;
/** Labels of four letters or more that end in "ai" but are not about AI. */
const endsInAi = new RegExp(
  `${oneOf(`thai shai dubai shanghai mumbai chennai hyundai samurai bonsai sensei hawai sinai masai kawai banzai nikkei versai eai
akai osai lunghai kansai sendai kirai mirai sakai tokai nikai`)}$`,
);
const apiLabels = new Set('api inference llm gateway generate completions embeddings models playground'.split(' '));

/** The signals of a host name (from `normalizeHost`); none for addresses. */
export function hostSignals(host: string): Signal[] {
  if (isIP(host) !== 0) return [];
  const domain = registrableDomain(host);
  const labels = host.split('.');
  const found = new Set<Signal>();
  // The top level is a signal of its own; a public one such as `.bot` means nothing here.
  const own = labels.slice(0, -1);
  if (labels.at(-1) === 'ai') found.add('host-tld-ai');
  for (const label of own) {
    const parts = label.split('-');
    if (anywhere.test(label) || parts.some((part) => words.has(part) || gptPart.test(part)))
      found.add('host-model-word');
    if (risk.test(label)) found.add('host-risk-word');
    if (parts.includes('ai') || isAiWord(label, parts)) found.add('host-token-ai');
    if (!ordinary.test(label) && (chat.test(label) || parts.some((part) => chatWords.has(part))))
      found.add('host-chat-word');
  }
  const first = labels[0] as string;
  if (host !== domain && apiLabels.has(first) && (found.has('host-tld-ai') || found.has('host-model-word')))
    found.add('host-api-label');
  return [...found];
}

/** `perplexityai`, `ai21`, `aiwriter`: "ai" at the start or end of a label that is not an ordinary word. */
function isAiWord(label: string, parts: readonly string[]): boolean {
  if (parts.some((part) => /^ai\d/.test(part))) return true;
  return label.length >= 5 && label.endsWith('ai') && !endsInAi.test(label);
}
