/** The first bytes of a tunnel. */
import type { FuzzTarget } from '../../target.ts';
import { clientHello } from '../hello.ts';
import { close, exchange, judge, open, sign, tunnel } from './fixture.ts';
import { secureHost } from './origins.ts';

/** The first bytes of a tunnel to an intercepted host. */
export const tls: FuzzTarget = {
  seeds: () => [
    clientHello(),
    clientHello().subarray(0, 100),
    Buffer.from('16030100050100000100', 'hex'),
    'GET / HTTP/1.1\r\nHost: chatgpt.com\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'SSH-2.0-x\r\n',
    Buffer.concat([clientHello(), Buffer.from('15030300020100', 'hex')]),
  ],
  words: [
    '\x16\x03\x01',
    '\x15\x03\x03\x00\x02\x02\x00',
    '\x14\x03\x03\x00\x01\x01',
    '\x00\x00',
    '\x00\x10',
    '\x03h2',
    secureHost,
  ],
  bytesMax: 4000,
  open,
  close,
  async run(input) {
    const answer = await exchange(await tunnel(), input);
    await judge();
    // Record types, alerts, or an HTTP status.
    return answer[0] === 0x15 ? `alert ${answer[6]}` : answer[0] === 0x16 ? 'handshake' : sign(answer);
  },
};
