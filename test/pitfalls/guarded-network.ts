/**
 * A network of its own for a gateway, in which any address can be had: started below `unshare --user --net`, it gives the
 * loopback interface the addresses it reads from its standard input, listens on all of them, sends the requests, and
 * prints what came of each as JSON.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { startGateway } from '../support/gateway.ts';
import { startNameServer } from '../support/name-server.ts';
import { exchangeRaw } from '../support/recorder.ts';

/** What the program reads. */
export type NetworkTask = {
  readonly addresses: readonly string[];
  /** Ports on which every address answers. */
  readonly ports: readonly number[];
  /** Addresses of a name, by look-up; the last ones stay. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly config: Record<string, unknown>;
  readonly env?: Record<string, string>;
  readonly requests: readonly NetworkRequest[];
};
/** `addsAddress`: an address that the machine has only from now on. */
export type NetworkRequest = { readonly name: string; readonly bytes: string; readonly addsAddress?: string };

/** What came of one request. */
export type NetworkResult = {
  readonly name: string;
  readonly status: number;
  /** Addresses on which a connection has come in. */
  readonly reached: readonly string[];
  /** Connections that were begun, those without an answer included (`ActiveOpens` of the system: a SYN each). */
  readonly begun: number;
};

if (import.meta.main) await run(JSON.parse(readFileSync(0, 'utf8')) as NetworkTask);

async function run(task: NetworkTask): Promise<void> {
  ip(['link', 'set', 'lo', 'up']);
  for (const address of task.addresses) addAddress(address);
  for (const version of ['-4', '-6']) ip([version, 'route', 'add', 'default', 'dev', 'lo']);
  const reached: string[] = [];
  for (const port of task.ports) {
    const server = createServer((socket) => {
      reached.push((socket.localAddress ?? '').replace(/^::ffff:(?=\d+\.)/, ''));
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(port, '::', resolve));
  }
  const names = Object.entries(task.names ?? {}).map(([name, answers]) => [name, inTurn(answers)] as const);
  const server = await startNameServer(Object.fromEntries(names));
  const upstream = { dns: [server.address], timeouts: { connect: '1s' } };
  const gateway = await startGateway({ config: { ...task.config, upstream }, env: task.env ?? {} });
  const results: NetworkResult[] = [];
  for (const { name, bytes, addsAddress } of task.requests) {
    if (addsAddress !== undefined) addAddress(addsAddress);
    reached.length = 0;
    const before = connectionsBegun();
    const answer = await exchangeRaw(gateway.proxyPort, bytes, { until: (text) => text.includes('\r\n\r\n') });
    // One of them is ours, to the gateway.
    const begun = connectionsBegun() - before - 1;
    // What was begun may be accepted a moment later.
    for (let i = 0; i < 100 && reached.length < begun; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    results.push({ name, status: Number(answer.split(' ')[1]), reached: [...reached], begun });
  }
  await gateway.stop();
  process.stdout.write(JSON.stringify(results), () => process.exit(0));
}

/** Both questions of a look-up, for IPv4 and for IPv6, get the same addresses; the next look-up gets the next ones. */
function inTurn(answers: readonly (readonly string[])[]): (type: 'A' | 'AAAA') => readonly string[] {
  const asked = { A: 0, AAAA: 0 };
  return (type) => answers[Math.min(asked[type]++, answers.length - 1)] ?? [];
}

function addAddress(address: string): void {
  ip([
    'addr',
    'add',
    `${address}/${address.includes(':') ? 128 : 32}`,
    'dev',
    'lo',
    ...(address.includes(':') ? ['nodad'] : []),
  ]);
}

/** Some addresses no interface can have (0.0.0.0, multicast): they stay without a listener. */
function ip(words: string[]): void {
  try {
    execFileSync('ip', words, { stdio: 'ignore' });
  } catch {
    // The results show what can be reached.
  }
}

function connectionsBegun(): number {
  const [names, values] = readFileSync('/proc/self/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
    .map((line) => line.split(' '));
  return Number(values?.[names?.indexOf('ActiveOpens') ?? -1]);
}
