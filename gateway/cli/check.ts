/** `privet check URL`: explains the decision about a URL: rule, registry entry and reason. */
import { isIP } from 'node:net';
import type { Config } from '../../config/load.ts';
import { byteSize } from '../../config/values.ts';
import { CidrSet, classifyAddress } from '../../policy/address.ts';
import { Policy } from '../../policy/decide.ts';
import type { DecideInput, PolicyDecision, TriedRule } from '../../policy/decision.ts';
import { normalizeHost } from '../../policy/host.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { toolSubjectOf } from '../../policy/tool-names.ts';
import type { ToolExplanation } from '../../policy/tool-rules.ts';
import { anonymizerFinder } from '../anonymizers.ts';
import { webUrl } from '../api/target.ts';
import { curatedOf } from '../discovery/curated.ts';
import { savedServices } from '../feeds/saved-services.ts';
import { policyInFolder } from '../policy-store.ts';
import { Parents } from '../proxy/upstream/parents.ts';
import { readDirectory } from '../users/directory.ts';
import { type Arguments, type Command, UsageError } from './command.ts';
import { configOption, configured } from './configured.ts';
import { factLines } from './table.ts';

export const check: Command = {
  usage: 'check URL',
  help: 'Explain the policy decision for a URL.\nUses the registry of a gateway with the same configuration and data folder.',
  options: {
    user: { value: 'NAME', help: 'as this proxy user' },
    group: { value: 'NAME', help: 'as a member of this group (repeat for more)', isList: true },
    from: { value: 'IP', help: 'as a client with this address' },
    method: { value: 'METHOD', help: 'with this method (default GET)' },
    agent: { value: 'NAME', help: 'as this program, like claude-cli' },
    'mcp-server': { value: 'NAME', help: 'also evaluate the rules for this MCP server' },
    tool: { value: 'NAME', help: 'also evaluate the rules for this tool, like server/tool' },
    size: { value: 'SIZE', help: 'with a body of this size, like 5MiB (default none)' },
    at: { value: 'TIME', help: 'at this time, like 2026-11-20T09:00:00+09:00 (default now)' },
    config: configOption,
    json: { help: 'as JSON' },
  },
  words: [1, 1],
  async run(args, io) {
    const { config, settings } = configured(args, io);
    const { services } = savedServices({ config, dataDir: settings.dataDir });
    const registry = new ServiceRegistry(services);
    const policy = new Policy({
      registry,
      config: policyInFolder(settings.dataDir, config),
      networks: config.auth.networks,
      exempt: curatedOf(config),
      anonymizer: anonymizerFinder(),
    });

    const target = parseTarget(args.words[0] ?? '');
    const from = args.get('from');
    if (from !== undefined && isIP(from) === 0) throw new UsageError('--from must be an IP address');
    const subject: Omit<DecideInput, 'path' | 'method'> = {
      host: target.host,
      port: target.port,
      user: args.get('user')?.normalize('NFC'),
      groups: groupsOf(args, config),
      from,
      agent: args.get('agent')?.toLowerCase(),
      now: parseMoment(args.get('at')),
    };
    const asked = {
      ...subject,
      path: target.path,
      method: parseMethod(args.get('method')),
      size: parseSize(args.get('size')),
    };
    const request = policy.explain(asked);
    const tool = toolSubjectOf(args.get('tool'), args.get('mcp-server'));
    const tools = tool && policy.explainTool(asked, request.decision.service, tool);
    const connect = target.isSecure ? policy.explain(subject) : undefined;
    const notes = [
      ...subjectNotes(subject, config),
      ...notesOf(target, config, connect?.decision),
      ...(settings.store === 'memory' ? [] : [ofTheStore]),
    ];
    const result = connect?.decision.inspect === 'tunnel' && connect.decision.action !== 'block' ? connect : request;
    if (args.has('json')) {
      const { host, port, path } = target;
      io.stdout.write(`${JSON.stringify({ host, port, path, ...result, tools, notes }, null, 2)}\n`);
    } else {
      io.stdout.write(explanation(target, result, notes));
      if (tools !== undefined) io.stdout.write(toolExplanation(tools));
    }
    return 0;
  },
};

const ofTheStore =
  'granted exceptions and learned bypasses are in the store and not considered here: GET /admin/explain shows the decision of the running gateway';

type Target = { readonly host: string; readonly port: number; readonly path: string; readonly isSecure: boolean };

function parseTarget(text: string): Target {
  // A single word is more often a typo than an internal host, which can be given with its scheme.
  if (/^[^.:/]+$/.test(text) && text !== 'localhost')
    throw new UsageError(
      `"${text}" is not an address. Give a host like chatgpt.com or a URL like https://chatgpt.com/; for a host without a dot, http://${text}/.`,
    );
  const url = webUrl(text);
  const schemes: Record<string, [port: number, isSecure: boolean]> = {
    'http:': [80, false],
    'ws:': [80, false],
    'https:': [443, true],
    'wss:': [443, true],
  };
  const scheme = schemes[url?.protocol ?? ''];
  if (!url || scheme === undefined) throw new UsageError('the address must be a host or an http(s) URL');
  const [port, isSecure] = scheme;
  return {
    host: hostOf(url.hostname),
    port: url.port === '' ? port : Number(url.port),
    path: `${url.pathname}${url.search}`,
    isSecure,
  };
}

function hostOf(name: string): string {
  try {
    return normalizeHost(name).host;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A token of RFC 9110, section 5.6.2. */
function parseMethod(text = 'GET'): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(text)) throw new UsageError('--method must be a method like GET or POST');
  return text.toUpperCase();
}

