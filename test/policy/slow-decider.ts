/**
 * A second policy engine, written only from docs/policy.md and as plainly as possible: no index, no cache, no compiled
 * conditions, and no import from the source except types. The real decider must agree with it.
 */
import { isIPv4, isIPv6 } from 'node:net';
import type { DecideInput, PolicyConfig } from '../../policy/decision.ts';
import type { RuleConfig } from '../../policy/rule.ts';
import type { Service } from '../../policy/service.ts';

/** The relevant parts of a decision. */
export type SlowDecision = {
  action: string;
  inspect: string;
  rule: string;
  coachMs: number | undefined;
  wouldBe: string | undefined;
};

type PolicySetup = {
  readonly services: readonly Service[];
  readonly config: PolicyConfig;
  readonly networks: Readonly<Record<string, string>>;
};

/** Decides about a request whose path, method and size are known. */
export function slowDecide(
  { services, config, networks }: PolicySetup,
  input: Required<Pick<DecideInput, 'now'>> & DecideInput,
): SlowDecision {
  for (const entry of config.bypass) {
    if (hostIs(input.host, entry)) {
      return { action: 'allow', inspect: 'tunnel', rule: entry, coachMs: undefined, wouldBe: undefined };
    }
  }
  const service = serviceOf(services, input.host, input.path ?? '/');
  const groups = [...(input.groups ?? [])];
  for (const cidr of Object.keys(networks)) {
    if (input.from !== undefined && isInNetwork(input.from, cidr)) groups.push(networks[cidr] as string);
  }
  const base = baseOf(config, service);
  let wouldBe: string | undefined;
  for (const [i, rule] of config.rules.entries()) {
    if (!ruleHolds(rule, input, service, groups)) continue;
    const action = rule.then.action ?? base.action;
    const inspect = rule.then.inspect ?? base.inspect;
    const name = rule.name ?? `rule ${i + 1}`;
    if (rule.report_only) {
      wouldBe ??= `${name} ${action} ${inspect}`;
      continue;
    }
    const isCoached = rule.then.coach ?? service?.coach ?? (service !== undefined && config.coach === true);
    const ttl = rule.then.coach_ttl ?? service?.coach_ttl ?? config.coach_ttl ?? 28_800_000;
    return { action, inspect, rule: name, coachMs: action === 'warn' && isCoached ? ttl : undefined, wouldBe };
  }
  return { ...base, wouldBe };
}

function baseOf(config: PolicyConfig, service: Service | undefined): Omit<SlowDecision, 'wouldBe'> {
  if (service === undefined)
    return { action: config.unknown, inspect: config.inspect.unknown, rule: 'policy.unknown', coachMs: undefined };
  if (service.is_blocked) return { action: 'block', inspect: 'mask', rule: 'service is_blocked', coachMs: undefined };
  if (service.category === 'blocked')
    return { action: 'block', inspect: 'mask', rule: 'category blocked', coachMs: undefined };
  if (service.category === 'approved')
    return { action: 'allow', inspect: config.inspect.approved, rule: 'category approved', coachMs: undefined };
  const isCoached = service.coach ?? config.coach === true;
  const ttl = service.coach_ttl ?? config.coach_ttl ?? 28_800_000;
  return {
    action: 'warn',
    inspect: config.inspect.monitoring,
    rule: 'category monitoring',
    coachMs: isCoached ? ttl : undefined,
  };
}

/** Every given condition must match. */
function ruleHolds(
  { when, expires }: RuleConfig,
  input: Required<Pick<DecideInput, 'now'>> & DecideInput,
  service: Service | undefined,
  groups: readonly string[],
): boolean {
  if (expires !== undefined) {
    const end = expires.length === 10 ? Date.parse(`${expires}T23:59:59.999Z`) + 1 : Date.parse(expires);
    if (input.now.getTime() >= end) return false;
  }
  if (when.users !== undefined && !when.users.some((user) => user === input.user)) return false;
  if (when.groups !== undefined && !when.groups.some((group) => groups.includes(group))) return false;
  if (when.networks !== undefined) {
    const { from } = input;
    if (from === undefined || !when.networks.some((network) => isInNetwork(from, network))) return false;
  }
  if (when.services !== undefined) {
    if (service === undefined) return false;
    const names = [service.key, String(service.id), service.service_name, service.domain, ...service.alternate_domains];
    if (!when.services.some((wanted) => names.some((name) => name.toLowerCase() === wanted.toLowerCase())))
      return false;
  }
  if (when.kinds !== undefined && !(service?.kind !== undefined && when.kinds.includes(service.kind))) return false;
  if (when.categories !== undefined) {
    const category = service === undefined ? 'unknown' : service.is_blocked ? 'blocked' : service.category;
    if (!when.categories.includes(category)) return false;
  }
  if (when.hosts !== undefined && !when.hosts.some((entry) => hostIs(input.host, entry))) return false;
  if (when.methods !== undefined && !when.methods.some((m) => m.toUpperCase() === input.method?.toUpperCase()))
    return false;
  if (when.paths !== undefined && !when.paths.some((prefix) => isBelow(input.path ?? '/', prefix))) return false;
  if (when.upload_over !== undefined && !((input.size ?? 0) > when.upload_over)) return false;
  if (when.hours !== undefined) {
    const spans = typeof when.hours === 'string' ? [when.hours] : when.hours;
    if (!spans.some((span) => isInSpan(input.now, span))) return false;
  }
  return true;
}

