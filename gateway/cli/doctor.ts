/** `privet doctor`: checks everything between a program and an AI service, and says what to do. */

import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownUrl } from '../../config/listeners.ts';
import type { Settings } from '../../config/load.ts';
import { dayMs } from '../durations.ts';
import { type Command, UsageError } from './command.ts';
import { configOption, configured } from './configured.ts';
import {
  clientChecks,
  clientNames,
  type DoctorClient,
  type DoctorFacts,
  type Finding,
  failing,
  passing,
  warning,
} from './doctor-clients.ts';
import { checkedProxy } from './env.ts';

const expiryWarnMs = 30 * dayMs;
const skewMaxMs = 5 * 60_000;
const timeoutMs = 5_000;

export const doctor: Command = {
  usage: 'doctor',
  help: `Check that clients can use this machine and the gateway, and suggest fixes.
Checks the clock, name resolution, the CA, the listeners and, with --client, whether a real program trusts the
certificates of the gateway. Exit code 1 if something is broken.`,
  options: {
    client: {
      value: 'CLIENT',
      help: `also run ${clientNames.join(', ')} through the proxy (repeat for more)`,
      isList: true,
    },
    proxy: { value: 'URL', help: 'address of the proxy (default ca.public_url, else listen.proxy)' },
    ca: {
      value: 'FILE',
      help: 'the root installed on this machine, to check a machine without the gateway',
    },
    host: {
      value: 'HOST',
      help: 'host that the clients request (default check.privet.proxy, which needs no internet)',
    },
    config: configOption,
    json: { help: 'as JSON' },
  },
  words: [0, 0],
  async run(args, io) {
    const { config, settings } = configured(args, io);
    const clients = args.all('client').map((name): DoctorClient => {
      const known = clientNames.find((client) => client === name);
      if (known === undefined) throw new UsageError(`--client must be ${clientNames.join(', ')}`);
      return known;
    });
    const rootFile = args.get('ca');
    const facts: DoctorFacts = {
      config,
      settings,
      rootFile,
      proxy: checkedProxy(args.get('proxy') ?? config.ca.public_url ?? ownUrl(config.listen.proxy)),
      api: ownUrl(config.listen.api),
      host: args.get('host') ?? 'check.privet.proxy',
    };
    const findings: Finding[] = [];
    // A client only needs the root and the proxy; the gateway resolves names.
    const checks = rootFile === undefined ? [checkCa, checkProxy, checkApi, checkNames] : [checkRootFile, checkProxy];
    for (const check of checks) findings.push(...(await check(facts)));
    for (const client of clients) findings.push(...(await clientChecks(client, facts, io.env)));
    const isBroken = findings.some(({ state }) => state === 'fail');
    if (args.has('json')) io.stdout.write(`${JSON.stringify({ ok: !isBroken, findings }, null, 2)}\n`);
    else io.stdout.write(textOf(findings));
    return isBroken ? 1 : 0;
  },
};

function textOf(findings: readonly Finding[]): string {
  const marks = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' };
  const width = Math.max(...findings.map(({ check }) => check.length)) + 2;
  return findings
    .map(({ check, state, text, advice }) => {
      const line = `${marks[state]}  ${check.padEnd(width)}${text}\n`;
      return advice === undefined ? line : `${line}      ${' '.repeat(width)}→ ${advice}\n`;
    })
    .join('');
}

/** The CA folder: readable, consistent, not about to expire. */
async function checkCa({ settings }: DoctorFacts): Promise<Finding[]> {
  const dir = join(settings.dataDir, 'ca');
  try {
    const { CertificateAuthority } = await import('../../certs/ca.ts');
    const passphrase = settings.caPassphrase;
    const ca = CertificateAuthority.open({ dir, create: false, permittedDomains: null, passphrase });
    const leftMs = ca.notAfter.getTime() - Date.now();
    const until = `SHA-256 ${ca.fingerprint256.slice(0, 23)}…, until ${ca.notAfter.toISOString().slice(0, 10)}`;
    const findings: Finding[] = [
      leftMs < expiryWarnMs && ca.next === undefined
        ? warning('ca', until, 'Run "privet ca rotate" and distribute the next root to your clients.')
        : passing('ca', until),
    ];
    if (ca.root.notBefore.getTime() > Date.now())
      findings.push(failing('clock', 'the root is not valid yet', 'Set the clock of this machine.'));
    if (ca.next !== undefined) findings.push(passing('next ca', `takes over at ${ca.next.activateAt.toISOString()}`));
    return findings;
  } catch (error) {
    const { message, cause } = error as Error;
    const text = cause instanceof Error ? `${message} (${cause.message})` : message;
    return [failing('ca', text, `Start the gateway once, or restore ${dir} from a backup.`)];
  }
}

/** The root file: readable, valid. */
async function checkRootFile({ rootFile }: DoctorFacts): Promise<Finding[]> {
  try {
    const roots = await rootsOf(rootFile as string);
    const now = new Date();
    const inForce = roots.find((root) => root.validFromDate <= now && root.validToDate > now);
    if (inForce !== undefined) {
      const until = inForce.validToDate.toISOString().slice(0, 10);
      return [passing('ca', `SHA-256 ${inForce.fingerprint256.slice(0, 23)}…, until ${until}`)];
    }
    const text =
      roots.length === 0 ? `${rootFile} contains no certificate` : `${rootFile} contains no valid certificate`;
    return [failing('ca', text, 'Download ca.pem from the page /ca of the proxy; check the clock.')];
  } catch (error) {
    const { message } = error as Error;
    return [failing('ca', message, 'Download ca.pem from the page /ca of the proxy.')];
  }
}

