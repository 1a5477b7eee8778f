/** HAProxy with the configuration of deploy/haproxy.cfg and the replicas of a test. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A replica as the balancer reaches it. */
export type BalancedReplica = { readonly host: string; readonly proxyPort: number; readonly apiPort: number };

/**
 * The shipped configuration without the API listener, with these replicas instead of those that a resolver would find.
 * `source`: the address that the balancer connects from.
 */
export function balancerConfig(options: {
  readonly listen: string;
  readonly replicas: readonly BalancedReplica[];
  readonly source?: string;
}): string {
  const shipped = readFileSync(resolve(import.meta.dirname, '../../deploy/haproxy.cfg'), 'utf8');
  const source = options.source === undefined ? '' : ` source ${options.source}`;
  return (
    shipped
      .replace(/^resolvers docker\n(?: .*\n)+/m, '')
      .replace(/maxconn \d+/, 'maxconn 1000')
      // A check may be answered late on a busy machine.
      .replace(/^ *timeout connect .*$/m, '  timeout connect 30s\n  timeout check 30s')
      .replace('bind :3128', `bind ${options.listen}`)
      .replace(/frontend api\n(?: .*\n)+\nbackend apis\n(?: .*\n)+/, '')
      .replace(/^ *server-template (.*)$/gm, (_line, text: string) => {
        const flags = /^\S+ \d+ \S+ (.*?) resolvers/.exec(text)?.[1] ?? '';
        return options.replicas
          .map(({ host, proxyPort, apiPort }, i) => {
            const checked = flags.replace(/port \d+/, `port ${apiPort}`);
            return `  server privet${i} ${host}:${proxyPort} ${checked}${source}`;
          })
          .join('\n');
      })
  );
}
