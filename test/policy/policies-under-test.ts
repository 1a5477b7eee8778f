/** Policies and registries for tests: one service of each kind, and the decisions without any rule. */
import { Policy } from '../../policy/decide.ts';
import type { PolicyConfig } from '../../policy/decision.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import type { Service } from '../../policy/service.ts';

/** A policy without rules. */
export const defaults: PolicyConfig = {
  unknown: 'allow',
  inspect: { approved: 'mask', monitoring: 'audit', unknown: 'tunnel' },
  bypass: [],
  rules: [],
};

function makeServices(): Service[] {
  const registry = new ServiceRegistry();
  registry.add({ service_name: 'Good', domain: 'good.example', kind: 'chat', category: 'approved' });
  registry.add({ service_name: 'Seen', domain: 'seen.example', kind: 'coding', category: 'monitoring' });
  registry.add({ service_name: 'Bad', domain: 'bad.example', kind: 'chat', category: 'blocked' });
  registry.add({ service_name: 'Off', domain: 'off.example', category: 'approved', is_blocked: true });
  registry.add({
    service_name: 'Part',
    domain: 'part.example',
    scope: 'path',
    url_prefixes: ['part.example/ai'],
    category: 'monitoring',
  });
  return registry.list();
}

/** An approved, a monitored and a blocked service, one blocked only by is_blocked, and one with part of a host. */
export const services = makeServices();

/** A policy for {@link services}; `networks` maps client addresses to groups. */
export function policyOf(config: Partial<PolicyConfig> = {}, networks: Record<string, string> = {}): Policy {
  return new Policy({
    registry: new ServiceRegistry(services),
    config: { ...defaults, ...config },
    networks,
  });
}

/** A registry of one service, called One. */
export function registryOfOne(): ServiceRegistry {
  const registry = new ServiceRegistry();
  registry.add({
    service_name: 'One',
    domain: 'one.example',
    alternate_domains: ['uno.example'],
    category: 'approved',
  });
  return registry;
}
