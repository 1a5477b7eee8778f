/**
 * The SDK: import time of the published package, and CPU time of a call through protectFetch compared with the core calls
 * it makes (minimum of the rounds, median of the ratios). The floor makes the same core calls around the same fetch.
 *
 *   node --expose-gc bench/sdk.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Detector } from '../core/detect/detector.ts';
import { applyReserved, outsideTokens, reservation } from '../core/mask.ts';
import { bodyKind, parseRequestBody, type TextBodyKind } from '../core/payload/request.ts';
import { restoreJsonBody } from '../core/payload/response.ts';
import { StreamRestorer } from '../core/stream/stream-restorer.ts';
import { MemoryVault } from '../core/vault.ts';
import { createPrivet, protectFetch } from '../sdk/index.ts';

const calls = Number(process.env.BENCH_CALLS ?? 200);
const rounds = Number(process.env.BENCH_ROUNDS ?? 31);
const root = path.join(import.meta.dirname, '..');

const values = 'Ana Lopez, ana.lopez@example.com, +1 415 555 0132, card 4111 1111 1111 1111, 203.0.113.77. ';
const filler = 'The quarterly report should mention the new plan and its effect on the team. '.repeat(60);
const body = JSON.stringify({
  model: 'gpt-4o-mini',
  messages: [
    { role: 'system', content: 'You are a helpful assistant.' },
    { role: 'user', content: (values + filler).slice(0, 3_700) },
  ],
});
const answerText = 'I wrote to [EMAIL-1] and called [PHONE-1]; the card is [CREDIT_CARD-1]. '.repeat(4);
const document = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: answerText } }] });
const events = (answerText.match(/.{1,12}/gs) ?? []).map((content) =>
  new TextEncoder().encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`),
);

const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
const answerDocument = async () => new Response(document, { headers: { 'content-type': 'application/json' } });
const answerStream = async () => {
  let next = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const event = events[next++];
      if (event === undefined) controller.close();
      else controller.enqueue(event);
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
};
type Answer = () => Promise<Response>;

const vault = new MemoryVault();
const detector = new Detector();

async function maskByHand(): Promise<string> {
  const kind = bodyKind('application/json') as TextBodyKind;
  const parsed = parseRequestBody(kind, body);
  const found = parsed.leaves.map((leaf) => outsideTokens(leaf, detector.detect(leaf)));
  const { entries, taken } = reservation(parsed.leaves, found);
  const tokens = vault.reserve('floor', entries, { taken });
  return parsed.rewrite(applyReserved(parsed.leaves, found, tokens));
}

/** Only the core calls, around the same fetch and the same reading of the response. */
async function floor(answer: Answer): Promise<void> {
  const masked = await maskByHand();
  if (masked === body) throw new Error('nothing was masked');
  const response = await answer();
  const map = vault.tokens('floor');
  if (map === undefined || response.body === null) throw new Error('no session');
  if (answer === answerDocument) {
    restoreJsonBody(await response.text(), map);
    return;
  }
  const restorer = new StreamRestorer({ kind: 'sse', map });
  for await (const chunk of response.body) restorer.push(chunk);
  restorer.end();
}

const privet = createPrivet();
const fetches = new Map<Answer, typeof fetch>(
  [answerDocument, answerStream].map((answer) => [answer, protectFetch(answer as typeof fetch, { privet })]),
);

async function through(answer: Answer): Promise<void> {
  const response = await (fetches.get(answer) as typeof fetch)('https://api.openai.com/v1/chat/completions', init);
  if (answer === answerDocument) await response.text();
  else for await (const _chunk of response.body ?? []);
}

/** CPU milliseconds of this process per call, after a garbage collection. */
async function cpuOf(work: () => Promise<void>, count: number): Promise<number> {
  (globalThis as { gc?: () => void }).gc?.();
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / count;
}

function importMs(): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'privet-bench-sdk-'));
  try {
    execFileSync(process.execPath, [path.join(root, 'sdk/build.ts'), folder]);
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const code = 'const t = performance.now(); await import("./index.js"); console.log(performance.now() - t);';
    const times = Array.from({ length: 15 }, () =>
      Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: folder }).toString()),
    );
    return Math.min(...times);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number;
const write = (line: string) => process.stdout.write(`${line}\n`);
write(
  `${'import of the compiled package (smallest)'.padEnd(48)}${importMs().toFixed(1).padStart(9)} ms        limit 60`,
);
write(`${'protectFetch, 4 KiB chat'.padEnd(48)}${'core'.padStart(9)}${'SDK'.padStart(9)}  ms/call  ratio  limit`);
for (const [name, answer] of [
  ['JSON answer', answerDocument],
  [`streamed answer, ${events.length} events`, answerStream],
] as const) {
  const pairs: { core: number; sdk: number }[] = [];
  await cpuOf(() => floor(answer), calls * 5);
  await cpuOf(() => through(answer), calls * 5);
  // Small alternating rounds, so that other load affects both equally.
  for (let round = 0; round < rounds; round++) {
    pairs.push({ core: await cpuOf(() => floor(answer), calls), sdk: await cpuOf(() => through(answer), calls) });
  }
  const core = Math.min(...pairs.map((pair) => pair.core));
  const sdk = Math.min(...pairs.map((pair) => pair.sdk));
  const ratio = median(pairs.map((pair) => pair.sdk / pair.core));
  write(
    `${name.padEnd(48)}${core.toFixed(3).padStart(9)}${sdk.toFixed(3).padStart(9)}           ${ratio.toFixed(2)}   1.3${ratio > 1.3 ? '  over' : ''}`,
  );
}
