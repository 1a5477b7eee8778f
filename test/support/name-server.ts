/** A small DNS server (RFC 1035) that answers from a table. */
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { closedAtEnd } from './closing.ts';

/** Addresses, also under another name (CNAME), or new ones for each query; an error code; or no answer at all. */
export type NameAnswer =
  | readonly string[]
  | ((type: 'A' | 'AAAA') => readonly string[] | 'silent')
  | { readonly alias: string; readonly addresses: readonly string[] }
  | 'servfail'
  | 'silent';

/** A running name server; `asked` lists the queried names with their types, `names` may be changed. */
export type NameServer = {
  readonly address: string;
  readonly asked: string[];
  readonly names: Record<string, NameAnswer>;
  readonly close: () => Promise<void>;
};

/** Starts one on a free UDP port of 127.0.0.1. Names outside the table do not exist. */
export async function startNameServer(table: Readonly<Record<string, NameAnswer>>): Promise<NameServer> {
  const names = { ...table };
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
    const given = names[name];
    const answer = typeof given === 'function' ? given(type === 28 ? 'AAAA' : 'A') : given;
    if (answer === 'silent') return;
    const { alias, addresses } = recordsOf(answer);
    const records = addresses.filter((address) => type === (isIPv6(address) ? 28 : 1)).map(bytesOf);
    const canonical = alias === undefined ? [] : [record('c00c', 5, wireName(alias))];
    // The question is at byte 12, the target of the alias after the head of its record.
    const owner = alias === undefined ? 'c00c' : (0xc000 + 12 + question.length + 12).toString(16);
    const answers = [...canonical, ...records.map((data) => record(owner, type, data))];
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8580 | (answer === undefined ? 3 : answer === 'servfail' ? 2 : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([head, question, ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    names,
    close: closedAtEnd(() => new Promise((resolve) => socket.close(() => resolve()))),
  };
}

function recordsOf(answer: Exclude<NameAnswer, (type: never) => unknown> | undefined): {
  alias?: string;
  addresses: readonly string[];
} {
  if (answer === undefined || typeof answer === 'string') return { addresses: [] };
  return 'alias' in answer ? answer : { addresses: answer };
}

/** A resource record of class IN that may not be cached (TTL 0). `owner`: a pointer in hex. */
function record(owner: string, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.write(owner, 'hex');
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** An address in the format of a record; IPv6 without an IPv4 part. */
function bytesOf(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function wireName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'));
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}
