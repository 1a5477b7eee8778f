/** The CA at run time: its names for the portal, its revocation URL, and root rotation. */

import type { CertificateAuthority } from '../../certs/ca.ts';
import type { ManyNames } from '../../certs/name-shards.ts';
import type { Config } from '../../config/load.ts';
import { dayMs } from '../durations.ts';
import type { Log } from '../observe/log.ts';
import { portalHost } from './page.ts';

const followMs = 5_000;
const warnMs = 30 * dayMs;

/** The names that leaf certificates may be issued for, including the portal's; null = no limit. */
export function withPortal(names: readonly string[] | ManyNames | null): readonly string[] | ManyNames | null {
  if (names === null) return null;
  return 'others' in names ? { ...names, others: [...names.others, portalHost] } : [...names, portalHost];
}

/** Base URL of the revocation lists; undefined: certificates name none. */
export function revocationBase(config: Config, proxyPort: number): string | undefined {
  const { public_url: url, revocation_list: isOn } = config.ca;
  if (!isOn) return undefined;
  if (url !== null) return new URL(url).origin;
  const { host } = config.listen.proxy;
  // A wildcard address is not one that all clients can reach, but through the proxy they can use the portal's name.
  if (host === '0.0.0.0' || host === '::') return `http://${portalHost}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${proxyPort}`;
}

/** Activates scheduled roots, and warns daily for a month before one expires. The result stops it. */
export function followCa(ca: CertificateAuthority, log: Log): () => void {
  let warnedAt = 0;
  let isFailing = false;
  const look = () => {
    try {
      if (ca.refresh())
        log.warn(
          { event: 'ca_rotated', fingerprint256: ca.fingerprint256 },
          'the next root certificate has taken over',
        );
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error({ event: 'ca_not_read', error }, 'the CA folder cannot be read; the old root stays');
      isFailing = true;
    }
    const left = ca.notAfter.getTime() - Date.now();
    if (left < warnMs && ca.next === undefined && Date.now() - warnedAt > dayMs) {
      warnedAt = Date.now();
      log.warn(
        { event: 'ca_expires', notAfter: ca.notAfter },
        'the root certificate expires soon: run "privet ca rotate"',
      );
    }
  };
  look();
  const timer = setInterval(look, followMs).unref();
  return () => clearInterval(timer);
}
