/** Responses of origins. */
import { readAnswers, type StrictReading } from '../../../../test/support/strict-http.ts';
import { type FuzzTarget, must, mustEqual } from '../../target.ts';
import {
  allAnswered,
  chat,
  close,
  dial,
  exchange,
  head,
  judge,
  open,
  origins,
  plainHost,
  requestWords,
  secureTunnel,
  until,
} from './fixture.ts';
import { ok, secureHost } from './origins.ts';

const bodyOf = (type: string, body: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** The response to a POST, as every parser reads it; throws if it is not HTTP or more than one response. */
export function mustBeHttp(got: Buffer): StrictReading {
  const reading = readAnswers(got, ['POST']);
  const text = JSON.stringify(got.toString('latin1').slice(0, 400));
  must(reading.rest !== 'malformed', `the client received invalid HTTP (${reading.reason}): ${text}`);
  const isAnswered = reading.messages.some(({ start }) => !start.startsWith('HTTP/1.1 1'));
  must(!isAnswered || reading.rest === 'none', `the client received more than its answer: ${text}`);
  return reading;
}

/** Throws unless the next request got the `ok` of its origin. */
export function mustBeItsOwn(answer: string): void {
  mustEqual(answer.slice(0, 12), 'HTTP/1.1 200', 'the next request was answered');
  must(answer.endsWith('\r\n\r\nok'), 'the next request got another answer');
}

/** Responses of an origin: the client gets only what all parsers agree on, and the next request its own response. */
export const answer: FuzzTarget = {
  seeds: () => [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\nclose',
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n',
    bodyOf('application/json', '{"choices":[{"message":{"content":"[EMAIL-1]"}}]}'),
    bodyOf(
      'text/event-stream',
      'data: {"choices":[{"delta":{"content":"[EMA"}}]}\n\ndata: {"choices":[{"delta":{"content":"IL-1]"}}]}\n\n',
    ),
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    `${ok}${ok}`,
  ],
  words: [
    ...requestWords,
    'HTTP/1.1 200 OK',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 204 X',
    'Set-Cookie: a=b',
    'Content-Encoding: br',
    'text/event-stream',
    '[EMAIL-1]',
  ],
  bytesMax: 3000,
  open,
  close,
  async run(input) {
    origins.answer = input.toString('latin1');
    const words: string[] = [];
    for (const isSecure of [false, true]) {
      const socket = isSecure ? await secureTunnel('http/1.1') : await dial();
      const target = isSecure ? '/x' : `http://${plainHost}/x`;
      const host = isSecure ? secureHost : plainHost;
      const body = isSecure ? chat : '';
      const request = Buffer.from(
        `${head(`POST ${target} HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/json', `Content-Length: ${body.length}`)}${body}`,
      );
      const got = await exchange(socket, request, allAnswered(request));
      const reading = mustBeHttp(got);
      words.push(`${reading.messages.map(({ start }) => start.slice(9, 12)).join()} ${reading.rest}`);
      const next = await dial();
      const second = await until(
        next,
        `GET http://${plainHost}/next HTTP/1.1\r\nHost: ${plainHost}\r\nConnection: close\r\n\r\n`,
        (sofar) => sofar.endsWith('ok'),
      );
      next.destroy();
      mustBeItsOwn(second);
    }
    await judge();
    return words.join(' | ');
  },
};
