/** A large body must not be written at once: TLS would encrypt all of it in one turn. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { sliceBytes } from '../../../gateway/http1/slices.ts';
import { UpstreamExchange } from '../../../gateway/http1/upstream-exchange.ts';

test('a large request body is sent in slices', async () => {
  const body = Buffer.alloc(3 * sliceBytes + 1, 'x');
  const socket = new PassThrough({ readableObjectMode: true });
  const exchange = new UpstreamExchange(
    { method: 'POST', path: '/', fields: ['Host', 'a.example', 'Content-Length', String(body.length)], body },
    {},
  );
  exchange.sendOn({ socket, moved() {} } as never);
  const [head, ...slices] = (await socket.take(5).toArray()) as Buffer[];
  expect(head?.toString()).toBe(`POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: ${body.length}\r\n\r\n`);
  expect(slices.map(({ length }) => length)).toEqual([sliceBytes, sliceBytes, sliceBytes, 1]);
  expect(Buffer.concat(slices).equals(body)).toBe(true);
});
