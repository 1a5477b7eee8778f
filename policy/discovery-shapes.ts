/**
 * Signals from the shape of requests and responses: paths, field names, JSON keys, event names. Only signals leave this
 * file, never a value of a request.
 */
import type { Family, Signal } from './discovery.ts';
import { oneOf } from './patterns.ts';

/** What one part of an exchange showed. */
export type Shapes = { readonly signals: readonly Signal[]; readonly family?: Family };

/** The head of a request: `path` as the client sent it, header fields as name, value, name, value. */
export type RequestHead = {
  readonly method: string;
  readonly path: string;
  readonly port: number;
  readonly rawHeaders: readonly string[];
};

/** How many bytes of a request body and of a response are examined. */
export const requestBytesMax = 64 * 1024;
export const answerBytesMax = 16 * 1024;

/** Path endings that only model APIs have. */
const paths: readonly (readonly [RegExp, Family])[] = [
  [/\/chat\/completions$/, 'openai-like'],
  [/\/images\/(?:generations|edits|variations)$/, 'image'],
  [/\/audio\/(?:transcriptions|translations|speech)$/, 'openai-like'],
  [/\/v\d[a-z0-9]*\/(?:completions|responses|embeddings|moderations|realtime|fim\/completions|rerank)$/, 'openai-like'],
  [/\/v\d[a-z0-9]*\/(?:messages|messages\/count_tokens|complete)$/, 'anthropic-like'],
  [/:(?:generateContent|streamGenerateContent|countTokens|batchGenerateContents|embedContent)$/, 'gemini-like'],
  [/\/api\/(?:generate|chat|tags|embed|embeddings)$/, 'ollama-like'],
  [/\/(?:sdapi\/v\d\/(?:txt2img|img2img)|text-to-image|txt2img)$/, 'image'],
  [/\/(?:invoke-with-response-stream|converse|converse-stream)$/, 'anthropic-like'],
];
/** Path endings that other APIs have too. */
const commonPaths = new RegExp(
  `(?:/${oneOf(`
    models prompt completions responses messages embeddings moderations rerank realtime invoke predictions
    backend-api/conversation conversation ask`)}|:predict)$`,
);
const modelServerPorts = new Set([11434, 1234, 7860, 8188]);

/** Prefixes of AI providers' keys; the value itself is never stored. */
const providerKey = /^(?:sk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9]|gsk_|pplx-|hf_|r8_|xai-|nvapi-|fw_|tgp_v1_)/;
const providerFields = new Set([
  'openai-organization',
  'openai-beta',
  'openai-project',
  'anthropic-version',
  'anthropic-beta',
]);
const sdkNames = oneOf(`
  openai anthropic claude-cli claude-code codex gemini-cli google-genai cohere mistral groq litellm langchain
  llama[-_]?index ollama huggingface ai-sdk`);
const sdkAgent = new RegExp(String.raw`\b${sdkNames}[-_/]`, 'i');

export function requestShapes({ method, path, port, rawHeaders }: RequestHead): Shapes {
  const signals = new Set<Signal>();
  const query = path.indexOf('?');
  const plain = (query < 0 ? path : path.slice(0, query)).replace(/\/+$/, '');
  let family = paths.find(([pattern]) => pattern.test(plain))?.[1];
  if (family !== undefined && method !== 'OPTIONS') signals.add('path-model-api');
  else if (commonPaths.test(plain)) signals.add('path-model-list');
  if (modelServerPorts.has(port)) signals.add('port-model-server');
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    const value = rawHeaders[i + 1] as string;
    if (name === 'authorization' || name === 'x-api-key' || name === 'api-key') {
      if (providerKey.test(value.replace(/^bearer\s+/i, ''))) signals.add('header-provider-key');
    } else if (name === 'user-agent') {
      if (sdkAgent.test(value.slice(0, 300))) signals.add('agent-sdk');
    } else if (providerFields.has(name)) {
      signals.add('header-provider');
      if (name.startsWith('anthropic')) family = 'anthropic-like';
    } else if (name.startsWith('x-stainless-') || name === 'helicone-auth' || name.startsWith('x-portkey-')) {
      signals.add('header-sdk');
    }
  }
  return { signals: [...signals], family };
}

const roles = new Set(['system', 'user', 'assistant', 'tool', 'developer', 'model']);
const inputs = ['messages', 'prompt', 'input', 'contents'];
const settings = `temperature top_p max_tokens max_output_tokens max_completion_tokens stop presence_penalty seed tools
tool_choice response_format stream system systemInstruction generationConfig`.split(/\s+/);
const asks = ['prompt', 'query', 'question', 'message', 'text'];
const threads = [
  'conversation_id',
  'conversationId',
  'parent_message_id',
  'thread_id',
  'threadId',
  'session_id',
  'chat_id',
  'chatId',
];
const media = ['negative_prompt', 'num_inference_steps', 'guidance_scale', 'voice_id', 'aspect_ratio'];
/**
 * Text counts as prose when it has a few words separated by spaces, or enough characters of a script without spaces.
 */
const prose = /\S\s+\S+\s+\S|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{8}/;

