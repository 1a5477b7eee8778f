import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type ClientHello, readOpening } from '../../../../gateway/proxy/listen/client-hello.ts';
import type { InletReader } from '../../../../gateway/proxy/listen/inlet.ts';
import { relayHello } from '../../../../gateway/proxy/listen/second-hello.ts';
import { helloFor } from '../../../support/client-hello.ts';

const [first, other] = await Promise.all([helloFor('a.example'), helloFor('b.example')]);

const record = (type: number, part: string | Buffer) => {
  const head = Buffer.from([type, 3, 3, 0, 0]);
  head.writeUInt16BE(part.length, 3);
  return Buffer.concat([head, Buffer.from(part as string, 'latin1')]);
};
const change = record(0x14, '\x01');
const alert = record(0x15, '\x01\x5a');
const data = record(0x17, 'x'.repeat(300));
const nameless = Buffer.concat([Buffer.from([1, 0, 0, 41, 3, 3]), Buffer.alloc(33), Buffer.from([0, 2, 19, 1, 1, 0])]);
/** The same message in records of that size. */
const inRecords = (hello: Buffer, size: number) => {
  const message = hello.subarray(5);
  const count = Math.ceil(message.length / size);
  return Buffer.concat(
    Array.from({ length: count }, (_, i) => record(0x16, message.subarray(i * size, (i + 1) * size))),
  );
};

/**
 * What a server receives of these bytes, which arrive in pieces of that size after the first hello, and the outcome.
 */
function relay(bytes: Buffer, { size = bytes.length, early = false } = {}) {
  const heard: Buffer[] = [];
  let reader: InletReader | undefined;
  let state: 'looks' | 'goes on' | 'refused' | 'ended' = 'looks';
  const all = Buffer.concat([first, bytes]);
  const startUp = (early?: Buffer) => {
    if (early) heard.push(Buffer.from(early));
    state = 'goes on';
    reader = undefined;
  };
  const inlet = { read: (by: InletReader) => (reader = by), hold: () => (reader = undefined) };
  const tunnel = { pass: (early: Buffer) => heard.push(Buffer.from(early)), startUp, end: () => (state = 'ended') };
  const hello = { ...(readOpening(all) as ClientHello), early };
  let at = Math.min(all.length, first.length + size);
  const onOther = () => {
    state = 'refused';
  };
  relayHello(inlet as never, tunnel as never, { hello, bytes: all.subarray(0, at), onOther });
  for (; at < all.length && reader !== undefined; at += size) reader.data(all.subarray(at, at + size));
  // The following data is not inspected.
  if ((state as string) === 'goes on') heard.push(all.subarray(at));
  return { state, heard: Buffer.concat(heard).subarray(first.length), end: () => reader?.end(), now: () => state };
}

const sizes = [1, 2, 5, 6, 7, 100, 10_000];

test.each(sizes)('a second hello with another name is rejected, in pieces of %i', (size) => {
  for (const before of ['', change, Buffer.concat([change, alert, change])]) {
    for (const hello of [other, inRecords(other, 3), inRecords(other, 200)]) {
      const { state, heard } = relay(Buffer.concat([Buffer.from(before), hello]), { size });
      expect(state).toBe('refused');
      expect(Buffer.from(before).subarray(0, heard.length).equals(heard)).toBe(true);
    }
  }
});

test.each(sizes)('one with the same name passes, with all following data, in pieces of %i', (size) => {
  for (const hello of [first, inRecords(first, 200)]) {
    const bytes = Buffer.concat([change, hello, data, other]);
    const { state, heard } = relay(bytes, { size });
    expect(state).toBe('goes on');
    expect(heard.equals(bytes)).toBe(true);
  }
});

test.each(sizes)('data that servers ignore does not hide it, in pieces of %i', (size) => {
  const { state, heard } = relay(Buffer.concat([data, data, change, other]), { size, early: true });
  expect(state).toBe('refused');
  expect(heard.length).toBeLessThanOrEqual(2 * data.length + change.length);
});

test.each<[string, () => Buffer]>([
  ['data', () => data],
  ['a key of TLS 1.2', () => record(0x16, '\x10\0\0\x21\x20')],
  ['data that is not TLS', () => Buffer.from('hello there')],
])('%s ends the inspection', (_name, bytes) => {
  const all = Buffer.concat([bytes(), other]);
  const { state, heard } = relay(all, { size: 7 });
  expect(state).toBe('goes on');
  expect(heard.equals(all)).toBe(true);
});

test.each(sizes)('an encrypted TLS 1.2 message is not a hello, whatever its first byte, in pieces of %i', (size) => {
  for (let byte = 0; byte < 256; byte++) {
    const message = createHash('sha512').update(`${byte}`).digest().subarray(0, 40);
    message[0] = byte;
    const bytes = Buffer.concat([change, record(0x16, message), data]);
    const { state, heard } = relay(bytes, { size });
    expect(state).toBe('goes on');
    expect(heard.equals(bytes)).toBe(true);
  }
  // The first bytes look like a hello, but are not one.
  const starts = ['\x01\x03', '\x01\0\0\x24\x02\x03', `\x01\0\0\x24\x03\x03${'x'.repeat(32)}\x21`];
  // Only the following bytes decide: as many as a hello declares, or fewer.
  for (const start of [...starts, '\x01\0\0\x80\x03\x03', '\x01\x02\0\x80\x03\x03']) {
    const bytes = Buffer.concat([change, record(0x16, start.padEnd(32, '\0')), data]);
    expect(relay(bytes, { size }).state).toBe('goes on');
  }
});

test.each(sizes)('early data within a hello does not hide it, in pieces of %i', (size) => {
  const cut = inRecords(other, 50);
  const bytes = Buffer.concat([change, cut.subarray(0, 55), data, cut.subarray(55)]);
  expect(relay(bytes, { size, early: true }).state).toBe('refused');
});

test('a second hello with an unusual version or a long session id is parsed', () => {
  const unusual = Buffer.from(other);
  unusual.writeUInt16BE(0x7f00, 9);
  expect(relay(Buffer.concat([change, unusual])).state).toBe('refused');
  expect(other[43]).toBe(32);
});

test.each<[string, () => Buffer]>([
  ['an empty record', () => record(0x16, '')],
  ['records without an end', () => Buffer.concat(Array.from({ length: 65 }, () => change))],
  ['a hello without a name', () => record(0x16, nameless)],
])('%s is refused', (_name, bytes) => {
  expect(relay(Buffer.concat([bytes(), Buffer.alloc(1)])).state).toBe('refused');
});

test('bulk early data is inspected only up to a limit', () => {
  const bulk = Buffer.concat(Array.from({ length: 20 }, () => record(0x17, 'x'.repeat(16_000))));
  const { state, heard } = relay(bulk, { size: 30_000, early: true });
  expect(state).toBe('goes on');
  expect(heard.equals(bulk)).toBe(true);
});

test("the server receives the client's end", () => {
  const { state, end, now } = relay(change);
  expect(state).toBe('looks');
  end();
  expect(now()).toBe('ended');
});
