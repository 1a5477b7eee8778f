/** Users who send an AI service one prompt after the other through the group, and an origin that responds slowly. */
import { createServer, type Server } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import type { TestAuthority } from '../../test/support/authority.ts';
import { ownAddress } from './network.ts';

/** The service. */
export const host = 'api.openai.com';

const words = 'we will write to them and to nobody else before the end of the week'.split(' ');
const gapMs = 30;
/** Longer than any silence here; real programs wait for minutes. */
const patienceMs = 120_000;

/** The part of an answer about the prompt's value. */
export const answerOf = (value: string) => [value, ...words, value].join(' ');

/** An origin that streams the prompt's first token, words, and the token again. It records request bodies. */
export type Origin = { readonly port: number; everything(): string; close(): void };

/** Starts it. */
export async function startOrigin(authority: TestAuthority): Promise<Origin> {
  const bodies: string[] = [];
  const server: Server = createServer(authority.issue({ names: [host] }), (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.once('error', () => {});
    request.once('end', async () => {
      bodies.push(body);
      const token = /\[[A-Z_]+-\d+\]/.exec(body)?.[0] ?? 'none';
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const word of [token, ...words, token]) {
        response.write(`data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(`${word} `)}}}]}\n\n`);
        await sleep(gapMs);
      }
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, ownAddress, resolve));
  const { port } = server.address() as { port: number };
  return { port, everything: () => bodies.join('\n'), close: () => void server.closeAllConnections() };
}

type Chunk = { readonly choices: readonly { readonly delta: { readonly content: string } }[] };

/** The result of an attempt: the text received, and whether it is complete. */
export type Attempt = { readonly text: string; readonly isWhole: boolean; readonly reason?: string };

/** Asks once, over a new connection. */
export async function ask(proxy: { host: string; port: number }, ca: string, question: string): Promise<Attempt> {
  const dispatcher = new ProxyAgent({
    uri: `http://${proxy.host}:${proxy.port}`,
    requestTls: { ca },
    bodyTimeout: patienceMs,
    headersTimeout: patienceMs,
  });
  let text = '';
  try {
    const answer = await undiciFetch(`https://${host}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer one' },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: question }] }),
      dispatcher,
    });
    if (!answer.ok) {
      await answer.text();
      return { text, isWhole: false, reason: `status ${answer.status}` };
    }
    let raw = '';
    let isWhole = false;
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      raw += decoder.decode(chunk as Uint8Array, { stream: true });
      const events = raw.split('\n\n');
      raw = events.pop() as string;
      for (const event of events) {
        if (event === 'data: [DONE]') isWhole = true;
        else if (event.startsWith('data: {')) {
          text += (JSON.parse(event.slice(6)) as Chunk).choices[0]?.delta.content ?? '';
        }
      }
    }
    return { text: text.trim(), isWhole, ...(isWhole ? {} : { reason: 'ended early' }) };
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    return { text: text.trim(), isWhole: false, reason: code ?? message };
  } finally {
    await dispatcher.destroy();
  }
}

/** The users' observations. */
export type Seen = {
  answers: number;
  /** Attempts that broke off or were refused; each was retried until it was answered. */
  retries: number;
  /** Texts, complete or not, that differ from what the service wrote about the user's own value. */
  wrong: string[];
  /** Longest time until an attempt failed, and from the first attempt to the complete answer. */
  longestFailureMs: number;
  longestMs: number;
  reasons: Map<string, number>;
};

/** Users asking continuously until {@link stop}. */
export class People {
  readonly seen: Seen = { answers: 0, retries: 0, wrong: [], longestFailureMs: 0, longestMs: 0, reasons: new Map() };
  readonly #running: Promise<unknown>;
  #isStopping = false;

  constructor(count: number, proxy: { host: string; port: number }, ca: string, name: string) {
    const person = async (i: number) => {
      for (let n = 0; !this.#isStopping; n++) {
        await this.#askUntilAnswered(`${name}.${i}.${n}@mail.example`, (question) => ask(proxy, ca, question));
      }
    };
    this.#running = Promise.all(Array.from({ length: count }, (_, i) => person(i)));
  }

  /** Resolves when every user has the last answer. */
  async stop(): Promise<Seen> {
    this.#isStopping = true;
    await this.#running;
    return this.seen;
  }

  async #askUntilAnswered(value: string, asked: (question: string) => Promise<Attempt>): Promise<void> {
    const { seen } = this;
    const began = performance.now();
    const right = answerOf(value);
    while (true) {
      const at = performance.now();
      const { text, isWhole, reason } = await asked(`Write to ${value}`);
      if (isWhole ? text !== right : !right.startsWith(text)) seen.wrong.push(text);
      if (isWhole) break;
      seen.retries++;
      seen.reasons.set(reason ?? '', (seen.reasons.get(reason ?? '') ?? 0) + 1);
      seen.longestFailureMs = Math.max(seen.longestFailureMs, performance.now() - at);
      await sleep(100);
    }
    seen.answers++;
    seen.longestMs = Math.max(seen.longestMs, performance.now() - began);
  }
}
