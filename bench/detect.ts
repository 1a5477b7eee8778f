/**
 * The speed of detection with all types on: megabytes (UTF-8) per second on ordinary text, microseconds for a 4 KiB prompt
 * compared with the JSON work of its request, the same for third-party texts, the cost of hostile input per byte compared
 * with ordinary text, and the cost of loading the engine.
 *
 *   node bench/detect.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Detector } from '../core/detect/detector.ts';
import { copyUnits } from '../gateway/long-texts/copy-units.ts';

const rounds = 5;
/** The gateway's configuration. */
const detector = new Detector({ copyUnits });

/** A workload, and its calls per round. */
type Work = { readonly run: () => unknown; readonly calls: number };

/**
 * Minimum CPU time of each workload over some rounds, in seconds per call, which is robust on a busy machine. It covers
 * the whole process, because the kernel counts threads in steps of milliseconds. Every round runs each workload, because
 * the machine's speed varies by up to a factor of 2 within minutes; `warmUp` calls come first, for the compiler.
 */
function secondsInTurn(works: readonly Work[], turns: number, warmUp: number): number[] {
  for (const { run } of works) for (let i = 0; i < warmUp; i++) run();
  const best = works.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < turns; turn++) {
    for (const [n, { run, calls }] of works.entries()) {
      const start = process.cpuUsage();
      for (let i = 0; i < calls; i++) run();
      const { user, system } = process.cpuUsage(start);
      best[n] = Math.min(best[n] as number, (user + system) / calls / 1e6);
    }
  }
  return best;
}

function secondsOf(work: () => unknown, calls: number): number {
  return secondsInTurn([{ run: work, calls }], rounds, Math.min(calls, 50))[0] as number;
}

const english =
  'Could you help me to rewrite this paragraph for the quarterly report? The team in Boston shipped version 2.4.1 on 12 March, and ' +
  'revenue grew by 18% to $4.2 million, mostly because the new plan is easier to understand. Please keep it short, friendly and clear, ' +
  "and mention that customers can reach support at https://help.example.com/start until Friday. I'd also like a table with the three " +
  'main risks: the delayed migration, the password policy that people dislike, and the open question about who owns the account.\n';
const japanese =
  '四半期報告書のこの段落を書き直してもらえますか。大阪のチームは3月12日にバージョン2.4.1を出荷し、売上は18%増の4億2千万円になりました。' +
  '新しい料金プランのほうが分かりやすいというのが主な理由です。短く、読みやすく、丁寧な文にしてください。サポートの窓口は金曜日まで開いていることと、' +
  '移行の遅れ、パスワードの規則への不満、アカウントの担当者が決まっていないことの三つのリスクも表にまとめてください。\n';
const record = {
  id: 184_467,
  kind: 'event',
  name: 'page_view',
  at: '2024-11-20T10:15:30.123Z',
  duration: 12.75,
  path: '/products/list?page=3&sort=price',
  tags: ['web', 'spring', 'beta'],
  user: { id: 'u_8f3k2', plan: 'team', active: true },
  metrics: { first: 118, second: 0.934, total: 4096, hash: '9f86d081884c7d65' },
};
const minified = JSON.stringify(Array.from({ length: 40 }, (_, i) => ({ ...record, id: record.id + i })));

const ordinary = [
  ['English chat text', english, 12],
  ['Japanese', japanese, 8],
  ['minified JSON', minified, 40],
] as const;

let perByte = 0;
console.log('ordinary text (64 KiB)      MB/s   at least');
for (const [name, sample, limit] of ordinary) {
  const text = sample.repeat(Math.ceil(65_536 / sample.length));
  const bytes = new TextEncoder().encode(text).length;
  const seconds = secondsOf(() => detector.detect(text), 20);
  if (sample === english) perByte = seconds / bytes;
  console.log(`${name.padEnd(24)}${(bytes / seconds / 1e6).toFixed(1).padStart(9)}${String(limit).padStart(9)}`);
}

console.log('\nprompt of 4 KiB               µs    JSON µs   ratio (at most 6)');
for (const [name, sample] of ordinary) {
  const content = sample.repeat(Math.ceil(4096 / sample.length)).slice(0, 4096);
  const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }], temperature: 0.2 });
  // A flat string, as from a request.
  const prompt: string = JSON.parse(body).messages[0].content;
  // A running gateway has seen thousands of prompts.
  const [json = 0, detection = 0] = secondsInTurn(
    [
      { run: () => JSON.stringify(JSON.parse(body)), calls: 1_000 },
      { run: () => detector.detect(prompt), calls: 250 },
    ],
    20,
    2_000,
  ).map((seconds) => seconds * 1e6);
  console.log(
    `${name.padEnd(24)}${detection.toFixed(1).padStart(9)}${json.toFixed(1).padStart(10)}${(detection / json).toFixed(1).padStart(8)}`,
  );
}

