/** Proxy auto-configuration: plain names, private networks and bypassed hosts go directly, all else to the proxy. */

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
  return `function FindProxyForURL(url, host) {
  if (isPlainHostName(host) || host === "127.0.0.1" || host === "[::1]" || dnsDomainIs(host, ".local")) return "DIRECT";
  if (/^(10\\.|192\\.168\\.|172\\.(1[6-9]|2[0-9]|3[01])\\.|169\\.254\\.)[0-9.]+$/.test(host)) return "DIRECT";
${direct}  return "PROXY ${authority}";
}
`;
}
