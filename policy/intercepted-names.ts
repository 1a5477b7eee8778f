/** Which hosts a policy may intercept: the names that the issuing CA has to be permitted for. */
import type { PolicyConfig } from './decision.ts';
import { normalizeHost, normalizePattern } from './host.ts';
import type { ServiceRegistry } from './registry.ts';
import type { RuleConfig } from './rule.ts';
import { showingDomains } from './shown-host.ts';

/** Very many names that are asked for and never listed, and some others that are. */
export type ManyNames = {
  readonly size: number;
  readonly has: (name: string) => boolean;
  readonly others: readonly string[];
};

/**
 * Domains, host patterns and addresses under which every intercepted host lies; null when that may be any host.
 * A host that is only blocked need not be listed: it can be refused without a certificate.
 */
export function interceptedNames(options: {
  readonly registry: ServiceRegistry;
  readonly config: PolicyConfig;
}): string[] | ManyNames | null {
  const { registry, config } = options;
  if (config.unknown !== 'block' && config.inspect.unknown !== 'tunnel') return null;
  // What is only noted changes nothing, so that it opens nothing either.
  const rules = config.rules.filter((rule) => rule.report_only !== true);
  const added = new Set<string>();
  for (const rule of rules) {
    if (!mayIntercept(rule, config) || isWithinRegistry(rule)) continue;
    if (rule.when.hosts === undefined || rule.when.hosts.some((host) => host.includes('/'))) return null;
    for (const host of rule.when.hosts) added.add(nameOf(host.replace(/^\*\./, '')));
  }
  // Which page such a host shows is said by the path, which is seen in opened connections only.
  const showing = showingDomains.filter((domain) => registry.match(domain) === undefined && !added.has(domain));
  const others = [...added].filter((name) => !registry.claims(name)).concat(showing);
  const prefixes = rules.some(needsRequest);
  if (!registry.isLarge) return registry.names({ prefixes }).concat(others);
  const has = (name: string) => registry.claims(name);
  return { size: registry.size, has, others: registry.addedNames({ prefixes }).concat(others) };
}

function nameOf(host: string): string {
  return host.includes('*') ? normalizePattern(host) : normalizeHost(host).host;
}

/** Whether a rule asks for something that stands inside the connection. */
function needsRequest({ when }: RuleConfig): boolean {
  return when.paths !== undefined || when.methods !== undefined || when.upload_over !== undefined;
}

/**
 * Whether a rule makes the gateway look into a connection to an unknown host or a front: to read it, to see what decides, or
 * to show a page in it. What the rule does not say is as the policy has it for unknown hosts.
 */
function mayIntercept(rule: RuleConfig, config: PolicyConfig): boolean {
  if (needsRequest(rule)) return true;
  const { action = config.unknown, inspect = config.inspect.unknown, coach } = rule.then;
  return action !== 'block' && (coach === true || inspect !== 'tunnel');
}

function isWithinRegistry({ when }: RuleConfig): boolean {
  if (when.services !== undefined || when.kinds !== undefined) return true;
  return when.categories !== undefined && !when.categories.includes('unknown');
}
