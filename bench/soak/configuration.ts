/** The gateway's configuration in a soak; switching variants tests reloading. */
import path from 'node:path';
import { stringify } from 'yaml';

/** The configuration file; `variant` changes the policy, the dictionary and the names. */
export function configOf(options: { variant: number; dnsPort: number; originCa: string; data: string }): string {
  const { variant, dnsPort, originCa, data } = options;
  return stringify({
    policy: { close_blocked_tunnels: true, bypass: [`bypass-${variant}.example`] },
    masking: { dictionary: [{ label: 'PROJECT', pattern: `Project Soak ${variant}` }] },
    egress: { allow: ['127.0.0.0/8'], ports: 'any' },
    upstream: {
      ca_file: originCa,
      dns: [`127.0.0.1:${dnsPort}`],
      resolve: { [`fixed-${variant}.example`]: '127.0.0.1:9' },
      // A busy machine must not look like a fault.
      timeouts: { keep_alive: '10s', connect: '60s', tls: '60s', header: '60s', dns: '30s' },
    },
    log: {
      audit: {
        sinks: [{ to: 'file', path: path.join(data, 'audit.jsonl'), rotate: { size: '20MiB', keep: 2, gzip: true } }],
      },
    },
  });
}