/** Third-party texts in pieces of 4 KiB, all different, so that the CPU cannot predict the next one. */
const varied = [
  ['prompts to models', 'injection/prompt'],
  ['program code', 'pii/clean_code'],
  ['Japanese documentation', 'pii/clean_jadoc'],
  ['Japanese encyclopedia', 'pii/ja_ner'],
  ['a person in every sentence', 'pii/en_sentences'],
] as const;
console.log('\nvaried text, 4 KiB each        µs    JSON µs   ratio     MB/s');
for (const [name, file] of varied) {
  const prompts = stretchesOf(file);
  const bodies = prompts.map((content) => JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] }));
  const bytes = prompts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / prompts.length;
  const [json = 0, detection = 0] = secondsInTurn(
    [
      { run: () => bodies.map((body) => JSON.stringify(JSON.parse(body))), calls: 40 },
      { run: () => prompts.map((text) => detector.detect(text)), calls: 20 },
    ],
    10,
    50,
  ).map((seconds) => (seconds * 1e6) / prompts.length);
  console.log(
    `${name.padEnd(27)}${detection.toFixed(1).padStart(6)}${json.toFixed(1).padStart(10)}${(detection / json).toFixed(1).padStart(8)}${(bytes / detection).toFixed(1).padStart(9)}`,
  );
}

/** Up to 24 pieces from all parts of an evaluation file. */
function stretchesOf(file: string): string[] {
  const lines = readFileSync(new URL(`../eval/data/${file}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const text = lines.map((line) => (JSON.parse(line) as { text?: string }).text ?? '').join('\n');
  const step = Math.max(4096, Math.floor(text.length / 24));
  const starts = Array.from({ length: Math.floor((text.length - 4096) / step) + 1 }, (_, n) => n * step);
  // Flat strings, as from a request.
  return starts.map((start) => JSON.parse(JSON.stringify(text.slice(start, start + 4096).toWellFormed())) as string);
}

const hostile = [
  'a',
  '1-',
  '@',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  '(',
  '😀',
  'password=',
  'DOB ',
  'sk-',
  'eyJ',
  'eyJ.',
  'a@',
  '://',
  'a:',
  '::',
  '1.',
  '1/',
  '1=',
  '1+',
  '1(',
  '1 ',
  '0 ',
  'A ',
  'AA ',
  'Aa ',
  '国 ',
  '㈱',
  'Mr. ',
  'passport 1',
  'account number ',
  '口座番号',
  '生年月日',
  '東京都',
  '株式会社',
  'Key=',
  '/',
  '=',
  '1',
  '０',
  'あ',
  '\ud800',
  'John Smith ',
  '1 Main St ',
  '4800 Pine Ave, ',
  '<td>4800 Pine Ave</td>',
  '山田 ',
  'さ市1-2',
  'Van de ',
  '1 A ',
  '品川300あ',
  'AB12',
  '"a":"',
  '\n',
];
console.log('\nhostile input (1 MB)      ns/byte   ratio to English (at most 3)');
for (const part of hostile) {
  const text = part.repeat(Math.ceil(1_000_000 / part.length));
  const bytes = new TextEncoder().encode(text).length;
  const seconds = secondsOf(() => detector.detect(text), 1);
  const ratio = seconds / bytes / perByte;
  console.log(
    `${JSON.stringify(part).padEnd(24)}${((seconds / bytes) * 1e9).toFixed(1).padStart(9)}${ratio.toFixed(1).padStart(8)}`,
  );
}

type Load = {
  readonly loadedMs: number;
  readonly readyMs: number;
  readonly allThreadsMs: number;
  readonly rss: number;
  readonly heap: number;
};

/** The median of five fresh processes. @param cache folder of compiled sources */
function medianLoad(cache: string | undefined): Load {
  const env = { ...process.env };
  delete env.NODE_COMPILE_CACHE;
  if (cache !== undefined) env.NODE_COMPILE_CACHE = cache;
  const run = (): Load =>
    JSON.parse(
      execFileSync(process.execPath, [fileURLToPath(new URL('./detect-load.ts', import.meta.url))], {
        env,
        encoding: 'utf8',
      }),
    );
  // The first one fills the cache.
  if (cache !== undefined) run();
  const loads = Array.from({ length: rounds }, run);
  const median = (of: (load: Load) => number) => loads.map(of).sort((a, b) => a - b)[rounds >> 1] as number;
  return {
    loadedMs: median((load) => load.loadedMs),
    readyMs: median((load) => load.readyMs),
    allThreadsMs: median((load) => load.allThreadsMs),
    rss: median((load) => load.rss),
    heap: median((load) => load.heap),
  };
}

console.log(
  '\nloading, in a fresh process   loaded   first text   all threads   RSS MB   heap MB (at most 200 ms, 90 MB)',
);
const cache = mkdtempSync(path.join(tmpdir(), 'privet-detect-'));
for (const [name, folder] of [
  ['compiled sources kept', cache],
  ['from source', undefined],
] as const) {
  const { loadedMs, readyMs, allThreadsMs, rss, heap } = medianLoad(folder);
  console.log(
    `${name.padEnd(27)}${loadedMs.toFixed(0).padStart(6)} ms${readyMs.toFixed(0).padStart(10)} ms${allThreadsMs.toFixed(0).padStart(11)} ms${rss.toFixed(1).padStart(9)}${heap.toFixed(1).padStart(10)}`,
  );
}
rmSync(cache, { recursive: true, force: true });
