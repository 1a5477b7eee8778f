/**
 * The cost of inspecting tools: CPU microseconds per KB of tool definitions, new and known; and what the injection
 * check adds to masking for a conversation without new text.
 *
 *   node bench/agents.ts
 */

import { OpenCalls } from '../core/agents/model-answer.ts';
import { readModelRequest } from '../core/agents/model-request.ts';
import { builtinTypes } from '../core/detect/detector.ts';
import { wireFormats } from '../core/formats/index.ts';
import { MemoryVault } from '../core/vault.ts';
import { DefinitionScanner } from '../gateway/agents/definitions.ts';
import { InjectionCheck } from '../gateway/agents/injection-check.ts';
import { Inventory } from '../gateway/agents/inventory.ts';
import { reviewTools } from '../gateway/agents/tool-review.ts';
import { createLog } from '../gateway/observe/log.ts';
import { BodyMasker } from '../gateway/proxy/body/masking.ts';
import { openMemoryStores } from '../gateway/stores/memory.ts';
import { injectionDefaults, toolDefaults } from '../policy/agent-settings.ts';
import { noToolRules } from '../policy/tool-rules.ts';
import { microsecondsOf } from './cpu-time.ts';

const row = (name: string, figure: number, unit: string, limit: string) =>
  console.log(`${name.padEnd(52)}${figure.toFixed(1).padStart(9)} ${unit.padEnd(8)}${limit}`);

/** Definitions like those of coding agents: some sentences, and a schema with descriptions. */
function toolsOf(count: number, mark: string) {
  return Array.from({ length: count }, (_, i) => ({
    name: `mcp__server${i % 5}__tool_${mark}_${i}`,
    description: `Finds the pages of the handbook that hold the words, number ${i}. Use it when the user asks about a rule of the company. The result is a list of titles with an excerpt of each page, the best first. It does not change anything.`,
    input_schema: {
      type: 'object',
      properties: {
        words: { type: 'string', description: 'Words that the pages have to hold, separated by blanks.' },
        limit: { type: 'integer', description: 'How many pages are returned at most.', default: 10 },
        order: { type: 'string', enum: ['best', 'newest', 'oldest'], description: 'In which order they are returned.' },
      },
      required: ['words'],
    },
  }));
}

const scanner = new DefinitionScanner();
const stores = openMemoryStores({
  ttlMs: 0,
  tokensPerSessionMax: 1000,
  now: Date.now,
  retention: () => ({ keep: 1, ms: 1 }),
});
const inventory = new Inventory({ stores, log: createLog({ level: 'silent' }).log });
const use = { user: 'ann', service: 'openai-api', agent: 'bench' };
const known = JSON.stringify({
  model: 'm',
  messages: [{ role: 'user', content: 'Hello there.' }],
  tools: toolsOf(40, 'a'),
});
const kb = Buffer.byteLength(known) / 1000;
const read = (json: string) => {
  const facts = { agent: 'bench', servers: [], tools: [], findings: [], injection: undefined };
  const parts = { inventory, scanner, rules: noToolRules, settings: toolDefaults, use, facts };
  return reviewTools(parts, readModelRequest(JSON.parse(json))?.tools ?? [], { kind: 'local' });
};
row(
  'definitions seen before: parsed, pinned, reviewed',
  microsecondsOf(() => read(known), 100) / kb,
  'µs/KB',
  'at most 60',
);

let mark = 0;
const fresh = () => JSON.stringify({ messages: [], tools: toolsOf(40, `b${mark++}`) });
const bodies = Array.from({ length: 40 }, fresh);
let at = 0;
row(
  'definitions at first sight, scanned for poison',
  microsecondsOf(() => read(bodies[at++ % bodies.length] as string), 5) / kb,
  'µs/KB',
  'once for each',
);

const turn = (i: number) => [
  {
    role: 'user',
    content: `Question ${i}: what does the handbook say about holidays in the ${i}th year? Please quote the page and keep it short.`,
  },
  {
    role: 'assistant',
    content: `Answer ${i}: the page on leave says that holidays are agreed with the team and entered in the calendar before the month begins.`,
  },
];
const chat = JSON.stringify({
  model: 'm',
  messages: [
    ...Array.from({ length: 20 }, (_, i) => turn(i)).flat(),
    { role: 'user', content: 'And what about public holidays, are these listed on the same page?' },
  ],
});
const check = new InjectionCheck();
const inject = () => check.find(readModelRequest(JSON.parse(chat))?.texts ?? [], injectionDefaults);
const masker = new BodyMasker({
  vault: new MemoryVault(),
  types: {},
  dictionary: [],
  bodyBytesMax: 32 * 2 ** 20,
  uninspectable: { image: 'allow', audio: 'allow', document: 'extract', binary: 'omit', signed: 'block' },
  tokenTtlMs: 0,
  batchTtlMs: 0,
  hints: [],
  builtinTypes,
});
const body = Buffer.from(chat);
const mask = () =>
  masker.mask({
    body,
    contentType: 'application/json',
    contentEncoding: undefined,
    host: 'h',
    path: '/',
    session: 's',
    mode: 'mask',
  });
const injectUs = microsecondsOf(inject, 2_000);
const maskUs = microsecondsOf(mask, 1_000);
row(`nothing new in ${(body.length / 1000).toFixed(1)} KB of chat: injections`, injectUs, 'µs', '');
row('masking of the same', maskUs, 'µs', '');

const event =
  '{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"q"}}]},"finish_reason":null}]}';
const calls = new OpenCalls();
row(
  'one event of a call in a stream',
  microsecondsOf(() => calls.add(wireFormats.agents.answer(JSON.parse(event))), 2_000),
  'µs',
  '',
);
