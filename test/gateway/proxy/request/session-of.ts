/** The vault session of a request, for tests of which requests share one. */
import { loadServices } from '../../../../config/services.ts';
import type { Client } from '../../../../gateway/proxy/request/record.ts';
import { SessionKeys } from '../../../../gateway/proxy/request/session.ts';
import { Policy } from '../../../../policy/decide.ts';
import { ServiceRegistry } from '../../../../policy/registry.ts';

const key = Buffer.alloc(32, 1);
const sessions = new SessionKeys(() => key);
export const registry = new ServiceRegistry(loadServices());
const config = { unknown: 'allow', inspect: { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' } } as const;
const policy = new Policy({ registry, config: { ...config, bypass: [], rules: [] } });

/** What a request may differ in. */
export type Asked = {
  readonly method?: string;
  readonly rawHeaders?: readonly string[];
  readonly url?: string;
  readonly user?: string;
  readonly address?: string;
  readonly connection?: number;
};
/** Others at an address have connections of their own. */
const connections = new Map<string, { client: Client }>();
/** The session of a request to a service of the shipped registry. */
export const sessionOf = ({
  method = 'GET',
  rawHeaders = [],
  url = 'https://api.openai.com/v1',
  user,
  address = '10.0.0.1',
  connection = 1,
}: Asked) => {
  const { protocol, hostname: host, port, pathname, search } = new URL(url);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  const path = pathname + search;
  const target = {
    scheme,
    host,
    hostKind: 'name',
    port: Number(port) || (scheme === 'http' ? 80 : 443),
    path,
  } as const;
  const service = registry.match(host, path)?.service;
  const client = { address, subject: user ?? address, ...(user === undefined ? {} : { user }) };
  const name = `${client.subject} ${connection}`;
  const known = connections.get(name) ?? { client };
  connections.set(name, known);
  return sessions.sessionFor(known, { method, rawHeaders, target, service, policy });
};

export const field = (name: string, value: string): Asked => ({ rawHeaders: [name, value] });

export const page = (origin: string, site?: string) => [
  'Origin',
  origin,
  ...(site === undefined ? [] : ['Sec-Fetch-Site', site]),
];
export const fetched = (site: string, mode: string, dest: string, ...more: string[]) => [
  'Sec-Fetch-Site',
  site,
  'Sec-Fetch-Mode',
  mode,
  'Sec-Fetch-Dest',
  dest,
  ...more,
];
