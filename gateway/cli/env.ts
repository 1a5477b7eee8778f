/** `privet env`: the variables that make programs use the proxy and trust its root, in a shell's syntax. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../certs/folders.ts';
import { ownUrl } from '../../config/listeners.ts';
import type { Settings } from '../../config/load.ts';
import { javaDirectHosts, noProxy } from '../direct-hosts.ts';
import { type Command, UsageError } from './command.ts';
import { configOption, configured } from './configured.ts';

const shells = ['bash', 'pwsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const env: Command = {
  usage: 'env',
  help: `Print the variables that make programs use the proxy and trust its root, for a shell to evaluate.
  bash, zsh:  eval "$(privet env)"      fish: privet env --shell fish | source
  PowerShell: privet env --shell pwsh | Out-String | Invoke-Expression
Writes the certificates they refer to into a folder. NODE_EXTRA_CA_CERTS adds to the roots a program trusts; the others
replace them, so they refer to a bundle that includes the public roots.`,
  options: {
    shell: { value: 'SHELL', help: `${shells.join(', ')} (default bash)` },
    proxy: { value: 'URL', help: 'address of the proxy (default ca.public_url, else listen.proxy)' },
    dir: { value: 'FOLDER', help: 'where the certificates are written (default: client in the data folder)' },
    ca: { value: 'FILE', help: 'use the root in this file, on a machine without the gateway' },
    unset: { help: 'print the commands that unset the variables' },
    config: configOption,
  },
  words: [0, 0],
  async run(args, io) {
    const shell = args.choice('shell', shells) ?? 'bash';
    const { config, settings } = configured(args, io);
    const proxy = checkedProxy(args.get('proxy') ?? config.ca.public_url ?? ownUrl(config.listen.proxy));
    const dir = resolve(args.get('dir') ?? join(settings.dataDir, 'client'));
    const names = Object.keys(variablesOf({ proxy, dir }));
    if (args.has('unset')) {
      io.stdout.write(names.map((name) => `${removal(shell, name)}\n`).join(''));
      return 0;
    }
    await writeCertificates(dir, args.get('ca'), settings, config.upstream.ca_file);
    const lines = Object.entries(variablesOf({ proxy, dir })).map(([name, value]) => assignment(shell, name, value));
    io.stdout.write(`${lines.join('\n')}\n`);
    return 0;
  },
};

/** A proxy URL without a trailing slash. @throws UsageError for any other text */
export function checkedProxy(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new UsageError('--proxy must be a URL like http://proxy.example:3128');
  return text.replace(/\/$/, '');
}

/** Variable → value. `dir` contains `ca.pem`, `ca-bundle.pem` and `truststore.jks`. */
export function variablesOf({ proxy, dir }: { readonly proxy: string; readonly dir: string }): Record<string, string> {
  const root = join(dir, 'ca.pem');
  const bundle = join(dir, 'ca-bundle.pem');
  const { hostname, port, protocol } = new URL(proxy);
  const proxyPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    // Node.js 24, Bun; Node's fetch and http use the proxy only with the second.
    NODE_EXTRA_CA_CERTS: root,
    NODE_USE_ENV_PROXY: '1',
    // OpenSSL: Python's ssl, httpx and the AI SDKs, Go on Linux, Ruby, rustls-native-certs, Codex.
    SSL_CERT_FILE: bundle,
    REQUESTS_CA_BUNDLE: bundle,
    PIP_CERT: bundle,
    CURL_CA_BUNDLE: bundle,
    AWS_CA_BUNDLE: bundle,
    GIT_SSL_CAINFO: bundle,
    CARGO_HTTP_CAINFO: bundle,
    DENO_CERT: root,
    CODEX_CA_CERTIFICATE: bundle,
    GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: bundle,
    JAVA_TOOL_OPTIONS: [
      `-Dhttp.proxyHost=${hostname} -Dhttp.proxyPort=${proxyPort}`,
      `-Dhttps.proxyHost=${hostname} -Dhttps.proxyPort=${proxyPort}`,
      `-Dhttp.nonProxyHosts=${javaDirectHosts}`,
      // Java rejects Basic for tunnels unless this is empty, and only reports "Unable to tunnel" (407).
      '-Djdk.http.auth.tunneling.disabledSchemes=',
      quoted(`-Djavax.net.ssl.trustStore=${join(dir, 'truststore.jks')}`),
      '-Djavax.net.ssl.trustStorePassword=changeit',
      '-Djavax.net.ssl.trustStoreType=JKS',
    ].join(' '),
  };
}

/** HotSpot accepts quotes in JAVA_TOOL_OPTIONS. */
const quoted = (option: string): string => (/\s/.test(option) ? `"${option}"` : option);

/** One assignment in a shell's syntax; the shell expands nothing in the value. */
export function assignment(shell: Shell, name: string, value: string): string {
  if (shell === 'pwsh') return `$env:${name} = '${value.replaceAll("'", "''").replaceAll('’', '’’')}'`;
  if (shell === 'fish') return `set -gx ${name} '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  return `export ${name}='${value.replaceAll("'", "'\\''")}'`;
}

function removal(shell: Shell, name: string): string {
  if (shell === 'pwsh') return `Remove-Item -ErrorAction SilentlyContinue Env:${name}`;
  return shell === 'fish' ? `set -e ${name}` : `unset ${name}`;
}

/** Writes the root, the bundle and the Java trust store. */
export async function writeCertificates(
  dir: string,
  given: string | undefined,
  { dataDir, caPassphrase: passphrase }: Pick<Settings, 'dataDir' | 'caPassphrase'>,
  extraFile: string | null,
): Promise<void> {
  const [{ CertificateAuthority }, formats, { readFileSync }, { trustStore }] = await Promise.all([
    import('../../certs/ca.ts'),
    import('../../certs/formats.ts'),
    import('node:fs'),
    import('../../certs/trust-store.ts'),
  ]);
  const roots =
    given === undefined
      ? CertificateAuthority.open({ dir: join(dataDir, 'ca'), create: false, permittedDomains: null, passphrase })
          .published
      : readable(`--ca ${given}`, () => formats.publishedFrom(readFileSync(given, 'utf8')));
  if (roots.length === 0) throw new UsageError(`--ca ${given} contains no certificate`);
  const extra = extraFile === null ? '' : readFileSync(extraFile, 'utf8');
  readable(`upstream.ca_file ${extraFile}`, () => formats.readableCertificatesOf(extra));
  const bundle = formats.fullBundle(roots, extra);
  makeFolder(dir, 0o777);
  writeFileSync(join(dir, 'ca.pem'), formats.pemBundle(roots));
  writeFileSync(join(dir, 'ca-bundle.pem'), bundle);
  writeFileSync(join(dir, 'truststore.jks'), trustStore(formats.certificatesOf(bundle), 'changeit'));
}

function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if ('syscall' in (error as Error)) throw error;
    throw new UsageError(`${what} contains a damaged certificate`);
  }
}