/** The signals of a JSON request body, or of its first {@link requestBytesMax} bytes. */
export function requestBodyShapes(text: string, hasModelPath = false): Shapes {
  if (!/^\s*[{[]/.test(text)) return { signals: [] };
  const object = parsed(text);
  const score = object === undefined ? scoreOfPart(text) : Math.max(scoreOf(object), scoreOf(object.variables));
  const isImage = media.some((name) => text.includes(`"${name}"`));
  const family = /"contents"\s*:\s*\[/.test(text) ? 'gemini-like' : isImage ? 'image' : undefined;
  const where = family === undefined ? {} : ({ family } as const);
  if (score >= 5 || (score >= 3 && hasModelPath)) return { signals: ['body-chat'], ...where };
  return score >= 3 ? { signals: ['body-prompt'], ...where } : { signals: [] };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Scores the keys of an object and of the objects one level below. */
function scoreOf(value: unknown): number {
  const object = asObject(value);
  if (object === undefined) return 0;
  let score = 0;
  const values = Object.values(object).slice(0, 100);
  if (values.some(isConversation)) score += 3;
  if (typeof object.model === 'string' && inputs.some((name) => name in object)) score += 3;
  if (settings.filter((name) => name in object).length >= 2) score += 2;
  const asking = asks.some((name) => typeof object[name] === 'string' && isProse(object[name]));
  if (asking && threads.some((name) => name in object)) score += 2;
  else if (asking && typeof object.model === 'string') score += 1;
  if (media.some((name) => name in object || values.some((inner) => name in (asObject(inner) ?? {})))) score += 1;
  return score;
}

function isProse(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 20 && prose.test(value);
}

/** A list of turns, each with a chat role and content. Web chats write the role as `author.role`. */
function isConversation(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.slice(0, 5).some((item) => {
    const turn = asObject(item);
    const role = turn?.role ?? asObject(turn?.author)?.role;
    return turn !== undefined && typeof role === 'string' && roles.has(role) && ('content' in turn || 'parts' in turn);
  });
}

/** The same for the examined part of a longer body. */
function scoreOfPart(text: string): number {
  const has = (name: string) => text.includes(`"${name}"`);
  let score = 0;
  if (/"role"\s*:\s*"(?:system|user|assistant|tool|developer|model)"/.test(text) && (has('content') || has('parts')))
    score += 3;
  if (/"model"\s*:\s*"/.test(text) && inputs.some(has)) score += 3;
  if (settings.filter(has).length >= 2) score += 2;
  if (media.some(has)) score += 1;
  return score;
}

const providerAnswer =
  /^(?:openai-(?:organization|processing-ms|version|model)|anthropic-(?:organization-id|ratelimit-))/;
const gatewayAnswer =
  /^(?:helicone-|cf-aig-|x-(?:litellm|portkey|openrouter|groq|inference|amzn-bedrock)-|x-compute-type$)/;
const tokenLimit = /^x-ratelimit-(?:limit|remaining|reset)-tokens/;

/** The signals of a response head. `isJsonPost`: the request was a POST with a JSON body. */
export function answerShapes(rawHeaders: readonly string[], isJsonPost: boolean): Shapes {
  const signals = new Set<Signal>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (providerAnswer.test(name)) signals.add('answer-provider');
    else if (gatewayAnswer.test(name)) signals.add('answer-gateway');
    else if (tokenLimit.test(name)) signals.add('answer-token-limit');
    else if (name === 'content-type' && isJsonPost && /^text\/event-stream\b/i.test(rawHeaders[i + 1] as string))
      signals.add('answer-stream');
  }
  return { signals: [...signals] };
}

const eventNames = oneOf(String.raw`
  message_start content_block_(?:start|delta) response\.(?:created|output_text\.delta) completion delta_encoding`);
const modelEvent = new RegExp(String.raw`^event: ?${eventNames}\s*$`, 'm');
const answerMember = String.raw`"(?:choices|candidates|delta|completion)"\s*:\s*[[{"]`;
const modelData = new RegExp(
  String.raw`^data: ?(?:\[DONE\]|` +
    String.raw`\{(?=[^\n]{0,4000}${answerMember})[^\n]{0,4000}"(?:delta|finish_reason|content|text|parts)")`,
  'm',
);
const counters = oneOf('prompt_tokens completion_tokens input_tokens output_tokens promptTokenCount');
const tokensUsed = new RegExp(String.raw`"(?:usage|usageMetadata)"\s*:\s*\{[^{}]{0,400}"${counters}"`);
const errorCodes = oneOf('invalid_api_key insufficient_quota context_length_exceeded model_not_found');
const modelError = new RegExp(String.raw`"(?:type|code)"\s*:\s*"${errorCodes}"`);

/** The signals of the first {@link answerBytesMax} bytes of a response. */
export function answerBodyShapes(text: string, contentType: string): Shapes {
  if (/event-stream/i.test(contentType)) {
    if (!modelEvent.test(text) && !modelData.test(text)) return { signals: [] };
    return {
      signals: ['answer-events'],
      ...(/^event: ?(?:message_start|content_block)/m.test(text) ? { family: 'anthropic-like' as const } : {}),
    };
  }
  if (!/json/i.test(contentType)) return { signals: [] };
  if (/ndjson|jsonl/i.test(contentType)) {
    const isModel = /"(?:response|delta|message)"\s*:/.test(text) && /"done"\s*:\s*(?:true|false)/.test(text);
    return isModel ? { signals: ['answer-events'], family: 'ollama-like' } : { signals: [] };
  }
  if (modelError.test(text)) return { signals: ['answer-error'] };
  const isChoice = /"choices"\s*:\s*\[/.test(text) && /"finish_reason"\s*:/.test(text);
  const isCandidate = /"candidates"\s*:\s*\[/.test(text) && /"(?:finishReason|parts)"\s*:/.test(text);
  const isMessage = /"stop_reason"\s*:/.test(text) && /"role"\s*:\s*"assistant"/.test(text);
  if (!tokensUsed.test(text) && !isChoice && !isCandidate && !isMessage) return { signals: [] };
  const family = isMessage ? 'anthropic-like' : isCandidate ? 'gemini-like' : isChoice ? 'openai-like' : undefined;
  return { signals: ['answer-usage'], family };
}
