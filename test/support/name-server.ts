/** A small DNS server (RFC 1035) that answers from a table. */
import { createSocket } from 'node:dgram';

/** A running name server; `asked` holds the names with their types. */
export type NameServer = { readonly address: string; readonly asked: string[]; readonly close: () => Promise<void> };

/** Starts one on a free UDP port of 127.0.0.1. Names outside the table do not exist. */
export async function startNameServer(names: Readonly<Record<string, readonly string[]>>): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] as number; length > 0; length = query[at] as number) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const type = query.readUInt16BE(at + 1);
    const question = query.subarray(12, at + 5);
    const name = labels.join('.').toLowerCase();
    asked.push(`${name} ${type === 28 ? 'AAAA' : 'A'}`);
    const addresses = names[name];
    const answers = type === 1 ? (addresses ?? []) : [];
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8580 | (addresses ? 0 : 3), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    const records = answers.map((address) =>
      Buffer.concat([Buffer.from('c00c00010001000000000004', 'hex'), Buffer.from(address.split('.').map(Number))]),
    );
    socket.send(Buffer.concat([head, question, ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
