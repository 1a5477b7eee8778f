import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readFirstBytes } from '../../../../gateway/proxy/listen/first-bytes.ts';
import type { Inlet, InletReader } from '../../../../gateway/proxy/listen/inlet.ts';
import { collectGarbage } from '../../../support/garbage.ts';

test('a tunnel does not keep the inspected bytes', async () => {
  const socket = new EventEmitter();
  let reader: InletReader | undefined;
  const inlet = { socket, read: (by: InletReader) => (reader = by), hold: () => (reader = undefined) };
  let kept: WeakRef<ArrayBufferLike> | undefined;
  readFirstBytes(inlet as unknown as Inlet, Buffer.alloc(0), (_opening, bytes) => (kept = new WeakRef(bytes.buffer)));
  // An incomplete hello of 60,000 bytes; Node has a pool for smaller ones.
  const record = Buffer.alloc(16_005);
  record.write('1603013e800100ea60', 'hex');
  reader?.data(Buffer.concat([record, record, record]));
  expect(kept).toBeUndefined();
  (reader as InletReader | undefined)?.data(Buffer.from('hello there'));
  expect(kept?.deref()?.byteLength).toBe(3 * record.length + 11);
  await pause(1);
  collectGarbage();
  expect(kept?.deref()).toBeUndefined();
  expect(socket.listenerCount('close')).toBe(1);
});
