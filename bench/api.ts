/**
 * What a call of POST /mask costs, beside an empty Fastify route that reads the same body: CPU time of the whole process
 * per call over kept connections, rounds in turn, smallest figure of each side. At most 1.8 ×. The client only counts
 * bytes: one that took longer than the empty route would never sleep when its answer comes, and only the other side would
 * pay for waking it.
 *
 *   node bench/api.ts
 */
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { cleanUp, cpuSeconds, folder, type Running, start } from './support.ts';

const lanes = 8;
const calls = Number(process.env.BENCH_CALLS ?? 2_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
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

/** Sends the request again and again over one connection, each after the answer to the one before. */
function callAgain(socket: Socket, request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let open = calls;
    let missing = 0;
    const onData = (piece: Buffer) => {
      if (missing === 0) {
        const end = piece.indexOf('\r\n\r\n');
        const head = piece.toString('latin1', 0, end);
        const length = /\ncontent-length: (\d+)/i.exec(head)?.[1];
        if (length === undefined || !head.startsWith('HTTP/1.1 200'))
          return reject(new Error(piece.toString().slice(0, 400)));
        missing = end + 4 + Number(length);
      }
      missing -= piece.length;
      if (missing > 0) return;
      if (--open > 0) return void socket.write(request);
      socket.off('data', onData);
      resolve();
    };
    socket.on('data', onData);
    socket.write(request);
  });
}

async function perCall(side: Side, sockets: readonly Socket[], request: Buffer): Promise<number> {
  const before = cpuSeconds(side.process.pid);
  await Promise.all(sockets.map((socket) => callAgain(socket, request)));
  return ((cpuSeconds(side.process.pid) - before) * 1e6) / (calls * sockets.length);
}

const data = { PROXY_DATA_DIR: path.join(folder, 'data'), PROXY_ADMIN_KEY: key, PORT: '0', GATEWAY_PORT: '0' };
const floor = await open('bench/floor/api.ts', [], {});
const gateway = await open('gateway/main.ts', ['serve'], { ...data, PROXY_TOKEN_TTL: '60000' });
const lanesOf = ({ port }: Side) =>
  Array.from({ length: lanes }, () => connect({ port, host: '127.0.0.1', noDelay: true }));
const sides = [floor, gateway].map((side) => ({ side, sockets: lanesOf(side) }));

for (const [name, text] of texts) {
  const request = requestOf(text);
  const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = -1; round < rounds; round++) {
    for (const [i, { side, sockets }] of sides.entries()) {
      const spent = await perCall(side, sockets, request);
      // The first round compiles.
      if (round >= 0) best[i] = Math.min(best[i] ?? spent, spent);
    }
  }
  const [empty = 0, mask = 0] = best;
  const ratio = mask / empty;
  const verdict = ratio <= limit ? 'ok' : 'OVER';
  process.stdout.write(
    `/mask, ${name}: ${mask.toFixed(1)} µs, empty route ${empty.toFixed(1)} µs, ratio ${ratio.toFixed(2)} (at most ${limit}) ${verdict}\n`,
  );
}
for (const { sockets } of sides) for (const socket of sockets) socket.destroy();
await Promise.all([floor.process.stop(), gateway.process.stop()]);
cleanUp();
