/** A process that keeps idle tunnels open, and occasionally requests an echo on some. */
import type { Socket } from 'node:net';
import { type Fixture, tunnelTo } from './client.ts';

/** The command: how many tunnels to keep open; 0 closes all. */
export type IdleOrder = { readonly id: number; readonly fixture: Fixture; readonly tunnels: number };
/** Its tunnels. `lost`: those that were closed or did not respond. */
export type IdleState = { readonly open: number; readonly lost: number; readonly echoes: number };

const laneCount = 16;
const askedAtOnce = 50;
const open = new Set<Socket>();
let lost = 0;
let echoes = 0;
let opened = 0;
let timer: NodeJS.Timeout | undefined;

async function hold(fixture: Fixture): Promise<void> {
  const from = `127.0.${30 + (opened % 8)}.${1 + (opened % 250)}`;
  opened++;
  const socket = await tunnelTo(fixture, `idle.soak.example:${fixture.tcpPort}`, from);
  socket.setTimeout(0);
  socket.once('close', () => {
    if (open.delete(socket)) lost++;
  });
  open.add(socket);
  socket.resume();
}

/** Picks old tunnels. */
function ask(): void {
  const sockets = [...open];
  for (let i = 0; i < Math.min(askedAtOnce, sockets.length); i++) {
    const socket = sockets[Math.floor(Math.random() * sockets.length)] as Socket;
    const late = setTimeout(() => {
      lost++;
      socket.destroy();
    }, 180_000);
    socket.once('data', () => {
      clearTimeout(late);
      echoes++;
    });
    socket.write('?');
  }
}

async function obey({ id, fixture, tunnels }: IdleOrder): Promise<void> {
  clearInterval(timer);
  if (tunnels === 0) {
    const sockets = [...open];
    open.clear();
    for (const socket of sockets) socket.destroy();
  } else if (tunnels > open.size) {
    let left = tunnels - open.size;
    const lane = async () => {
      while (left-- > 0) await hold(fixture);
    };
    await Promise.all(Array.from({ length: laneCount }, lane));
    timer = setInterval(ask, 10_000);
  }
  process.send?.({ id, open: open.size, lost, echoes });
}

process.on('message', (order: IdleOrder | { id: number }) => {
  if ('tunnels' in order) void obey(order);
  else process.send?.({ id: order.id, open: open.size, lost, echoes });
});
process.on('disconnect', () => process.exit());
