/** Lists the hosts that a policy may intercept: the names that the issuing CA must be permitted to sign. */
import type { PolicyConfig } from './decision.ts';
import { normalizeHost, normalizePattern } from './host.ts';
import type { ServiceRegistry } from './registry.ts';
import type { RuleConfig } from './rule.ts';
import { showingDomains } from './shown-host.ts';

/** A large set of names that is only looked up and never listed, plus some names that are listed. */
export type ManyNames = {
  readonly size: number;
  readonly has: (name: string) => boolean;
  readonly others: readonly string[];
};

/**
 * Domains, host patterns and addresses that cover every intercepted host; null when any host may be intercepted. A host
 * that is only blocked need not be listed: refusing it needs no certificate.
 */
export function interceptedNames(options: {
  readonly registry: ServiceRegistry;
  readonly config: PolicyConfig;
}): string[] | ManyNames | null {
  const { registry, config } = options;
  if (config.unknown !== 'block' && config.inspect.unknown !== 'tunnel') return null;
  // Report-only rules change nothing, so they do not cause interception either.
  const rules = config.rules.filter((rule) => rule.report_only !== true);
  const added = new Set<string>();
  for (const rule of rules) {
    if (!mayIntercept(rule, config) || isWithinRegistry(rule)) continue;
    if (rule.when.hosts === undefined || rule.when.hosts.some((host) => host.includes('/'))) return null;
    for (const host of rule.when.hosts) added.add(nameOf(host.replace(/^\*\./, '')));
  }
  // The page that such a host shows depends on the path, which is visible only in intercepted connections.
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

/** Whether a rule depends on something inside the connection. */
function needsRequest({ when }: RuleConfig): boolean {
  return when.paths !== undefined || when.methods !== undefined || when.upload_over !== undefined;
}

/**
 * Whether a rule makes the gateway intercept connections to an unknown host or an anonymizer: to mask, to evaluate a
 * condition, or to show a page. What the rule does not set defaults to the policy for unknown hosts.
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
