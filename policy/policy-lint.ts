/**
 * Policy lint: finds likely mistakes in a list of rules. A rule that can never match because an earlier one covers it,
 * because a list is empty or because its date has passed; two rules with equal conditions and different outcomes; names
 * that refer to nothing. None of these is an error: the policy does exactly what it says.
 */
import { networkOf } from './address.ts';
import { serviceSpellings } from './conditions.ts';
import { HostSet } from './host-set.ts';
import { NetworkMap } from './network-map.ts';
import { isPathUnder, normalizePath } from './path.ts';
import { endOf, isForTools, type RuleConditions, type RuleConfig } from './rule.ts';
import { type Facet, facetsOf, keysOf } from './rule-index.ts';
import type { Service } from './service.ts';

/** `path` is relative to `policy.rules`; `other` is the index of the rule that the message calls `{other}`. */
export type LintFinding = {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly other?: number;
};

/** Names that rules may refer to; a set that is left out is not checked. */
export type KnownNames = {
  readonly services?: Iterable<Service>;
  readonly users?: ReadonlySet<string>;
  readonly groups?: ReadonlySet<string>;
  readonly nearest: (name: string, known: Iterable<string>) => string | undefined;
};

/** Maximum number of rule comparisons; the rest is skipped, because a policy must load whatever it contains. */
const comparisonsMax = 3_000_000;
const findingsMax = 500;

/** All findings in rule order, at most {@link findingsMax}. `now` decides which dates have passed. */
export function policyLint(options: {
  readonly rules: readonly RuleConfig[];
  readonly bypass: readonly string[];
  readonly known: KnownNames;
  readonly now?: Date;
}): LintFinding[] {
  const { rules, bypass, known, now = new Date() } = options;
  if (rules.length === 0) return [];
  const findings = [
    ...rules.flatMap((rule, i) => ownDoubts(rule, i, now)),
    ...unknownNames(rules, known),
    ...repeatedNames(rules),
    ...bypassed(rules, bypass),
    ...covered(rules),
  ];
  return findings.sort((a, b) => Number(a.path[0]) - Number(b.path[0])).slice(0, findingsMax);
}

function ownDoubts({ when, then, expires }: RuleConfig, i: number, now: Date): LintFinding[] {
  const findings: LintFinding[] = [];
  for (const [key, value] of Object.entries(when)) {
    if (Array.isArray(value) && value.length === 0)
      findings.push({ path: [i, 'when', key], message: 'the list is empty, so the rule can never match' });
  }
  if (expires !== undefined && endOf(expires) <= now.getTime())
    findings.push({ path: [i, 'expires'], message: `the rule has expired (${expires}) and can never match` });
  if (then.coach === true && then.action !== undefined && then.action !== 'warn')
    findings.push({
      path: [i, 'then', 'coach'],
      message: `coach applies only to the action warn; this rule has ${then.action}`,
    });
  return findings;
}

function repeatedNames(rules: readonly RuleConfig[]): LintFinding[] {
  const first = new Map<string, number>();
  return rules.flatMap(({ name }, i): LintFinding[] => {
    if (name === undefined) return [];
    const other = first.get(name);
    if (other !== undefined)
      return [
        { path: [i, 'name'], message: `{other} has the same name "${name}"; logs cannot tell them apart`, other },
      ];
    first.set(name, i);
    return [];
  });
}

function bypassed(rules: readonly RuleConfig[], bypass: readonly string[]): LintFinding[] {
  if (bypass.length === 0) return [];
  const set = new HostSet(bypass);
  return rules.flatMap(({ when }, i): LintFinding[] => {
    const hosts = when.hosts ?? [];
    if (hosts.length === 0 || !hosts.every((host) => isHostCovered(host, set, bypass))) return [];
    return [{ path: [i, 'when', 'hosts'], message: 'the rule can never match: policy.bypass names all its hosts' }];
  });
}