async function rootsOf(file: string): Promise<X509Certificate[]> {
  const { certificatesOf } = await import('../../certs/formats.ts');
  return certificatesOf(readFileSync(file, 'utf8')).map((pem) => new X509Certificate(pem));
}

/** The proxy port: it answers, runs Privet, and has our clock and root. */
async function checkProxy({ proxy: given, settings, rootFile }: DoctorFacts): Promise<Finding[]> {
  // The password is for clients; it is neither needed nor shown here.
  const proxy = withoutUser(given);
  let answer: Response;
  try {
    answer = await fetch(`${proxy}/status.json`, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    const advice = 'Start the gateway, or give its address with --proxy. Is a firewall in between?';
    return [failing('proxy', `${proxy} does not answer (${causeOf(error)})`, advice)];
  }
  const status = (await answer.json().catch(() => undefined)) as { ca?: { fingerprint256?: string } } | undefined;
  if (answer.status === 403)
    return [failing('proxy', `${proxy} does not serve this machine`, 'Add its network to auth.clients.')];
  const shown = status?.ca?.fingerprint256;
  if (shown === undefined) return [failing('proxy', `${proxy} is not a Privet gateway`, 'Check the address.')];
  const findings = [passing('proxy', `${proxy} answers`)];
  const there = Date.parse(answer.headers.get('date') ?? '');
  if (!Number.isNaN(there) && Math.abs(there - Date.now()) > skewMaxMs)
    findings.push(failing('clock', 'the clocks of the gateway and of this machine differ', 'Set both by NTP.'));
  if (rootFile !== undefined) {
    const roots = await rootsOf(rootFile).catch(() => []);
    if (!roots.some(({ fingerprint256 }) => fingerprint256 === shown))
      findings.push(
        failing(
          'proxy ca',
          `the gateway at this address has a root that is not in ${rootFile}`,
          `Is it your company's? If so, download ca.pem from ${proxy}/ca and compare its fingerprint.`,
        ),
      );
    return findings;
  }
  const own = await ownFingerprint(settings);
  if (own !== undefined && own !== shown)
    findings.push(
      warning(
        'proxy ca',
        'the gateway at this address has a different root from the data folder',
        'Is it another gateway, or was it started with another PROXY_DATA_DIR?',
      ),
    );
  return findings;
}

/** The proxy URL without user and password. */
function withoutUser(proxy: string): string {
  const url = URL.parse(proxy);
  if (url === null || (url.username === '' && url.password === '')) return proxy;
  return `${url.protocol}//${url.host}`;
}

async function ownFingerprint({ dataDir, caPassphrase: passphrase }: Settings): Promise<string | undefined> {
  try {
    const { CertificateAuthority } = await import('../../certs/ca.ts');
    return CertificateAuthority.open({ dir: join(dataDir, 'ca'), create: false, permittedDomains: null, passphrase })
      .fingerprint256;
  } catch {
    return undefined;
  }
}

/** The API port and its health; its Date field is compared with the clock. */
async function checkApi({ api }: DoctorFacts): Promise<Finding[]> {
  try {
    const answer = await fetch(`${api}/ready`, { signal: AbortSignal.timeout(timeoutMs) });
    const body = (await answer.json().catch(() => ({}))) as { checks?: Record<string, boolean> };
    const away = Object.entries(body.checks ?? {}).filter(([, passes]) => !passes);
    const unready = `${api} is not ready${away.length > 0 ? `: ${away.map(([name]) => name).join(', ')}` : ''}`;
    const advice = 'See the gateway log. If it uses an external store, check PROXY_STORE_URL.';
    const skewMs = Math.abs(Date.parse(answer.headers.get('date') ?? '') - Date.now());
    return [
      answer.ok ? passing('api', `${api} is ready`) : failing('api', unready, advice),
      skewMs > skewMaxMs
        ? failing('clock', `the clocks differ by ${Math.round(skewMs / 1000)} s`, 'Set both by NTP.')
        : passing('clock', 'agrees with the gateway'),
    ];
  } catch (error) {
    const advice = 'The API may listen on another address (HOST, PORT); the proxy works without it.';
    return [warning('api', `${api} does not answer (${causeOf(error)})`, advice)];
  }
}

/** Names of AI services resolve to addresses that egress allows. */
async function checkNames({ config }: DoctorFacts): Promise<Finding[]> {
  if (config.upstream.parent !== null) return [passing('dns', 'not needed: a parent proxy resolves names')];
  const name = 'api.openai.com';
  if (config.upstream.resolve[name] !== undefined) return [passing('dns', `${name} is fixed by upstream.resolve`)];
  try {
    const started = performance.now();
    const { address } = await withTimeout(lookup(name));
    return [passing('dns', `${name} is ${address} (${Math.round(performance.now() - started)} ms)`)];
  } catch (error) {
    const advice = 'Check the name servers of this machine; behind a company proxy set upstream.parent.';
    return [warning('dns', `${name} does not resolve (${causeOf(error)})`, advice)];
  }
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs).unref(),
    ),
  ]);
}

/** The system's reason for a failed connection: `connect ECONNREFUSED 127.0.0.1:3128`. */
function causeOf(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: Error & { errors?: readonly Error[] } };
  if (name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  // With several addresses, each one failed for its own reason, mostly the same.
  const deepest = cause?.errors?.[0] ?? cause;
  return deepest?.message || message;
}
