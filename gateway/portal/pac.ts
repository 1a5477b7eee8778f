/** Proxy auto-configuration: plain names, private networks and bypassed hosts directly, others through the proxy. */
import { directSuffixes, isDirectAddress } from '../direct-hosts.ts';

/** The file. `authority`: host and port of the proxy; `bypass`: entries of `policy.bypass`. */
export function pacFile(authority: string, bypass: readonly string[]): string {
  const direct = bypass
    .filter((entry) => /^[a-z0-9.*-]+$/i.test(entry) && /[a-z]/i.test(entry))
    .map((entry) => entry.replace(/^\*?\./, ''))
    .map(
      (host) =>
        `  if (host === ${JSON.stringify(host)} || dnsDomainIs(host, ${JSON.stringify(`.${host}`)})) return "DIRECT";\n`,
    )
    .join('');
  const suffixes = directSuffixes.map((suffix) => `dnsDomainIs(host, "${suffix}")`).join(' || ');
  return `function FindProxyForURL(url, host) {
  if (${isDirectAddress}) return "DIRECT";
  if (host.indexOf(":") < 0 && (isPlainHostName(host) || ${suffixes})) return "DIRECT";
${direct}  return "PROXY ${authority}";
}
`;
}
