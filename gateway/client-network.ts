/** Maps a client address to the network that per-client limits count. */
import { isIPv6 } from 'node:net';
import { plainAddress } from './proxy/listen/peer.ts';

/**
 * The address itself; for IPv6 the network of one household, such as `2001:db8:1:2::/64` (RFC 6177: at least a /64).
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address).toLowerCase();
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%', 1)[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const behind = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - behind.length)).fill('0');
  return `${[...before, ...zeros, ...behind].slice(0, 4).join(':')}::/64`;
}
