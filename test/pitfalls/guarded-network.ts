/**
 * A separate network for a gateway, with any address: run below `unshare --user --net`, it assigns the addresses from
 * its standard input to the loopback interface, listens on all of them, sends the requests, and prints the outcome of
 * each as JSON.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { startNameServer } from '../support/name-server.ts';
import { exchangeRaw } from '../support/recorder.ts';

/** The input of the program. */
export type NetworkTask = {
  readonly addresses: readonly string[];
  /** Ports on which every address answers. */
  readonly ports: readonly number[];
  /** Addresses of a name, by look-up; the last ones repeat. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly config: Record<string, unknown>;
  readonly env?: Record<string, string>;
  readonly requests: readonly NetworkRequest[];
};
/** `addsAddress`: an address that the machine gets only now. */
export type NetworkRequest = { readonly name: string; readonly bytes: string; readonly addsAddress?: string };

/** The outcome of one request. */
export type NetworkResult = {
  readonly name: string;
  readonly status: number;
  /** Addresses that received a connection. */
  readonly reached: readonly string[];
  /** Started connections, including unanswered ones (`ActiveOpens` of the system: a SYN each). */
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
  const gateway = await startGatewayProcess({ config: { ...task.config, upstream }, env: task.env ?? {} });
  const results: NetworkResult[] = [];
  for (const { name, bytes, addsAddress } of task.requests) {
    if (addsAddress !== undefined) addAddress(addsAddress);
    reached.length = 0;
    const before = connectionsBegun();
    const answer = await exchangeRaw(gateway.proxyPort, bytes, { until: (text) => text.includes('\r\n\r\n') });
    // One of them is our own, to the gateway.
    const begun = connectionsBegun() - before - 1;
    // A started connection may be accepted a moment later.
    for (let i = 0; i < 100 && reached.length < begun; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    results.push({ name, status: Number(answer.split(' ')[1]), reached: [...reached], begun });
  }
  await gateway.stop();
  process.stdout.write(JSON.stringify(results), () => process.exit(0));
}

/** Both queries of a look-up, for IPv4 and IPv6, get the same addresses; the next look-up gets the next ones. */
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

/** No interface can have some addresses (0.0.0.0, multicast): they have no listener. */
function ip(words: string[]): void {
  try {
    execFileSync('ip', words, { stdio: 'ignore' });
  } catch {
    // The results show what is reachable.
  }
}

function connectionsBegun(): number {
  const [names, values] = readFileSync('/proc/self/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
    .map((line) => line.split(' '));
  return Number(values?.[names?.indexOf('ActiveOpens') ?? -1]);
}
