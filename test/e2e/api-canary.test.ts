/**
 * Whatever is sent to the API, and however it fails: the log contains no text, token, value or key of it, at any level.
 */
import { expect, test } from 'vitest';
import { makeDocx } from '../support/documents.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { startOrigin } from '../support/origin.ts';

const value = 'canary.person@example.com';
const word = 'Kanarienvogel';
const providerKey = ['provider', 'canary', 'key'].join('-');

test('at trace, which includes all other levels', async () => {
  let fails = false;
  const origin = await startOrigin({
    handler: (request, response) => {
      const isStream = !fails && JSON.parse(request.body.toString()).stream === true;
      const type = isStream ? 'text/event-stream' : 'application/json';
      response.writeHead(fails ? 500 : 200, { 'content-type': type });
      const said = { content: `${word} said [EMAIL-1]` };
      const echo = { error: { message: `${request.body} ${JSON.stringify(request.headers)}` } };
      const text = JSON.stringify(fails ? echo : { model: 'm', choices: [{ message: said, delta: said }] });
      response.end(isStream ? `data: ${text}\n\ndata: [DONE]\n\n` : text);
    },
  });
  const gateway = await startGatewayProcess({
    env: {
      LOG_LEVEL: 'trace',
      CUSTOM_LLM_BASE_URL: `http://${origin.address}/v1`,
      CUSTOM_LLM_API_KEY: providerKey,
      CUSTOM_LLM_MODEL: 'm',
      // The providers' packages would log whole requests with these settings.
      OPENAI_LOG: 'debug',
      ANTHROPIC_LOG: 'debug',
      DEBUG: '*',
    },
  });
  const secrets: string[] = [value, word, providerKey, gateway.adminKey];
  const answers: number[] = [];
  const send = async (path: string, body: unknown, type = 'application/json'): Promise<Record<string, unknown>> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await gateway.api(path, { method: 'POST', body: text, headers: { 'content-type': type } });
    answers.push(answer.status);
    return (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  };
  try {
    const text = `${word} wrote to ${value}`;
    const masked = await send('/mask', { text, tokenFormat: 'secured' });
    const { sessionId } = masked;
    secrets.push(...Object.keys(masked.tokenMap as object));
    const { key } = (await send('/admin/keys', { name: 'app', plan: 'starter' })) as { key: string };
    secrets.push(key);
    const dictionary = [{ label: 'BIRD', pattern: word }];
    for (const path of ['/detect', '/detect-pii', '/mask']) await send(path, { text, dictionary });
    for (const path of ['/detect-injection', '/detect-sql-injection', '/detect-all-injections'])
      await send(path, { text });
    await send('/restore', { text: masked.masked, sessionId });
    await send('/restore-all', { text: masked.masked });
    const { chunks } = (await send('/rag/ingest', { text })) as { chunks: { text: string; tokens: string[] }[] };
    secrets.push(...(chunks[0]?.tokens ?? []));
    await send('/rag/resolve', { text: chunks[0]?.text });
    for (const path of ['/demo/detect', '/demo/mask', '/demo/detect-all-injections']) await send(path, { text });
    for (const stream of [false, true]) await send('/chat', { message: text, stream });
    await send('/chat-multi', { message: text, providers: ['custom', 'custom'] });
    fails = true;
    await send('/chat', { message: text });
    await send('/chat-multi', { message: text, providers: ['custom'] });
    for (const file of [text, makeDocx([[text]]), makeDocx([[text]]).slice(0, 400)]) {
      const form = new FormData();
      form.append('file', new Blob([file as string]), `${word}.docx`);
      const headers = { authorization: `Bearer ${gateway.adminKey}` };
      answers.push((await fetch(`${gateway.apiUrl}/upload`, { method: 'POST', body: form, headers })).status);
    }
    // Everything that can be wrong with a request.
    await send('/mask', `{"text":"${text}`);
    await send('/mask', { text, [word]: value });
    await send('/mask', { text: [text] });
    await send('/mask', { text, dictionary: [{ label: word, pattern: `/(${word}/` }] });
    await send('/mask', { text: word.repeat(1_000_000) });
    await send('/mask', text, 'text/plain');
    await send('/restore', { text, sessionId: word });
    await send(`/${word}?q=${value}`, { text });
    await send('/shadow-ai/services', { service_name: word, domain: `${word} ${value}` });
    const wrong = { authorization: `Bearer pvt_live_${word}${'0'.repeat(32 - word.length)}` };
    answers.push((await fetch(`${gateway.apiUrl}/credits`, { headers: wrong })).status);
    expect(new Set(answers)).toEqual(new Set([200, 201, 422, 400, 413, 415, 404, 401, 503]));
  } finally {
    await gateway.stop();
    await origin.close();
  }
  const output = gateway.output();
  expect(output).toContain('"listening"');
  for (const secret of secrets) expect(output).not.toContain(secret);
});
