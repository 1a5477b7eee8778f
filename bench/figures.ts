/** Figures with absolute limits: memory, and the delay of events. */
import net from 'node:net';
import { inParallel, openTunnel, type Ports, roundTrip, rssKiB, secure, type Target, untilEnd } from './support.ts';

const gibibyte = 2 ** 30;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resident memory of an idle tunnel. */
export async function idleTunnelKiB(target: Target, ports: Ports): Promise<number> {
  const count = 2_000;
  const sockets: net.Socket[] = [];
  const open = async () => {
    sockets.push(await openTunnel(target.port, `127.0.0.1:${ports.echoPort}`));
  };
  await inParallel(200, 16, open);
  await pause(500);
  const before = rssKiB(target.process.pid);
  await inParallel(count, 16, open);
  await pause(1_500);
  const result = (rssKiB(target.process.pid) - before) / count;
  for (const socket of sockets) socket.destroy();
  return result;
}

/** The maximum growth of resident memory during `work`, from the fourth second on, after buffers have filled. */
async function growthMiB(target: Target, work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  let before = 0;
  let most = 0;
  const timer = setInterval(() => {
    if (performance.now() - began < 3_000) return;
    most = Math.max(most, rssKiB(target.process.pid));
    before ||= most;
  }, 50);
  await work();
  clearInterval(timer);
  return (most - before) / 1024;
}

/** 1 GiB through a tunnel to a client that reads about 200 MB/s. */
export function slowReaderMiB(target: Target, ports: Ports): Promise<number> {
  return growthMiB(target, async () => {
    const socket = await openTunnel(target.port, `127.0.0.1:${ports.bulkPort}`);
    socket.on('data', (chunk: Buffer) => {
      socket.pause();
      setTimeout(() => socket.resume(), chunk.length / 200_000);
    });
    const end = new Promise((resolve) => socket.once('end', resolve));
    socket.write(`${gibibyte}\n`);
    await end;
    socket.destroy();
  });
}

/** 1 GiB uploaded over plain http to an origin that reads about 200 MB/s. */
export function slowWriterMiB(target: Target, ports: Ports): Promise<number> {
  return growthMiB(target, async () => {
    const socket = net.connect(target.port, '127.0.0.1');
    const origin = `127.0.0.1:${ports.bulkPort}`;
    socket.write(`PUT http://${origin}/ HTTP/1.1\r\nHost: ${origin}\r\nContent-Length: ${gibibyte}\r\n\r\n`);
    const block = Buffer.alloc(262_144, 'x');
    for (let left = gibibyte; left > 0; left -= block.length) {
      if (!socket.write(block)) await new Promise((resolve) => socket.once('drain', resolve));
    }
    socket.end();
    await untilEnd(socket).catch(() => {});
  });
}

/** Median delay of an intercepted event with tokens in the session, minus that of a direct connection. */
export async function sseDelayMs(target: Target, ports: Ports): Promise<number> {
  const host = 'api.openai.com';
  const direct = await delays(
    await secure(net.connect(ports.tlsPort, '127.0.0.1'), host, target.originCa),
    host,
    ports,
  );
  const socket = await secure(await openTunnel(target.port, `${host}:${ports.tlsPort}`), host, target.ca);
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Write to ana.lopez@example.com.' }] });
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}:${ports.tlsPort}\r\nContent-Type: application/json\r\n`;
  await roundTrip(socket, Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`));
  const through = await delays(socket, host, ports);
  return median(through) - median(direct);
}

function delays(socket: net.Socket, host: string, ports: Ports): Promise<number[]> {
  return new Promise((resolve) => {
    const found: number[] = [];
    let tail = '';
    const onData = (chunk: Buffer) => {
      const now = process.hrtime.bigint();
      tail += chunk.toString('latin1');
      for (const match of tail.matchAll(/"at":"(\d+)"/g)) found.push(Number(now - BigInt(match[1] as string)) / 1e6);
      tail = tail.slice(tail.lastIndexOf('\n\n') + 1);
      if (found.length < 500) return;
      socket.off('data', onData);
      socket.destroy();
      resolve(found);
    };
    socket.on('data', onData);
    socket.write(`GET /timed?n=600 HTTP/1.1\r\nHost: ${host}:${ports.tlsPort}\r\n\r\n`);
  });
}

function median(figures: number[]): number {
  return figures.sort((a, b) => a - b)[figures.length >> 1] as number;
}
