/** Silent connections are closed eventually, whatever state they are in. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { startRecorder } from '../support/recorder.ts';
import { openTunnel } from '../support/tunnel.ts';

const silent = await startRecorder();
const gateway = await startGateway({
  config: { upstream: { timeouts: { header: '1s', keep_alive: '1s', tls: '1s', tunnel_idle: '1s' } } },
});

const open = async (bytes: string): Promise<Socket> => {
  const socket = connect(gateway.proxyPort, '127.0.0.1');
  if (bytes !== '') socket.write(bytes, 'latin1');
  return socket;
};
const tunnel = async (authority: string, bytes = '', through = gateway): Promise<Socket> => {
  const { status, socket } = await openTunnel(through, authority);
  expect(status).toBe(200);
  if (bytes !== '') socket.write(bytes, 'latin1');
  return socket;
};
/** The records of a handshake up to an incomplete ClientHello. */
const hello = '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03';

// In parallel: each waits for a time limit.
test.concurrent.each<[name: string, () => Promise<Socket>]>([
  ['a connection without a byte', () => open('')],
  ['a head that does not end', () => open('GET http://example.com/ HTTP/1.1\r\nHost: exa')],
  ['a CONNECT that does not end', () => open('CONNECT example.com:443 HT')],
  ['a tunnel to an unregistered host without a byte', () => tunnel(silent.address)],
  ['a tunnel to an approved host without a byte', () => tunnel('api.openai.com:443')],
  ['half a ClientHello', () => tunnel('api.openai.com:443', hello)],
  ['a plain head in a tunnel that does not end', () => tunnel('api.openai.com:443', 'GET / HTTP/1.1\r\nHost: api')],
])('%s', async (_name, start) => {
  const socket = await start();
  socket.on('error', () => {});
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
});

test.concurrent.for(['hello there', 'PING', 'p', '\r\n', 'EHLO mail.example\r\n', 'RFB 003.008\n'])(
  'first bytes that are not a request arrive: %j',
  async (words, { expect }) => {
    const socket = await tunnel(silent.address, words);
    const isHeard = () => silent.received.some((bytes) => bytes.toString('latin1') === words);
    await expect.poll(isHeard).toBe(true);
    socket.destroy();
  },
);

/**
 * Seconds to the next keep-alive probe of connections, by the port of one end; from the kernel's list of this machine's
 * sockets.
 */
function probesIn(end: 'local' | 'remote', port: number): number[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, remote, state]) => state === '01' && (end === 'local' ? local : remote)?.endsWith(`:${hex}`))
    .flatMap(([, , , , , timer = '']) => (timer.startsWith('02:') ? [Number.parseInt(timer.slice(3), 16) / 100] : []));
}

test.skipIf(process.platform !== 'linux')(
  'both ends of a long-lived tunnel are probed, each at its own time',
  async () => {
    // These stay silent while the kernel's list is read.
    const timeouts = { keep_alive: '1s', tunnel_idle: '5m' };
    const patient = await startGateway({ config: { upstream: { timeouts } } });
    const sockets = await Promise.all(Array.from({ length: 12 }, () => tunnel(silent.address, '', patient)));
    const bothEnds = () => [
      probesIn('local', patient.proxyPort),
      probesIn('remote', Number(silent.address.split(':')[1])),
    ];
    await expect.poll(() => bothEnds().map(({ length }) => length)).toEqual([12, 12]);
    const ends = bothEnds();
    for (const probes of ends) {
      expect(Math.min(...probes)).toBeGreaterThan(15);
      expect(Math.max(...probes)).toBeLessThanOrEqual(43);
      expect(new Set(probes.map(Math.round)).size).toBeGreaterThan(3);
    }
    for (const socket of sockets) socket.destroy();
  },
);