function serviceOf(services: readonly Service[], host: string, path: string): Service | undefined {
  let best: { service: Service; length: number } | undefined;
  for (const service of services) {
    for (const prefix of service.url_prefixes) {
      const slash = prefix.indexOf('/');
      const own = prefix.slice(0, slash);
      const isHost = host === own || host === `www.${own}`;
      if (isHost && isBelow(path, prefix.slice(slash)) && prefix.length > (best?.length ?? 0))
        best = { service, length: prefix.length };
    }
  }
  if (best !== undefined) return best.service;
  for (const service of services) {
    const domains =
      service.scope === 'path' ? service.alternate_domains : [service.domain, ...service.alternate_domains];
    for (const domain of domains) {
      const isHost = host === domain || host.endsWith(`.${domain}`);
      if (isHost && domain.length > (best?.length ?? 0)) best = { service, length: domain.length };
    }
  }
  return best?.service;
}

/** `x.example`: it and all below; `*.x.example`: all below; `*` in a label: some of that label; addresses and networks. */
function hostIs(host: string, entry: string): boolean {
  if (entry.includes('/') || isIPv4(entry) || isIPv6(entry)) return isInNetwork(host, entry);
  if (entry.startsWith('*.') && !entry.slice(1).includes('*')) return host.endsWith(entry.slice(1));
  if (!entry.includes('*')) return host === entry || host.endsWith(`.${entry}`);
  const wanted = entry.split('.');
  const labels = host.split('.');
  if (wanted.length !== labels.length) return false;
  return wanted.every((want, i) => {
    const label = labels[i] as string;
    const star = want.indexOf('*');
    if (star === -1) return want === label;
    const [head, tail] = [want.slice(0, star), want.slice(star + 1)];
    return label.length > head.length + tail.length && label.startsWith(head) && label.endsWith(tail);
  });
}

/** Paths without escapes: letter case, doubled slashes and the query do not matter. */
function isBelow(target: string, prefix: string): boolean {
  const parts = (text: string) =>
    (text.split('?')[0] as string)
      .toLowerCase()
      .split('/')
      .filter((part) => part !== '');
  const [path, wanted] = [parts(target), parts(prefix)];
  return wanted.every((part, i) => part === path[i]);
}

function isInNetwork(address: string, network: string): boolean {
  if (network === 'loopback') return isInNetwork(address, '127.0.0.0/8') || isInNetwork(address, '::1/128');
  if (network === 'private')
    return ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].some((one) =>
      isInNetwork(address, one),
    );
  const [ip = '', length] = network.split('/');
  const [a, b] = [bitsOf(address), bitsOf(ip)];
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  const bits = length === undefined ? b.length : Number(length);
  return a.slice(0, bits) === b.slice(0, bits);
}

/** An address as binary digits. */
function bitsOf(ip: string): string | undefined {
  if (isIPv4(ip))
    return ip
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  if (!isIPv6(ip)) return undefined;
  const [head = '', tail] = ip.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('');
}

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** `mon-fri 08:00-18:00 Zone`, by the wall clock of the zone; a span over midnight belongs to the day it begins on. */
function isInSpan(now: Date, span: string): boolean {
  const words = span.split(' ');
  const zone = words.at(-1)?.includes(':') ? 'UTC' : (words.pop() as string);
  const [from = '', to = ''] = (words.pop() as string).split('-');
  const named = words.pop() ?? 'daily';
  const wall = wallClock(now, zone);
  const day = days[wall.getUTCDay()] as string;
  const before = days[(wall.getUTCDay() + 6) % 7] as string;
  const minute = wall.getUTCHours() * 60 + wall.getUTCMinutes();
  const [start, end] = [minutesOf(from), minutesOf(to)];
  if (start < end) return dayIs(day, named) && minute >= start && minute < end;
  return (dayIs(day, named) && minute >= start) || (dayIs(before, named) && minute < end);
}

/** The wall clock of a zone, read from its offset, as a Date whose UTC fields show it. */
function wallClock(now: Date, zone: string): Date {
  const shown = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).format(now);
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(shown) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return new Date(now.getTime() + offset * 60_000);
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours as number) * 60 + (minutes as number);
}

function dayIs(day: string, named: string): boolean {
  if (named === 'daily') return true;
  return named.split(',').some((part) => {
    const [first = '', last = first] = part.split('-');
    for (let i = days.indexOf(first); ; i = (i + 1) % 7) {
      if (days[i] === day) return true;
      if (days[i] === last) return false;
    }
  });
}
