/** HTTP/1 on the proxy port and inside a tunnel: no request may become two. */
import { readRequests, type StrictHead } from '../../../../test/support/strict-http.ts';
import type { FuzzTarget } from '../../target.ts';
import {
  allAnswered,
  chat,
  close,
  dial,
  exchange,
  head,
  judge,
  mustNotStay,
  open,
  origins,
  plainHost,
  requestWords,
  secureTunnel,
  sign,
} from './fixture.ts';
import { secureHost } from './origins.ts';

/** More requests than a strict parser finds in the input are smuggled. */
export function smuggled(sent: Buffer, arrived: readonly StrictHead[]): string | undefined {
  const { length } = readRequests(sent, { skipsEmptyLines: true }).heads;
  if (arrived.length <= length) return undefined;
  return `${arrived.length} requests out of ${length}: ${JSON.stringify(arrived.map(({ start }) => start))}`;
}

/** HTTP/1 on the proxy port. */
export const http1: FuzzTarget = {
  seeds: () => [
    head(`GET http://${plainHost}/a HTTP/1.1`, `Host: ${plainHost}`, 'Accept: */*'),
    `${head(`POST http://${plainHost}/a HTTP/1.1`, `Host: ${plainHost}`, 'Content-Length: 3')}abc`,
    `${head(`POST http://${plainHost}/a HTTP/1.1`, `Host: ${plainHost}`, 'Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n`,
    `${head(`GET http://${plainHost}/a HTTP/1.1`, `Host: ${plainHost}`)}${head(`GET http://${plainHost}/b HTTP/1.1`, `Host: ${plainHost}`)}`,
    head(`CONNECT ${plainHost}:80 HTTP/1.1`, `Host: ${plainHost}:80`) + head('GET / HTTP/1.1', `Host: ${plainHost}`),
    head('GET /proxy.pac HTTP/1.1', 'Host: x'),
    head(
      `GET http://${plainHost}/ws HTTP/1.1`,
      `Host: ${plainHost}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Version: 13',
    ),
  ],
  words: requestWords,
  bytesMax: 3000,
  open,
  close,
  async run(input) {
    const send = async () => exchange(await dial(), input, allAnswered(input));
    const answer = await send();
    // Tunnelled data is not inspected.
    if (/CONNECT/i.test(input.toString('latin1'))) origins.fault = undefined;
    else await mustNotStay(() => smuggled(input, origins.heads), send);
    const word = sign(answer);
    await judge();
    return word;
  },
};

/** HTTP/1 inside an intercepted tunnel. */
export const intercepted: FuzzTarget = {
  seeds: () => [
    head('GET /a HTTP/1.1', `Host: ${secureHost}`),
    `${head('POST /v1/chat HTTP/1.1', `Host: ${secureHost}`, 'Content-Type: application/json', `Content-Length: ${chat.length}`)}${chat}`,
    `${head('POST /v1/chat HTTP/1.1', `Host: ${secureHost}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked')}${chat.length.toString(16)}\r\n${chat}\r\n0\r\n\r\n`,
    head(
      'GET /ws HTTP/1.1',
      `Host: ${secureHost}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Version: 13',
    ),
    `${head('POST /u HTTP/1.1', `Host: ${secureHost}`, 'Content-Type: multipart/form-data; boundary=b', 'Content-Length: 64')}--b\r\nContent-Disposition: form-data; name="a"\r\n\r\njo@example.com`,
  ],
  words: [
    ...requestWords,
    `Host: ${secureHost}`,
    'Host: other.example',
    'jo@example.com',
    '{"a":',
    'multipart/form-data; boundary=b',
    'application/x-ndjson',
    'text/plain',
    'Content-Encoding: zstd',
  ],
  bytesMax: 3000,
  open,
  close,
  async run(input) {
    const send = async () => exchange(await secureTunnel('http/1.1'), input, allAnswered(input));
    const answer = await send();
    await mustNotStay(() => smuggled(input, origins.heads), send);
    const word = sign(answer);
    await judge();
    return word;
  },
};