/** References to services, kinds, users and groups that do not exist. */
function unknownNames(rules: readonly RuleConfig[], known: KnownNames): LintFinding[] {
  const open = { services: new Set<string>(), kinds: new Set<string>() };
  const { services = [] } = known;
  for (const { when } of known.services === undefined ? [] : rules) {
    for (const name of when.services ?? []) for (const key of serviceSpellings(name)) open.services.add(key);
    for (const kind of when.kinds ?? []) open.kinds.add(kind);
  }
  if (open.services.size > 0 || open.kinds.size > 0) {
    for (const service of services) {
      // With a million services, the few names in the rules are found long before the end.
      if (open.services.size === 0 && open.kinds.size === 0) break;
      if (open.services.size > 0) {
        open.services.delete(service.key);
        open.services.delete(String(service.id));
        open.services.delete(service.service_name.toLowerCase());
        open.services.delete(service.domain);
        for (const domain of service.alternate_domains) open.services.delete(domain);
      }
      if (service.kind !== undefined) open.kinds.delete(service.kind);
    }
  }
  const { users, groups } = known;
  const checks: {
    key: 'services' | 'kinds' | 'users' | 'groups';
    what: string;
    isUnknown: (name: string) => boolean;
    names: () => Iterable<string>;
  }[] = [
    {
      key: 'services',
      what: 'service',
      isUnknown: (name) => serviceSpellings(name).every((key) => open.services.has(key)),
      names: () => serviceNames(services),
    },
    { key: 'kinds', what: 'kind', isUnknown: (kind) => open.kinds.has(kind), names: () => kindsOf(services) },
  ];
  if (users !== undefined)
    checks.push({ key: 'users', what: 'user', isUnknown: (user) => !users.has(user), names: () => users });
  if (groups !== undefined)
    checks.push({ key: 'groups', what: 'group', isUnknown: (group) => !groups.has(group), names: () => groups });
  const findings: LintFinding[] = [];
  for (const [i, { when }] of rules.entries()) {
    for (const { key, what, isUnknown, names } of checks) {
      for (const [n, name] of (when[key] ?? []).entries()) {
        if (!isUnknown(name)) continue;
        const near = findings.length < 50 ? known.nearest(name, names()) : undefined;
        const meant = near === undefined ? '' : `; did you mean "${near}"?`;
        findings.push({ path: [i, 'when', key, n], message: `the ${what} "${name}" is not known${meant}` });
      }
    }
  }
  return findings;
}

function* serviceNames(services: Iterable<Service>): Iterable<string> {
  for (const service of services) {
    yield service.key;
    yield service.service_name.toLowerCase();
    yield service.domain;
  }
}

function kindsOf(services: Iterable<Service>): Set<string> {
  const kinds = new Set<string>();
  for (const { kind } of services) if (kind !== undefined) kinds.add(kind);
  return kinds;
}

/** Rules covered by an earlier one: the earlier rule matches every request that they would match. */
function covered(rules: readonly RuleConfig[]): LintFinding[] {
  const facets = facetsOf(rules);
  const tables = new Map<string, number[]>();
  const networks = new NetworkMap<number>();
  const always: number[] = [];
  const findings: LintFinding[] = [];
  let comparisons = 0;
  for (const [j, rule] of rules.entries()) {
    const candidates = new Set(always);
    for (const key of lookUpKeys(rule.when)) for (const i of tables.get(key) ?? []) candidates.add(i);
    const network = rule.when.networks?.[0];
    if (network !== undefined) for (const i of networks.of(addressOf(network))) candidates.add(i);
    for (const i of [...candidates].sort((a, b) => a - b)) {
      if (++comparisons > comparisonsMax) return findings;
      const earlier = rules[i] as RuleConfig;
      if (!covers(earlier, rule)) continue;
      findings.push({ path: [j], message: coveredMessage(earlier, rule), other: i });
      break;
    }
    const facet = facets[j];
    if (facet === undefined) always.push(j);
    else if (facet === 'networks') for (const cidr of rule.when.networks ?? []) networks.add(cidr, j);
    else
      for (const key of keysOf(rule.when)[facet] ?? []) {
        const id = `${facet} ${key}`;
        const list = tables.get(id);
        if (list === undefined) tables.set(id, [j]);
        else list.push(j);
      }
  }
  return findings;
}

function coveredMessage(earlier: RuleConfig, rule: RuleConfig): string {
  const [there, here] = [outcomeText(earlier), outcomeText(rule)];
  if (!covers(rule, earlier)) return 'the rule can never match: {other} comes first and covers it';
  if (there === here) return 'the rule repeats {other}';
  return `the rule contradicts {other}, which has the same conditions and comes first: there ${there}, here ${here}`;
}

function outcomeText({ then }: RuleConfig): string {
  const { action = 'as it is', inspect, types, coach, coach_ttl: ttl, injection, tools } = then;
  const extra = [
    types === undefined ? '' : JSON.stringify(types),
    coach === undefined ? '' : `coach ${coach}`,
    ttl ?? '',
    injection === undefined ? '' : `injection ${JSON.stringify(injection)}`,
    tools === undefined ? '' : `tools ${tools}`,
  ];
  return [action, inspect ?? '', ...extra].filter((part) => part !== '').join(', ');
}

/**
 * The keys under which an earlier rule that covers this one would be indexed: one value of each condition is enough.
 */
