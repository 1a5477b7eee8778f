/**
 * The PROXY protocol, versions 1 and 2 (haproxy.org, doc/proxy-protocol.txt): a load balancer first sends the address
 * of the client it forwards, even before TLS. Trusted from, and required in, configured networks only.
 */

import { isIPv4, isIPv6, type Socket } from 'node:net';
import type { Config } from '../../../config/load.ts';
import { CidrSet } from '../../../policy/address.ts';
import type { Commit } from '../../reconfigurable.ts';
import { setPeer } from './peer.ts';

/** A header of `length` bytes. No `source`: a health check of the balancer, or an unknown client. */
export type ProxyHeader = { readonly length: number; readonly source?: string };

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
/** A version 1 line including its end (specification, section 2.1). */
const lineBytesMax = 107;
/** Version 2 allows 64 KiB; extensions with a client certificate stay below this. */
const headerBytesMax = 16 * 1024;
/** Time limit for the header, in milliseconds. */
const headerMs = 3_000;

/** Parses the header at the start of a connection; `invalid` if there is none. */
export function readProxyHeader(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  const common = Math.min(bytes.length, signature.length);
  if (bytes.compare(signature, 0, common, 0, common) === 0) {
    return bytes.length < 16 ? 'incomplete' : readBinary(bytes);
  }
  return readLine(bytes);
}

function readBinary(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  const version = (bytes[12] as number) >> 4;
  const command = (bytes[12] as number) & 0x0f;
  const family = bytes[13] as number;
  const size = bytes.readUInt16BE(14);
  const length = 16 + size;
  if (version !== 2 || command > 1 || length > headerBytesMax) return 'invalid';
  if (bytes.length < length) return 'incomplete';
  if (command === 0) return { length };
  // The addresses are followed by extensions, which are ignored.
  if (family >> 4 === 1 && size >= 12) return { length, source: bytes.subarray(16, 20).join('.') };
  if (family >> 4 === 2 && size >= 36) return { length, source: ipv6Text(bytes.subarray(16, 32)) };
  return family === 0 || family >> 4 === 3 ? { length } : 'invalid';
}

function readLine(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  const start = 'PROXY ';
  const text = bytes.toString('latin1', 0, lineBytesMax);
  if (!text.startsWith(start.slice(0, text.length))) return 'invalid';
  const end = text.indexOf('\r\n');
  if (end === -1) return text.length < lineBytesMax ? 'incomplete' : 'invalid';
  const length = end + 2;
  const [, family, source = '', destination = '', ...ports] = text.slice(0, end).split(' ');
  if (family === 'UNKNOWN') return { length };
  const isAddress = family === 'TCP4' ? isIPv4 : family === 'TCP6' ? isIPv6 : undefined;
  if (!isAddress?.(source) || !isAddress(destination) || source.includes('%')) return 'invalid';
  if (ports.length !== 2 || !ports.every((port) => /^\d{1,5}$/.test(port) && Number(port) <= 65535)) return 'invalid';
  return { length, source: family === 'TCP6' ? canonical(source) : source };
}

function ipv6Text(bytes: Buffer): string {
  const words = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16));
  return canonical(words.join(':'));
}

/** Canonical spelling: IPv4-mapped IPv6 as IPv4, zeros shortened as Node does for sockets. */
function canonical(address: string): string {
  const text = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(text);
  if (!mapped) return text;
  const words = [Number.parseInt(mapped[1] as string, 16), Number.parseInt(mapped[2] as string, 16)];
  return words.flatMap((word) => [word >> 8, word & 0xff]).join('.');
}

/** Strips the header from connections of load balancers. */
export class ProxyProtocol {
  private peers: CidrSet;

  constructor(peers: readonly string[]) {
    this.peers = new CidrSet(peers);
  }

  /** Applies new trusted networks. */
  prepare({ listen }: Pick<Config, 'listen'>): Commit {
    const peers = new CidrSet(listen.proxy_protocol_from);
    return () => {
      this.peers = peers;
    };
  }

  /** Calls `onReady` once the header is read, or at once if none is expected. Closes a connection without one. */
  take(socket: Socket, onReady: (socket: Socket) => void): void {
    if (this.peers.isEmpty || !this.peers.has(socket.remoteAddress ?? '')) {
      onReady(socket);
      return;
    }
    let bytes: Buffer = Buffer.alloc(0);
    const timer = setTimeout(() => socket.destroy(), headerMs);
    const stop = () => {
      clearTimeout(timer);
      socket.off('data', onData);
      socket.off('end', onEnd);
      socket.off('close', stop);
    };
    const onEnd = () => socket.destroy();
    const onData = (chunk: Buffer) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const header = readProxyHeader(bytes);
      if (header === 'incomplete') return;
      stop();
      if (header === 'invalid') {
        socket.destroy();
        return;
      }
      socket.pause();
      if (header.source !== undefined) setPeer(socket, { address: header.source });
      if (bytes.length > header.length) socket.unshift(bytes.subarray(header.length));
      onReady(socket);
    };
    socket.on('data', onData);
    socket.once('end', onEnd);
    socket.once('close', stop);
  }
}
