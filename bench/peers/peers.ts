/** Other proxies in their default packages, configured for the same work. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { folder, spawnTarget, type Target } from '../support.ts';
import type { Setting } from '../targets.ts';

/** A proxy that can be started for a run. */
type Peer = { readonly name: string; begin(setting: Setting): Promise<Target> };

/** All peers that are or can be installed. */
export const peers: readonly Peer[] = [
  { name: 'squid', begin: (setting) => squid(setting, 'splice') },
  { name: 'squid, peek', begin: (setting) => squid(setting, 'peek') },
  { name: 'mitmproxy', begin: mitmproxy },
  { name: 'mockttp', begin: (setting) => nodePeer('mockttp', setting) },
  { name: 'http-mitm-proxy', begin: (setting) => nodePeer('http-mitm-proxy', setting) },
];

const squidPath = '/usr/sbin/squid';

function install(file: string, ...packages: string[]): void {
  if (existsSync(file)) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['-q', 'install', '-y', '--no-install-recommends', ...packages], {
    env,
    stdio: ['ignore', 2, 2],
  });
  if (!existsSync(file)) throw new Error(`${packages.join(' ')} could not be installed`);
}

/** A CA for a peer; Squid wants certificate and key in one file. */
function peerAuthority(dir: string): { cert: string; key: string; both: string } {
  const [cert, key, both] = ['ca.pem', 'ca-key.pem', 'both.pem'].map((name) => path.join(dir, name)) as [
    string,
    string,
    string,
  ];
  spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=Bench peer'],
    ...['-keyout', key, '-out', cert, '-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
  ]);
  writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
  return { cert, key, both };
}

async function squid({ ports, origin }: Setting, mode: 'splice' | 'peek'): Promise<Target> {
  install('/usr/lib/squid/security_file_certgen', 'squid-openssl');
  const dir = mkdtempSync(path.join(folder, 'squid-'));
  const authority = peerAuthority(dir);
  const port = await freePort();
  const originCa = path.join(dir, 'origin-ca.pem');
  cpSync(origin.ca, originCa);
  spawnSync('/usr/lib/squid/security_file_certgen', ['-c', '-s', path.join(dir, 'certs'), '-M', '16MB']);
  const intercept =
    mode === 'peek'
      ? ['acl step1 at_step SslBump1', 'ssl_bump peek step1', 'ssl_bump bump all']
      : [`acl bumped url_regex :${ports.tlsPort}$`, 'ssl_bump bump bumped', 'ssl_bump splice all'];
  const config = [
    `http_port 127.0.0.1:${port} ssl-bump tls-cert=${authority.both} generate-host-certificates=on dynamic_cert_mem_cache_size=16MB`,
    `sslcrtd_program /usr/lib/squid/security_file_certgen -s ${dir}/certs -M 16MB`,
    'sslcrtd_children 4 startup=1 idle=1',
    ...intercept,
    `tls_outgoing_options cafile=${originCa}`,
    'acl SSL_ports port 1-65535',
    'http_access allow all',
    'cache deny all',
    'cache_mem 8 MB',
    'access_log none',
    `cache_log ${dir}/cache.log`,
    `pid_filename ${dir}/squid.pid`,
    'cache_store_log none',
    'netdb_filename none',
    'hosts_file /etc/hosts',
    `coredump_dir ${dir}`,
    'shutdown_lifetime 0 seconds',
    'visible_hostname bench',
    'pinger_enable off',
  ];
  const file = path.join(dir, 'squid.conf');
  writeFileSync(file, `${config.join('\n')}\n`);
  // Squid drops root privileges for its package's user.
  spawnSync('chown', ['-R', 'proxy:proxy', dir]);
  for (const one of [tmpdir(), folder, dir]) if (one !== tmpdir()) chmodSync(one, 0o755);
  return spawnTarget({
    name: mode === 'peek' ? 'squid, peek' : 'squid',
    command: [squidPath, '-N', '-f', file],
    port,
    ca: authority.cert,
    originCa: origin.ca,
  });
}

async function mitmproxy({ origin }: Setting): Promise<Target> {
  install('/usr/bin/mitmdump', 'mitmproxy');
  const dir = mkdtempSync(path.join(folder, 'mitm-'));
  const port = await freePort();
  const target = await spawnTarget({
    name: 'mitmproxy',
    command: [
      '/usr/bin/mitmdump',
      ...['-q', '--listen-host', '127.0.0.1', '--listen-port', String(port)],
      ...['--set', `confdir=${dir}`, '--set', `ssl_verify_upstream_trusted_ca=${origin.ca}`],
      // Stream large bodies, as mitmproxy's documentation advises.
      ...['--set', 'stream_large_bodies=3m', '--set', 'connection_strategy=lazy'],
    ],
    port,
    ca: path.join(dir, 'mitmproxy-ca-cert.pem'),
    originCa: origin.ca,
  });
  return target;
}

async function nodePeer(name: 'mockttp' | 'http-mitm-proxy', { origin }: Setting): Promise<Target> {
  const home = path.join(tmpdir(), 'privet-bench-peers');
  if (!existsSync(path.join(home, 'node_modules', name))) {
    mkdirSync(home, { recursive: true });
    writeFileSync(path.join(home, 'package.json'), '{"private":true}');
    spawnSync('npm', ['install', '--prefix', home, '--ignore-scripts', 'mockttp@4', 'http-mitm-proxy@1'], {
      stdio: ['ignore', 2, 2],
    });
  }
  const dir = mkdtempSync(path.join(folder, `${name}-`));
  const authority = peerAuthority(dir);
  const port = await freePort();
  const ca = name === 'mockttp' ? authority.cert : path.join(dir, 'certs/ca.pem');
  return spawnTarget({
    name,
    command: [process.execPath, path.join(import.meta.dirname, `${name}.mjs`)],
    env: {
      PEER_HOME: home,
      PEER_PORT: String(port),
      PEER_DIR: dir,
      PEER_CA: authority.cert,
      PEER_KEY: authority.key,
      ORIGIN_CA: origin.ca,
    },
    port,
    ca,
    originCa: origin.ca,
  });
}