function lookUpKeys(when: RuleConditions): string[] {
  const found: string[] = [];
  for (const [facet, keys] of Object.entries(keysOf(when)) as [Facet, readonly string[] | undefined][]) {
    // An empty list has no key: such a rule matches nothing and needs no covering rule.
    const first = keys?.[0];
    if (first === undefined || facet === 'networks') continue;
    found.push(`${facet} ${first}`);
    if (facet !== 'hosts') continue;
    for (let dot = first.indexOf('.'); dot !== -1; dot = first.indexOf('.', dot + 1))
      found.push(`hosts ${first.slice(dot + 1)}`);
  }
  return found;
}

function covers(a: RuleConfig, b: RuleConfig): boolean {
  // Tool rules are evaluated separately.
  if (isForTools(a) !== isForTools(b)) return false;
  if (a.report_only === true && b.report_only !== true) return false;
  if (a.expires !== undefined && (b.expires === undefined || endOf(a.expires) < endOf(b.expires))) return false;
  return (Object.keys(a.when) as (keyof RuleConditions)[]).every((key) => {
    if (a.when[key] === undefined) return true;
    return b.when[key] !== undefined && isWithin[key](a.when, b.when);
  });
}

/** Per key: whether everything that `b` lists is included in what `a` lists. Both have the key. */
const isWithin: Readonly<Record<keyof RuleConditions, (a: RuleConditions, b: RuleConditions) => boolean>> = {
  users: (a, b) => isSubset(b.users, a.users),
  groups: (a, b) => isSubset(b.groups, a.groups),
  kinds: (a, b) => isSubset(b.kinds, a.kinds),
  categories: (a, b) => isSubset(b.categories, a.categories),
  services: (a, b) => isSubset(firstSpellings(b.services), firstSpellings(a.services)),
  methods: (a, b) => isSubset(lower(b.methods), lower(a.methods)),
  hours: (a, b) => isSubset(lower([b.hours ?? []].flat()), lower([a.hours ?? []].flat())),
  upload_over: (a, b) => (a.upload_over ?? 0) <= (b.upload_over ?? 0),
  agents: (a, b) => isSubset(lower(b.agents), lower(a.agents)),
  mcp_servers: (a, b) => isSubset(lower(b.mcp_servers), lower(a.mcp_servers)),
  tools: (a, b) => isSubset(b.tools, a.tools),
  paths: (a, b) => {
    const wide = (a.paths ?? []).map(normalizePath);
    return (b.paths ?? []).every((path) => wide.some((prefix) => isPathUnder(normalizePath(path), prefix)));
  },
  networks: (a, b) =>
    (b.networks ?? []).every((network) => (a.networks ?? []).some((wide) => isNetworkWithin(network, wide))),
  hosts: (a, b) => {
    const set = new HostSet(a.hosts ?? []);
    return (b.hosts ?? []).every((host) => isHostCovered(host, set, a.hosts ?? []));
  },
};

function isSubset(small: readonly string[] = [], large: readonly string[] = []): boolean {
  return small.length > 0 && small.every((one) => large.includes(one));
}

function lower(texts: readonly string[] = []): string[] {
  return texts.map((text) => text.trim().toLowerCase());
}

function firstSpellings(services: readonly string[] = []): string[] {
  return services.map((name) => serviceSpellings(name.trim())[0] as string);
}

/** A label that does not occur in any pattern, used as a sample for `*`. */
const anyLabel = 'zq0x9privet';

function isHostCovered(entry: string, set: HostSet, entries: readonly string[]): boolean {
  if (entries.includes(entry)) return true;
  if (entry.includes('/')) return entries.some((wide) => isNetworkWithin(entry, wide));
  const probe = entry.toLowerCase().replaceAll('*', anyLabel);
  if (set.match(probe) === undefined) return false;
  // `x.example` and `*.x.example` include everything below; other patterns do not.
  const goesOn = !entry.includes('*') || (entry.startsWith('*.') && !entry.includes('*', 1));
  return !goesOn || /^[\d.]+$|:/.test(entry) || set.match(`${anyLabel}.${probe}`) !== undefined;
}

function isNetworkWithin(small: string, large: string): boolean {
  if (small === large) return true;
  if (!/^[\d.]+(?:\/\d+)?$|:/.test(small) || !/^[\d.]+(?:\/\d+)?$|:/.test(large)) return false;
  const [a, b] = [networkOf(small), networkOf(large)];
  if (a.version !== b.version || a.bits < b.bits) return false;
  const map = new NetworkMap<true>();
  map.add(large, true);
  return map.of(addressOf(small)).length > 0;
}

/** A sample address of a network, to check which other networks contain it. */
function addressOf(network: string): string {
  if (network === 'loopback') return '127.0.0.1';
  if (network === 'private') return '10.0.0.1';
  return network.replace(/\/.*$/, '');
}
