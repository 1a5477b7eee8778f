import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeWebSocketFrame, WebSocketParser } from '../../../core/stream/websocket.ts';

const text = (value: string) => new TextEncoder().encode(value);
const parser = (fromClient: boolean, messageBytesMax = 1 << 20) => new WebSocketParser({ fromClient, messageBytesMax });

describe('WebSocket frames', () => {
  // RFC 6455, section 5.7.
  const samples: [name: string, bytes: number[], fromClient: boolean, kind: string, payload: string][] = [
    ['unmasked text', [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f], false, 'text', 'Hello'],
    ['masked text', [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58], true, 'text', 'Hello'],
    ['fragments', [0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f], false, 'text', 'Hello'],
    ['ping', [0x89, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f], false, 'ping', 'Hello'],
  ];
  for (const [name, bytes, fromClient, kind, payload] of samples) {
    it(name, () => {
      const messages = parser(fromClient).push(new Uint8Array(bytes));
      expect(messages.map((message) => [message.kind, new TextDecoder().decode(message.payload)])).toEqual([
        [kind, payload],
      ]);
    });
  }

  it('control frames pass between fragments', () => {
    const bytes = new Uint8Array([0x01, 0x01, 0x61, 0x89, 0x00, 0x80, 0x01, 0x62]);
    const messages = parser(false).push(bytes);
    expect(messages.map((message) => [message.kind, new TextDecoder().decode(message.payload)])).toEqual([
      ['ping', ''],
      ['text', 'ab'],
    ]);
  });

  const bad: [name: string, bytes: number[], fromClient: boolean, code: string][] = [
    ['a client that does not mask', [0x81, 0x01, 0x61], true, 'bad_request'],
    ['a server that masks', [0x81, 0x81, 0, 0, 0, 0, 0x61], false, 'bad_request'],
    ['a compressed frame', [0xc1, 0x01, 0x61], false, 'bad_request'],
    ['an unknown opcode', [0x83, 0x00], false, 'bad_request'],
    ['a fragmented ping', [0x09, 0x00], false, 'bad_request'],
    ['a continuation without a message', [0x80, 0x00], false, 'bad_request'],
    ['a message within a message', [0x01, 0x00, 0x81, 0x00], false, 'bad_request'],
    ['a message over the maximum', [0x82, 0x7f, 0, 0, 0, 1, 0, 0, 0, 0], false, 'body_too_large'],
  ];
  for (const [name, bytes, fromClient, code] of bad) {
    it(`refuses ${name}`, () => {
      expect(() => parser(fromClient).push(new Uint8Array(bytes))).toThrow(expect.objectContaining({ code }));
    });
  }

  it('fragments together may not exceed the maximum', () => {
    const half = [0x00, 0x02, 0x61, 0x61];
    expect(() => parser(false, 5).push(new Uint8Array([0x01, 0x02, 0x61, 0x61, ...half, ...half]))).toThrow();
  });

  it('a message that is too large can pass as bytes of its frames', () => {
    const options = { fromClient: false, messageBytesMax: 10, passesLarge: true };
    const payload = new Uint8Array(300).fill(0x61);
    const first = encodeWebSocketFrame('text', text('start'));
    first[0] = 0x01;
    const middle = encodeWebSocketFrame('text', payload);
    middle[0] = 0x00;
    const last = encodeWebSocketFrame('text', text('end'));
    last[0] = 0x80;
    const ping = encodeWebSocketFrame('ping', text('?'));
    const small = encodeWebSocketFrame('text', text('small'));
    for (const frames of [
      [encodeWebSocketFrame('binary', payload), small],
      [first, middle, ping, last, small],
    ]) {
      const bytes = Buffer.concat(frames);
      for (const size of [1, 7, bytes.length]) {
        const reader = new WebSocketParser(options);
        const raw: Uint8Array[] = [];
        const kinds: string[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          for (const message of reader.push(bytes.subarray(at, at + size), true)) {
            if (message.kind === 'raw') raw.push(message.payload);
            else kinds.push(message.kind);
          }
        }
        expect(kinds.at(-1)).toBe('text');
        const passed = Buffer.concat(frames.filter((frame) => frame !== ping && frame !== small));
        expect(Buffer.concat(raw).equals(passed)).toBe(true);
      }
    }
  });

  it('pushed bytes are not modified, in a Node Buffer as well', () => {
    const frame = Buffer.from(encodeWebSocketFrame('text', text('Hana'), text('key!')));
    const before = frame.toString('hex');
    const [message] = parser(true).push(frame);
    expect(new TextDecoder().decode(message?.payload)).toBe('Hana');
    expect(frame.toString('hex')).toBe(before);
  });

  it('encoded frames are parsed again, whatever the cuts', () => {
    const length = fc.constantFrom(0, 1, 125, 126, 65_535, 65_536);
    fc.assert(
      fc.property(length, fc.boolean(), fc.nat(), (size, fromClient, cut) => {
        const payload = new Uint8Array(size).fill(0x61);
        const frame = encodeWebSocketFrame('binary', payload, fromClient ? text('key!') : undefined);
        const reader = parser(fromClient);
        const at = cut % frame.length;
        const messages = [...reader.push(frame.slice(0, at)), ...reader.push(frame.slice(at))];
        expect(messages).toHaveLength(1);
        expect(Buffer.compare(messages[0]?.payload ?? text('?'), payload)).toBe(0);
      }),
    );
  });
});
