/** Our own targets of the benchmarks: the floor and the gateway. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { folder, type Ports, start, type Target } from './support.ts';
import { host, newHost, newHosts } from './workloads.ts';

/** Settings of every target: the ports of the origin, its CA and certificate. */
export type Setting = {
  readonly ports: Ports;
  readonly origin: { readonly cert: string; readonly key: string; readonly ca: string };
};

/** A minimal Node proxy, see floor/floor.ts. */
export async function startFloor({ ports, origin }: Setting): Promise<Target> {
  const process = start('bench/floor/floor.ts', [], {
    FLOOR_INTERCEPT: String(ports.tlsPort),
    FLOOR_CA: origin.ca,
    FLOOR_CERT: origin.cert,
    FLOOR_KEY: origin.key,
  });
  const line = await process.line((fields) => fields.event === 'listening');
  return { name: 'floor', process, port: Number(line.port), ca: origin.ca, originCa: origin.ca };
}

/** The gateway as started by `npm start`, with the origin instead of the services. */
export async function startGateway({ ports, origin }: Setting, env: Record<string, string> = {}): Promise<Target> {
  const config = path.join(folder, 'bench.yaml');
  writeFileSync(
    config,
    stringify({
      egress: { allow: ['127.0.0.0/8'], ports: 'any' },
      upstream: {
        ca_file: origin.ca,
        resolve: Object.fromEntries(
          [host, ...Array.from({ length: newHosts }, (_, i) => newHost(i))].map((name) => [
            name,
            `127.0.0.1:${ports.tlsPort}`,
          ]),
        ),
      },
      log: { audit: { file: path.join(folder, 'audit.jsonl') } },
    }),
  );
  const process = start('gateway/main.ts', ['serve'], {
    PROXY_CONFIG: config,
    PROXY_DATA_DIR: path.join(folder, 'data'),
    PROXY_ADMIN_KEY: 'pvt_admin_bench_0123456789abcdef',
    PORT: '0',
    GATEWAY_PORT: '0',
    ...env,
  });
  const line = await process.line((fields) => fields.event === 'listening' && fields.listener === 'proxy');
  const ca = path.join(folder, `privet-ca-${line.port}.pem`);
  const answer = await fetch(`http://127.0.0.1:${line.port}/ca.pem`);
  writeFileSync(ca, await answer.text());
  return { name: 'privet', process, port: Number(line.port), ca, originCa: origin.ca };
}
