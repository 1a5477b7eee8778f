/** Runs real programs through the proxy with the variables of `privet env`, to see whether they trust its certificates. */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../certs/folders.ts';
import type { Config, Settings } from '../../config/load.ts';
import { variablesOf } from './env.ts';

/** The supported programs. */
export const clientNames = ['node', 'python', 'java', 'go', 'curl'] as const;
export type DoctorClient = (typeof clientNames)[number];

/** How a program fetches a URL and prints the status code; `null` needs its own file. */
type Program = {
  readonly commands: readonly string[];
  readonly args: (url: string, dir: string) => readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly advice: string;
};

const python = `import sys,urllib.request
print(urllib.request.urlopen(sys.argv[1],timeout=20).status)`;
const java = `import java.net.*;
public class PrivetDoctor {
  public static void main(String[] a) throws Exception {
    HttpURLConnection c = (HttpURLConnection) new URL(a[0]).openConnection();
    System.out.println(c.getResponseCode());
  }
}
`;
const go = `package main

import ("fmt"; "net/http"; "os")

func main() {
	r, err := http.Get(os.Args[1])
	if err != nil { fmt.Fprintln(os.Stderr, err); os.Exit(1) }
	fmt.Println(r.StatusCode)
}
`;

const programs: Readonly<Record<DoctorClient, Program>> = {
  node: {
    commands: [process.execPath],
    args: (url) => [
      '-e',
      `fetch(${JSON.stringify(url)}).then(r=>console.log(r.status),e=>{console.error(e.cause?.code??e);process.exit(1)})`,
    ],
    advice: 'Set NODE_EXTRA_CA_CERTS (read at start-up only) and NODE_USE_ENV_PROXY=1, as "privet env" prints them.',
  },
  python: {
    commands: ['python3', 'python'],
    args: (url) => ['-c', python, url],
    advice:
      'Set SSL_CERT_FILE and REQUESTS_CA_BUNDLE to ca-bundle.pem; a program with its own list of roots needs its own setting.',
  },
  java: {
    commands: ['java'],
    args: (url, dir) => [join(dir, 'PrivetDoctor.java'), url],
    files: { 'PrivetDoctor.java': java },
    advice:
      'Import the root: keytool -importcert -cacerts -alias privet -file ca.pem, or set JAVA_TOOL_OPTIONS as "privet env" does.',
  },
  go: {
    commands: ['go'],
    args: (url, dir) => ['run', join(dir, 'doctor.go'), url],
    files: { 'doctor.go': go },
    advice: 'Go uses the roots of the system; on Linux SSL_CERT_FILE replaces them.',
  },
  curl: {
    commands: ['curl'],
    args: (url) => [
      '-sS',
      '-m',
      '20',
      '-o',
      process.platform === 'win32' ? 'NUL' : '/dev/null',
      '-w',
      '%{http_code}\\n',
      url,
    ],
    advice: 'Set CURL_CA_BUNDLE, or give --cacert; curl on Windows uses the roots of the system.',
  },
};

/**
 * Fetches the host with the program, once with its current environment and once with the variables of `privet env`: the
 * first shows whether this machine is set up, the second whether it can be.
 */
export async function clientChecks(
  client: DoctorClient,
  facts: DoctorFacts,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const program = programs[client];
  const dir = join(facts.settings.dataDir, 'client');
  try {
    await prepare(dir, facts);
  } catch (error) {
    return [failing(client, `nothing to trust: ${(error as Error).message}`, 'Repair the CA first.')];
  }
  for (const [name, text] of Object.entries(program.files ?? {})) writeFileSync(join(dir, name), text);
  const url = `https://${facts.host}/trusted.svg`;
  const variables = variablesOf({ proxy: facts.proxy, dir });
  const proxyOnly = Object.fromEntries(Object.entries(variables).filter(([name]) => /proxy/i.test(name)));
  const bare = { ...env, ...proxyOnly, ...(client === 'java' ? javaProxy(variables) : {}) };
  const asItIs = await fetchWith(program, url, dir, bare);
  if (asItIs === 'missing')
    return [{ check: client, state: 'warn', text: `${program.commands[0]} is not installed on this machine` }];
  const withEnv = await fetchWith(program, url, dir, { ...env, ...variables });
  if (withEnv !== 'ok') {
    return [failing(client, `cannot connect: ${withEnv}`, userAdvice(client, facts, withEnv) ?? program.advice)];
  }
  if (asItIs === 'ok') return [passing(client, 'trusts the gateway as this machine is set up')];
  const text = `trusts the gateway only with the variables of "privet env" (else: ${asItIs})`;
  return [warning(client, text, program.advice)];
}

