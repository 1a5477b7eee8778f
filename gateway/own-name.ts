/**
 * Whether a request came for this machine by a name that no foreign page can make up. A page whose own name was made to
 * lead here (DNS rebinding) can ask whatever its browser may reach, and read the answer.
 */
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Those of the hosts file of Debian. */
const names = ['localhost', 'ip6-localhost', 'ip6-loopback'];

/** `host`: the Host field. An address, `localhost`, the name of the machine, and those in `also` (lower case) are own. */
export function isOwnName(host: string, also: readonly string[] = []): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$|\.$/g, '')
    .toLowerCase();
  return isIP(name) !== 0 || [hostname().toLowerCase(), ...names].includes(name) || also.includes(name);
}
