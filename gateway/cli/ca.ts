/** `privet ca show|export|rotate`: the root that clients trust, and its successor. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CertificateAuthority } from '../../certs/ca.ts';
import type { Root } from '../../certs/root.ts';
import { dayMs } from '../durations.ts';
import { type Arguments, type CliIo, type Command, UsageError, unknownAction } from './command.ts';
import { configOption, configured } from './configured.ts';
import { factLines } from './table.ts';

const actions = ['show', 'export', 'rotate'];
const formats = ['pem', 'der', 'p7b', 'mobileconfig', 'bundle'] as const;
const defaultDays = 30;

export const ca: Command = {
  usage: 'ca show|export|rotate',
  help: `Show, export or rotate the root certificate that clients trust.
rotate publishes the next root immediately, alongside the current one; it takes over in ${defaultDays} days. Running gateways
follow. Clients that trust only the old root keep working for 90 more days. The keys never leave the data folder.`,
  options: {
    out: { value: 'FILE', help: 'export: write to a file (default: standard output)' },
    format: { value: 'FORMAT', help: `export: ${formats.join(', ')} (default pem; bundle adds the public roots)` },
    'activate-at': { value: 'TIME', help: 'rotate: now, 14d, or a time like 2026-12-24T00:00:00Z' },
    cancel: { help: 'rotate: cancel the next root' },
    config: configOption,
  },
  words: [1, 1],
  async run(args, io) {
    const [action = ''] = args.words;
    if (!actions.includes(action)) throw unknownAction(action, actions);
    const { config, settings } = configured(args, io);
    const { revocationBase } = await import('../portal/authority.ts');
    const { CertificateAuthority } = await import('../../certs/ca.ts');
    const dir = join(settings.dataDir, 'ca');
    const authority = CertificateAuthority.open({
      dir,
      create: false,
      permittedDomains: null,
      passphrase: settings.caPassphrase,
      expired: action !== 'export',
      revocationBase: () => revocationBase(config, config.listen.proxy.port),
    });
    if (action === 'show') show(authority, dir, io);
    else if (action === 'export') await exportRoots(authority, args, io);
    else rotate(authority, dir, args, io);
    return 0;
  },
};

function show(authority: CertificateAuthority, dir: string, io: CliIo): void {
  const { root, next } = authority;
  const rows: [string, string][] = [['folder', dir], ...rootRows(root)];
  if (next !== undefined)
    rows.push(['', ''], ['next root', `from ${next.activateAt.toISOString()}`], ...rootRows(next.root));
  io.stdout.write(factLines(rows));
}

function rootRows({ commonName, fingerprint256, notBefore, notAfter }: Root): [string, string][] {
  return [
    ['name', commonName],
    ['sha-256', fingerprint256],
    ['valid', `from ${notBefore.toISOString()}`],
    ['expires', notAfter.toISOString()],
  ];
}

async function exportRoots(authority: CertificateAuthority, args: Arguments, io: CliIo): Promise<void> {
  const { appleProfile, fullBundle, pemBundle, pkcs7 } = await import('../../certs/formats.ts');
  const format = args.choice('format', formats) ?? 'pem';
  const { published, root } = authority;
  const contents = {
    // A single root keeps its format, for scripts that compare files.
    pem: () => (published.length === 1 ? root.pem : pemBundle(published)),
    der: () => Buffer.from(root.der),
    p7b: () => pkcs7(published),
    mobileconfig: () => appleProfile(published),
    bundle: () => fullBundle(published),
  };
  const content = contents[format]();
  const out = args.get('out');
  if (out !== undefined) {
    writeFileSync(out, content);
    // DER holds one certificate.
    const written = format === 'der' ? [root] : published;
    io.stderr.write(`wrote ${out}, SHA-256 ${written.map(({ fingerprint256 }) => fingerprint256).join(' and ')}\n`);
    if (written.length < published.length)
      io.stderr.write('It does not include the next root: use --format pem, p7b or mobileconfig, or /ca-next.crt.\n');
  } else if (typeof content === 'string') {
    io.stdout.write(content);
  } else {
    throw new UsageError(`--format ${format} is binary: choose a file with --out`);
  }
}

function rotate(authority: CertificateAuthority, dir: string, args: Arguments, io: CliIo): void {
  if (args.has('cancel')) {
    io.stdout.write(authority.cancelRotation() ? 'The next root was cancelled.\n' : 'There is no next root.\n');
    return;
  }
  const isExpired = authority.notAfter.getTime() <= Date.now();
  const activateAt = parseTime(args.get('activate-at') ?? (isExpired ? 'now' : `${defaultDays}d`));
  const isNow = activateAt.getTime() <= Date.now();
  const { root } = authority.rotate(activateAt);
  const rows: [string, string][] = [
    ['next root', `from ${activateAt.toISOString()}`],
    ...rootRows(root),
    ['file', join(dir, `${root.name}.pem`)],
    [
      '',
      isNow
        ? 'It takes over now: distribute it to your clients immediately.'
        : 'Distribute it to your clients before it takes over: /ca-next.crt, or a file with both (pem, p7b, mobileconfig).',
    ],
  ];
  io.stdout.write(factLines(rows));
}

function parseTime(text: string): Date {
  if (text === 'now') return new Date();
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined) return new Date(Date.now() + Number(days) * dayMs);
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new UsageError('--activate-at must be now, a number of days like 14d, or a time like 2026-12-24T00:00:00Z');
  // A wrong year could not be undone.
  if (time.getTime() < Date.now())
    throw new UsageError('--activate-at is in the past; use "now" to activate the next root immediately');
  return time;
}
