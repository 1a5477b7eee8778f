/**
 * `privet demo`: a gateway, a stand-in model and one chat between them, without a key, network or configuration. All its
 * files are in a temporary folder, which is removed at the end.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch, ProxyAgent } from 'undici';
import { readConfiguration } from '../configuration.ts';
import { startStandInOrigin } from '../demo/stand-in-origin.ts';
import { start } from '../gateway.ts';
import { packageVersion } from '../version.ts';
import { type Command, UsageError } from './command.ts';

const host = 'api.openai.com';
const preferredPort = 3001;

const sample = `Hi, my name is Emma Clarke and my order has not arrived.
You can reach me at emma.clarke@example.com or +44 20 7946 0958.
I paid with card 4242 4242 4242 4242. Please write a friendly reply.`;

/** The command. It runs until it is interrupted. */
export const demo: Command = {
  usage: 'demo [--port N]',
  help: 'See a text masked, answered by a stand-in model and restored. Needs no key and no network.',
  options: { port: { value: 'PORT', help: 'port of the page (default 3001, or a free one if that is in use)' } },
  words: [0, 0],
  async run(args, { stdout }) {
    // Print this first: the rest takes seconds on a slow machine.
    stdout.write('\nPrivet demo. Everything runs on this machine; nothing leaves it.\n\n');
    const port = args.has('port') ? portOf(args.get('port') ?? '') : await freePort(preferredPort);
    const interrupted = new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve());
    });
    const folder = mkdtempSync(join(tmpdir(), 'privet-demo-'));
    const remove = () => rmSync(folder, { recursive: true, force: true });
    // A closed terminal or pipe ends the process at the next write.
    process.once('exit', remove);
    const closing: (() => unknown)[] = [remove];
    try {
      const shown = await begin({ folder, port, closing });
      stdout.write(shown);
      await interrupted;
    } finally {
      for (const close of closing.reverse()) await close();
    }
    stdout.write('\nStopped. The demo left nothing on this machine.\n');
    return 0;
  },
};

/** Starts all parts, sends the sample through them, and reports the result. */
async function begin(options: {
  readonly folder: string;
  readonly port: number;
  readonly closing: (() => unknown)[];
}): Promise<string> {
  const { folder, port, closing } = options;
  const origin = await startStandInOrigin({ host, dir: join(folder, 'model') });
  closing.push(() => origin.close());
  const rootFile = join(folder, 'model.pem');
  writeFileSync(rootFile, origin.rootPem);
  const configFile = join(folder, 'demo.yaml');
  writeFileSync(
    configFile,
    JSON.stringify({
      egress: { allow: ['127.0.0.1/32'], ports: 'any' },
      upstream: { ca_file: rootFile, resolve: { [host]: `127.0.0.1:${origin.port}` } },
      discovery: { enabled: false },
    }),
  );
  const adminKey = `pvt_admin_${randomBytes(24).toString('base64url').replaceAll(/[-_]/g, '0')}`;
  const dataDir = join(folder, 'data');
  const env = { PROXY_CONFIG: configFile, PROXY_ADMIN_KEY: adminKey };
  const flags = { port: String(port), gatewayPort: '0', dataDir, logLevel: 'silent' };
  const gateway = await start({
    ...readConfiguration({ env, flags }),
    env,
    flags,
    version: packageVersion(),
    isSilent: true,
    onFatal(error) {
      throw error;
    },
  });
  closing.push(() => gateway.stop());

  const proxyUrl = `http://127.0.0.1:${gateway.ports.proxy}`;
  const ca = readFileSync(join(dataDir, 'ca/root.pem'), 'utf8');
  const read = await ask(proxyUrl, ca);
  const { told, said } = origin.last();
  const page = `http://127.0.0.1:${gateway.ports.api}`;
  return [
    ...part('1  A program sent this to OpenAI, through the proxy:', sample),
    ...part('2  The model received:', told),
    ...part('3  The model answered:', said),
    ...part('4  The program received:', read),
    `  Type your own text    ${page}/console/`,
    `  See who used what     ${page}/admin/   key ${adminKey}`,
    '',
    `  The model is a stand-in: ${host} leads to a server on this machine.`,
    '  Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

function part(title: string, text: string): string[] {
  return [`  ${title}`, ...text.split('\n').map((line) => (line === '' ? '' : `     ${line}`)), ''];
}

/** Sends the sample like a program that only knows its proxy and the trusted root. */
async function ask(proxyUrl: string, ca: string): Promise<string> {
  const dispatcher = new ProxyAgent({ uri: proxyUrl, requestTls: { ca } });
  try {
    const answer = await fetch(`https://${host}/v1/chat/completions`, {
      method: 'POST',
      dispatcher,
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo' },
      body: JSON.stringify({ model: 'stand-in', messages: [{ role: 'user', content: sample }] }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the gateway answered ${answer.status}: ${text}`);
    const { choices } = JSON.parse(text) as { choices: readonly { message: { content: string } }[] };
    return choices[0]?.message.content ?? '';
  } finally {
    await dispatcher.close();
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError(`--port ${text}: must be a number up to 65535`);
  return port;
}

/** The port, or 0 (any free port) if another program uses it. */
function freePort(port: number): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(0));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)));
  });
}