/** What to do if the proxy requires a user; undefined if it does not. */
function userAdvice(client: DoctorClient, { config, proxy }: DoctorFacts, reason: string): string | undefined {
  const isGiven = URL.parse(proxy)?.username !== '';
  if (!/\b407\b|requires a user/.test(reason) && (isGiven || config.auth.proxy.mode === 'none')) return undefined;
  if (client === 'java' && isGiven)
    return 'Java reads no user from its options: the program must set a java.net.Authenticator, or add this machine to auth.proxy.exempt.';
  return 'The proxy requires a user: --proxy http://USER:PASSWORD@HOST:PORT.';
}

/** Only the proxy part of the Java options. */
function javaProxy({ JAVA_TOOL_OPTIONS = '' }: Readonly<Record<string, string>>): Record<string, string> {
  return { JAVA_TOOL_OPTIONS: JAVA_TOOL_OPTIONS.split(/ (?=\S*trustStore=)/)[0] ?? '' };
}

async function prepare(dir: string, { settings, config, rootFile }: DoctorFacts): Promise<void> {
  const { writeCertificates } = await import('./env.ts');
  makeFolder(dir, 0o777);
  await writeCertificates(dir, rootFile, settings, config.upstream.ca_file);
}

/** `ok`, `missing`, or the last line of the program's output. */
async function fetchWith(
  program: Program,
  url: string,
  dir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  for (const command of program.commands) {
    const result = await run(command, program.args(url, dir), env);
    if (result.code === 'ENOENT') continue;
    if (result.stdout.trim() === '200') return 'ok';
    const lines = `${result.stderr}\n${result.stdout}`.split('\n').map((line) => line.trim());
    const told = lines.filter(
      (line) => line !== '' && !/^File "/.test(line) && !/^(?:Picked up|at |\.\.\.|WARNING:)/.test(line),
    );
    return reasonIn(told) ?? String(result.code);
  }
  return 'missing';
}

const untrusted = [
  'PKIX',
  'certificate verify failed',
  'unable to get local issuer',
  'self.signed',
  'unknown (?:authority|ca)',
  'CERT_',
  'UNABLE_TO_',
];
/** Lines with the error; others have advice or a location. */
const reasons = [
  new RegExp(untrusted.join('|'), 'i'),
  /^curl: \(\d+\)/,
  /\b407\b|Unable to tunnel|Proxy Authentication/i,
  /certificate|SSL|TLS|proxy/i,
];

/** The error in a program's output; undefined without output. */
export function reasonIn(lines: readonly string[]): string | undefined {
  for (const reason of reasons) {
    const found = lines.find((line) => reason.test(line));
    if (found === undefined) continue;
    if (/Unable to tunnel/.test(found) && /407/.test(found))
      return 'the proxy requires a user, and Java disables Basic for tunnels (jdk.http.auth.tunneling.disabledSchemes)';
    return found === '407' ? 'the proxy requires a user (407)' : found.slice(0, 160);
  }
  return lines.at(-1)?.slice(0, 160);
}

type RunResult = { readonly code: string | number | null; readonly stdout: string; readonly stderr: string };

function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<RunResult> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { env: env as NodeJS.ProcessEnv, timeout: 60_000, windowsHide: true },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** The result of a check. `warn` does not fail the run. */
export type Finding = {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
};

export const passing = (check: string, text: string): Finding => ({ check, state: 'ok', text });
export const warning = (check: string, text: string, advice: string): Finding => ({
  check,
  state: 'warn',
  text,
  advice,
});
export const failing = (check: string, text: string, advice: string): Finding => ({
  check,
  state: 'fail',
  text,
  advice,
});

export type DoctorFacts = {
  readonly config: Config;
  readonly settings: Settings;
  /** `http://host:port` of the proxy, and of the API. */
  readonly proxy: string;
  readonly api: string;
  /** File with the root, on a machine without the gateway. */
  readonly rootFile?: string;
  /** The host for client checks; intercepted by the gateway. */
  readonly host: string;
};
