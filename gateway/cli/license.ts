/** `privet license issue|verify`: licenses signed with the operator's issuer key. */
import { writeFileSync } from 'node:fs';
import { PrivetError } from '../../core/errors.ts';
import { issueLicense, licensePlans, verifyLicense } from '../../policy/license.ts';
import { dayMs } from '../durations.ts';
import { IssuerKey, readIssuerPrivate, readIssuers, readLicense, trustedIssuers } from '../license.ts';
import { type Arguments, type CliIo, type Command, UsageError, unknownAction } from './command.ts';
import { configOption, configured } from './configured.ts';
import { factLines } from './table.ts';

const daysMax = 3660;

export const license: Command = {
  usage: 'license issue|verify [LICENSE|FILE]',
  help: [
    'Issue or verify a license.',
    'The issuer key is created in the data folder if there is none. Gateways need its public half, license/issuer.pem,',
    'in their own data folder or in PROXY_LICENSE_ISSUER.',
  ].join('\n'),
  options: {
    customer: { value: 'NAME', help: 'the customer (issue)' },
    plan: { value: 'PLAN', help: `${licensePlans.join(', ')} (default enterprise)` },
    days: { value: 'N', help: 'days until it expires (default 365)' },
    'report-url': { value: 'URL', help: 'where the monthly usage report goes' },
    issuer: { value: 'FILE', help: 'key of the issuer: private to issue, public to verify (PEM, Ed25519)' },
    out: { value: 'FILE', help: 'write to a file (default: standard output)' },
    config: configOption,
  },
  words: [1, 2],
  async run(args, io) {
    const [action = ''] = args.words;
    if (action === 'issue' && args.words.length === 1) return issue(args, io);
    if (action === 'verify') return verify(args, io);
    if (action === 'issue') throw new UsageError('issue takes no argument; give the customer with --customer');
    throw unknownAction(action, ['issue', 'verify']);
  },
};

async function issue(args: Arguments, io: CliIo): Promise<number> {
  const customer = args.get('customer')?.trim();
  if (!customer) throw new UsageError('--customer is required: who is the license for?');
  const plan = args.choice('plan', licensePlans) ?? 'enterprise';
  const days = Number(args.get('days') ?? 365);
  if (!Number.isInteger(days) || days < 1 || days > daysMax)
    throw new UsageError(`--days must be from 1 to ${daysMax}`);
  const reportUrl = args.get('report-url');
  if (reportUrl !== undefined && !URL.canParse(reportUrl)) throw new UsageError('--report-url must be an address');
  const issuerFile = args.get('issuer');
  const issuer = new IssuerKey(configured(args, io).settings.dataDir);
  const key = issuerFile === undefined ? issuer.private() : readIssuerPrivate(issuerFile);
  const issuedAt = new Date();
  const expiresAt = new Date(issuedAt.getTime() + days * dayMs);
  const token = await issueLicense({ customer, plan, issuedAt, expiresAt, reportUrl }, key);
  const out = args.get('out');
  if (out === undefined) io.stdout.write(`${token}\n`);
  else writeFileSync(out, `${token}\n`, { mode: 0o600 });
  const trust = issuerFile === undefined ? `; gateways need ${issuer.publicFile}` : '';
  io.stderr.write(`issued for ${customer}, ${plan}, until ${expiresAt.toISOString().slice(0, 10)}${trust}\n`);
  return 0;
}

async function verify(args: Arguments, io: CliIo): Promise<number> {
  const { settings } = configured(args, io);
  const given = args.words[1];
  const text =
    given === undefined
      ? (settings.licenseKey ?? (settings.licenseFile === undefined ? undefined : readLicense(settings.licenseFile)))
      : isToken(given)
        ? given
        : readLicense(given);
  if (text === undefined) throw new UsageError('give a license or its file, or set PROXY_LICENSE_KEY');
  const issuerFile = args.get('issuer');
  try {
    const issuers = issuerFile === undefined ? trustedIssuers(settings) : readIssuers(issuerFile);
    const license = await verifyLicense(text, issuers, new Date());
    const rows: [string, string][] = [
      ['customer', license.customer],
      ['plan', license.plan + (license.evaluation ? ' (evaluation)' : '')],
      ['issued', license.issuedAt.toISOString()],
      ['expires', license.expiresAt.toISOString()],
    ];
    if (license.reportUrl !== undefined) rows.push(['reports to', license.reportUrl]);
    io.stdout.write(factLines(rows, 12));
    return 0;
  } catch (error) {
    if (!(error instanceof PrivetError) || error.code !== 'license_invalid') throw error;
    io.stderr.write(`LICENSE ERROR: ${error.message}\n`);
    return 1;
  }
}

/** A JSON Web Token begins with the base64url of `{"`. */
function isToken(text: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(text.trim());
}
