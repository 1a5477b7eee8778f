/** The providers' own packages show why the gateway refuses a request. */
import { beforeAll, expect, test } from 'vitest';
import { proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { personal, prompt } from '../support/personal.ts';
import { run } from '../support/run.ts';

const google = 'generativelanguage.googleapis.com';
const bedrock = 'bedrock-runtime.us-east-1.amazonaws.com';
const names = ['api.openai.com', 'api.anthropic.com', google, 'ollama.com', 'router.huggingface.co', bedrock];
const reason = 'Step detect: the request contains EMAIL, which may not be sent to this service.';

const origin = await startOrigin({ names });
const gateway = await startGateway({
  hosts: Object.fromEntries(names.map((name) => [name, origin])),
  config: {
    policy: {
      rules: [{ name: 'all', when: { hosts: names }, then: { inspect: 'mask', types: { EMAIL: 'block' } } }],
    },
  },
});

/** Prints the message of each package's error. */
const program = `
import OpenAI from 'openai';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
const content = process.env.PROMPT;
const messages = [{ role: 'user', content }];
const keys = { apiKey: 'test-key', maxRetries: 0 };
const calls = {
  openai: () => new OpenAI(keys).responses.create({ model: 'm', input: content }),
  anthropic: () => new Anthropic(keys).messages.create({ model: 'm', max_tokens: 9, messages }),
  google: () => new GoogleGenAI(keys).models.generateContent({ model: 'm', contents: content }),
  ollama: () => new Ollama({ host: 'https://ollama.com' }).chat({ model: 'm', messages }),
};
const told = {};
for (const [name, call] of Object.entries(calls)) told[name] = await call().then(() => 'sent', (error) => error.message);
console.log(JSON.stringify(told));
`;
let told: Record<string, string>;
beforeAll(async () => {
  const result = await run(process.execPath, ['--input-type=module', '-e', program], {
    env: {
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: gateway.proxyUrl,
      NODE_EXTRA_CA_CERTS: gateway.caFile,
      PROMPT: prompt,
    },
  });
  expect(result.stderr).toBe('');
  told = JSON.parse(result.text);
});

test.each([
  ['openai', `403 ${reason}`],
  ['anthropic', `403 ${reason}`],
  ['ollama', reason],
])('%s', (name, expected) => expect(told[name]).toBe(expected));

test('google', () => {
  expect(JSON.parse(told.google ?? '').error).toMatchObject({
    code: 403,
    status: 'PERMISSION_DENIED',
    message: reason,
    reason: 'blocked_by_policy',
    types: { EMAIL: 1 },
  });
});

// Other packages, by what they read.
test.each([
  ['AWS', bedrock, '/model/m/converse', { message: reason }],
  ['AI SDK for Anthropic', 'api.anthropic.com', '/v1/messages', { type: 'error', error: { message: reason } }],
  ['AI SDK for Google', google, '/v1beta/models/m:generateContent', { error: { code: 403, message: reason } }],
  ['Hugging Face', 'router.huggingface.co', '/v1/chat/completions', { error: reason }],
])('%s', async (_name, host, path, body) => {
  const response = await proxiedFetch(gateway).fetch(`https://${host}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: `Mail ${personal.EMAIL}` }),
  });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject(body);
});
