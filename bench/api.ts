/**
 * The cost of POST /mask compared with an empty Fastify route that reads the same body: CPU time of the process per
 * call over kept connections, in alternating short rounds, median of the rounds. Limit: 1.8 ×.
 *
 * Two measurements, because the kernel charges the cost of waking a client to the process that writes to it. In a closed
 * loop each connection sends its next call after the answer: a fast server finds the client awake; a slow one finds it
 * asleep and pays for waking it, several times the cost of the write. At a fixed rate, a polling client that never
 * sleeps sends the same calls to both servers: each call then arrives alone, with colder caches, and the ratio is that
 * of the work alone. Prints the rate reached.
 *
 *   node bench/api.ts
 *   BENCH_CONNECTIONS=8 BENCH_CALLS_PER_SECOND=4000 BENCH_ROUNDS=9 node bench/api.ts
 */
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { cleanUp, folder, median, type Running, start } from './support.ts';

const connectionCounts = (process.env.BENCH_CONNECTIONS ?? '1,8,32').split(',').map(Number);
const callsPerSecond = Number(process.env.BENCH_CALLS_PER_SECOND ?? 4_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
const roundMs = Number(process.env.BENCH_ROUND_MS ?? 300);
const limit = 1.8;

const key = `pvt_admin_${'0'.repeat(32)}`;
const prose =
  'The quarterly report should mention the new plan and its effect on the team; please send the draft to the board ' +
  'before the end of the month, and keep a copy of the minutes with the other papers of the project. ';
const values = 'Write to ana.lopez@example.com or call +1 415 555 0132; the card is 4111 1111 1111 1111. ';

const texts: readonly (readonly [name: string, text: string])[] = [
  ['1 KiB with three values', (values + prose.repeat(8)).slice(0, 1024)],
  ['1 KiB without any', prose.repeat(8).slice(0, 1024)],
];

type Side = { readonly process: Running; readonly port: number };

async function open(script: string, args: readonly string[], env: Record<string, string>): Promise<Side> {
  const running = start(script, args, env);
  const line = await running.line((event) => event.event === 'listening' && event.listener === 'api');
  return { process: running, port: Number(line.port) };
}

function requestOf(text: string): Buffer {
  const body = JSON.stringify({ text });
  const head = [
    'POST /mask HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    '',
  ];
  return Buffer.from(head.join('\r\n') + body);
}

/** A kept connection with one call at a time. Only counts bytes, because a slow client would distort the result. */
class Lane {
  readonly #socket: Socket;
  #missing = 0;
  #done: () => void = () => {};

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (piece) => this.#take(piece));
  }

  call(request: Buffer): Promise<void> {
    this.#socket.write(request);
    return new Promise((done) => (this.#done = done));
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(piece: Buffer): void {
    if (this.#missing === 0) {
      const end = piece.indexOf('\r\n\r\n');
      const head = piece.toString('latin1', 0, end);
      const length = /\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (length === undefined || !head.startsWith('HTTP/1.1 200')) throw new Error(piece.toString().slice(0, 400));
      this.#missing = end + 4 + Number(length);
    }
    this.#missing -= piece.length;
    if (this.#missing === 0) this.#done();
  }
}

/** Sends calls for one round; returns the number of responses. */
type Load = (lanes: readonly Lane[], request: Buffer) => Promise<number>;

/** Each connection sends its next call after the answer. */
const closedLoop: Load = async (lanes, request) => {
  const end = performance.now() + roundMs;
  let calls = 0;
  const work = async (lane: Lane) => {
    for (; performance.now() < end; calls++) await lane.call(request);
  };
  await Promise.all(lanes.map(work));
  return calls;
};

/** Calls at a fixed rate over free connections; late if none is free. */
const equalRate: Load = async (lanes, request) => {
  const free = [...lanes];
  const begin = performance.now();
  let sent = 0;
  let answered = 0;
  for (let now = begin; now < begin + roundMs || answered < sent; now = performance.now()) {
    const isDue = now < begin + roundMs && now >= begin + (sent * 1000) / callsPerSecond;
    const lane = isDue ? free.shift() : undefined;
    if (lane !== undefined) {
      sent++;
      void lane.call(request).then(() => {
        answered++;
        free.push(lane);
      });
    }
    await setImmediate();
  }
  return answered;
};

const loads: readonly (readonly [name: string, load: Load])[] = [
  ['closed loop', closedLoop],
  ['equal rate', equalRate],
];

/** CPU time of all threads of a process in microseconds; the ticks of /proc/PID/stat are too coarse for a round. */
function cpuMicros(pid: number): number {
  let nanos = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanos += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]);
  }
  return nanos / 1000;
}

const data = { PROXY_DATA_DIR: path.join(folder, 'data'), PROXY_ADMIN_KEY: key, PORT: '0', GATEWAY_PORT: '0' };
const floor = await open('bench/floor/api.ts', [], {});
const gateway = await open('gateway/main.ts', ['serve'], { ...data, PROXY_TOKEN_TTL: '60000' });
const sides = [floor, gateway];

/** Measures a load with a text, alternating between both servers. */
async function measure(load: Load, connections: number, request: Buffer): Promise<string> {
  const lanes = sides.map(({ port }) => Array.from({ length: connections }, () => new Lane(port)));
  const spent: [number[], number[]] = [[], []];
  const rates: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    for (const i of [0, 1] as const) {
      const pid = (sides[i] as Side).process.pid;
      const [before, began] = [cpuMicros(pid), performance.now()];
      const calls = await load(lanes[i] as Lane[], request);
      const seconds = (performance.now() - began) / 1000;
      // Work after the last answer counts too; the first round warms up the compiler.
      await setTimeout(5);
      if (round < 0) continue;
      spent[i].push((cpuMicros(pid) - before) / calls);
      rates[i].push(calls / seconds);
    }
  }
  for (const lane of lanes.flat()) lane.close();
  const [empty, mask] = [median(spent[0]), median(spent[1])];
  const ratio = mask / empty;
  const perSecond = rates.map((own) => median(own).toFixed(0)).join(' and ');
  return (
    `${mask.toFixed(1)} µs, empty route ${empty.toFixed(1)} µs, ratio ${ratio.toFixed(2)} ` +
    `(at most ${limit}) ${ratio <= limit ? 'ok' : 'OVER'}; ${perSecond} calls/s`
  );
}

// Warm-up for the compiler.
for (const { port } of sides) {
  const lanes = Array.from({ length: 8 }, () => new Lane(port));
  for (let i = 0; i < 10; i++) for (const [, text] of texts) await closedLoop(lanes, requestOf(text));
  for (const lane of lanes) lane.close();
}
for (const [name, text] of texts) {
  for (const connections of connectionCounts) {
    for (const [how, load] of loads) {
      const result = await measure(load, connections, requestOf(text));
      process.stdout.write(`/mask, ${name}, ${how}, connections ${connections}: ${result}\n`);
    }
  }
}
await Promise.all([floor.process.stop(), gateway.process.stop()]);
cleanUp();
