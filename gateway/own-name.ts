/**
 * Checks that a request addressed this machine by a name that a foreign page cannot forge. With DNS rebinding, a page
 * makes its own name resolve to this machine, and could then send requests and read the responses.
 */
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** From Debian's hosts file. */
const names = ['localhost', 'ip6-localhost', 'ip6-loopback'];

/**
 * `host`: the Host field. Addresses, `localhost`, the machine's name and the names in `also` (lower case) are our own.
 */
export function isOwnName(host: string, also: readonly string[] = []): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$|\.$/g, '')
    .toLowerCase();
  return isIP(name) !== 0 || [hostname().toLowerCase(), ...names].includes(name) || also.includes(name);
}