function parseSize(text: string | undefined): number {
  if (text === undefined || text === '0') return 0;
  const { data } = byteSize.safeParse(text);
  if (data === undefined) throw new UsageError('--size must be a size like 5MiB or 500kB, or a number of bytes');
  return data;
}

function parseMoment(text: string | undefined): Date {
  if (text === undefined) return new Date();
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw new UsageError('--at must be a time like 2026-11-20T09:00:00+09:00');
  return moment;
}

/** The given groups, else those of the user. */
function groupsOf(args: Arguments, { auth }: Config): readonly string[] {
  const user = args.get('user');
  if (args.has('group') || user === undefined) return args.all('group').map((group) => group.normalize('NFC'));
  return readDirectory(auth.proxy).users.get(user.normalize('NFC'))?.groups ?? [];
}

/** The client as rules see it, and whether the proxy would admit it. */
function subjectNotes({ user, groups = [], from }: Omit<DecideInput, 'path' | 'method'>, { auth }: Config): string[] {
  const notes: string[] = [];
  const byNetwork = Object.entries(auth.networks).filter(
    ([network]) => from !== undefined && new CidrSet([network]).has(from),
  );
  const all = [...groups, ...byNetwork.map(([network, group]) => `${group} (by ${network})`)];
  if (user !== undefined || all.length > 0)
    notes.push(`subject: ${user ?? from ?? 'unknown'}, groups: ${all.length > 0 ? all.join(', ') : 'none'}`);
  if (from !== undefined && !new CidrSet(auth.clients).has(from))
    notes.push('the client is not in auth.clients: refused');
  if (user !== undefined && auth.proxy.mode === 'basic' && !readDirectory(auth.proxy).users.has(user.normalize('NFC')))
    notes.push('no user of auth.proxy has this name; a client certificate may');
  if (user === undefined && auth.proxy.mode === 'basic' && !new CidrSet(auth.proxy.exempt).has(from ?? ''))
    notes.push('auth.proxy.mode is basic: without a user the proxy responds 407');
  return notes;
}

/** What else applies to the request. */
function notesOf(target: Target, config: Config, connect: PolicyDecision | undefined): string[] {
  const notes: string[] = [];
  const { ports, deny_private: isPrivateDenied } = config.egress;
  if (connect?.needsPath)
    notes.push(`${connect.reason}; the connection is intercepted and each request decided with its path`);
  else if (connect?.reason.startsWith('not decidable'))
    notes.push(`${connect.reason}; the connection is tunnelled unread; a rule with paths would intercept it`);
  if (ports !== 'any' && !ports.includes(target.port))
    notes.push(`port ${target.port} is not in egress.ports: refused`);
  const way = wayTo(target, config);
  if (way !== undefined) notes.push(way);
  const isAddress = /^[\d.]+$|:/.test(target.host);
  const network = isAddress ? classifyAddress(target.host) : 'public';
  if (network !== 'public' && isPrivateDenied)
    notes.push(`the address is ${network}: refused unless egress.allow contains it`);
  return notes;
}

/** The parent proxies it would use. */
function wayTo({ host, port }: Target, { upstream }: Config): string | undefined {
  if (Object.keys(upstream.resolve).some((name) => name.toLowerCase() === host)) return undefined;
  const { parent, parents, no_proxy: noProxy } = upstream;
  const ways = new Parents({ parent, parents, noProxy }).waysTo(host, port);
  const names = ways?.map((one) => (one === 'direct' ? one : one.name));
  return names && `sent through the parent proxy ${names.join(', else ')}`;
}

function explanation(
  target: Target,
  { decision, tried }: { decision: PolicyDecision; tried: readonly TriedRule[] },
  notes: readonly string[],
): string {
  const { service, coach, wouldBe } = decision;
  const types = Object.entries(decision.types ?? {}).map(([type, setting]) => `${type} ${setting}`);
  const what = decision.action === 'block' ? 'block' : `${decision.action}, ${decision.inspect}`;
  const rows: [string, string][] = [
    ['host', `${target.host}:${target.port}`],
    ['decision', what],
    ['rule', `${decision.rule} (${decision.ruleKind})`],
    ['reason', decision.reason],
  ];
  if (service !== undefined) rows.push(['service', serviceText(service, decision.matchedHost)]);
  if (types.length > 0) rows.push(['types', types.join(', ')]);
  if (coach !== undefined) rows.push(['coach', `users confirm once in ${coach.ttlMs / 60_000} minutes`]);
  if (wouldBe !== undefined)
    rows.push(['would be', `${wouldBe.action}, ${wouldBe.inspect} [${wouldBe.rule}, report_only]`]);
  for (const note of notes) rows.push(['note', note]);
  return factLines([...rows, ...triedRows(tried)]);
}

const triedRows = (tried: readonly TriedRule[]) =>
  tried.map(({ matched, rule, why }) => ['tried', `${matched ? '+' : '-'} ${rule}: ${why}`] as const);

function toolExplanation({ answer, rule, tried }: ToolExplanation): string {
  return factLines([['tools', `${answer} (${rule})`], ...triedRows(tried)]);
}

function serviceText(service: NonNullable<PolicyDecision['service']>, matchedHost: string | undefined): string {
  const details = [service.category, service.kind, service.reason].filter((part) => part !== undefined).join(', ');
  return `${service.service_name} [${service.key}] by ${matchedHost} (${details})`;
}
