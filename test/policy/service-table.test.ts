import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PackedServices } from '../../config/packed-services.ts';
import { parseServices } from '../../config/services.ts';
import { PrivetError } from '../../core/errors.ts';
import { registryWith } from '../../gateway/stores/registry-file.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { type Service, serviceId } from '../../policy/service.ts';

const count = 8;
const text = `services:\n${Array.from(
  { length: count },
  (_, i) =>
    `  - service_name: ${i === 5 ? 'Name 4!' : `Name ${i}`}\n    domain: s${i}.example\n    category: blocked\n${
      i % 2 === 0 ? `    alternate_domains:\n    - api.t${i}.example\n    kind: chat\n` : ''
    }`,
).join('')}`;
const table = PackedServices.read(Buffer.from(text)) as PackedServices;
const { services: objects = [] } = parseServices(text, 'f.yaml');
const hosts = [
  ...objects.flatMap(({ domain, alternate_domains: more }) => [domain, ...more]),
  'new.example',
  'x.p.new.example',
];
const asked = hosts.flatMap((host) => [host, `a.${host}`]);
const keys = [...objects.map(({ key }) => key), 'new', 'new-2'];

const host = fc.constantFrom(...hosts);
const name = fc.constantFrom('Name 1', 'name 4!', 'New', 'new!');
const fields = fc.record(
  {
    service_name: name,
    domain: host,
    alternate_domains: fc.uniqueArray(host, { maxLength: 2 }),
    host_patterns: fc.constantFrom([], ['*.p.new.example']),
    category: fc.constantFrom('approved' as const, 'blocked' as const),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  fc.record({ what: fc.constant('add' as const), fields }),
  fc.record({ what: fc.constant('update' as const), key: fc.constantFrom(...keys), fields }),
  fc.record({ what: fc.constant('remove' as const), key: fc.constantFrom(...keys) }),
);

const untimed = ({ created_at: _created, updated_at: _updated, ...rest }: Service) => rest;
const stateOf = (registry: ServiceRegistry) => ({
  size: registry.size,
  list: registry.list().map(untimed),
  keys: keys.map((key) => [registry.get(key)?.service_name, registry.withId(serviceId(key))?.service_name]),
  names: ['NAME 1', 'name 4!', 'new', 'nobody'].map((one) => registry.hasName(one)),
  claims: hosts.map((one) => registry.claims(one)),
  matches: asked.map((one) => {
    const match = registry.match(one);
    return match && [match.matchedHost, match.service.key];
  }),
  intercepted: registry.names({ prefixes: true }),
});

function outcomeOf(work: () => unknown): string {
  try {
    work();
    return 'done';
  } catch (error) {
    if (!(error instanceof PrivetError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

test('a table registry behaves like one of objects, whatever is changed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const packed = new ServiceRegistry(table);
      const plain = new ServiceRegistry(objects);
      expect(stateOf(packed)).toEqual(stateOf(plain));
      for (const one of steps) {
        const before = packed.copy();
        const [a, b] = [packed, plain].map((registry) =>
          outcomeOf(() => {
            if (one.what === 'add')
              registry.add({ service_name: 'New', domain: 'new.example', category: 'blocked', ...one.fields });
            else if (one.what === 'update') registry.update(serviceId(one.key), one.fields);
            else registry.remove(serviceId(one.key));
          }),
        );
        expect(a).toBe(b);
        expect(stateOf(packed)).toEqual(stateOf(plain));
        expect(stateOf(packed.copy())).toEqual(stateOf(packed));
        // Changes of a copy do not affect the original.
        if (a !== 'done') expect(stateOf(packed)).toEqual(stateOf(before));
      }
    }),
    { numRuns: 250 },
  );
});

test('changes apply to a table like to objects', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const change = fc.record({ key: fc.constantFrom(...keys), fields });
  fc.assert(
    fc.property(
      fc.uniqueArray(change, { selector: ({ key }) => key, maxLength: 3 }),
      fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 3 }),
      (changed, gone) => {
        const services = new Map(
          changed.map(({ key, fields: { category = 'blocked', ...fields } }): [string, Service] => [
            key,
            {
              id: serviceId(key),
              key,
              service_name: `changed ${key}`,
              domain: `${key}.changed.example`,
              alternate_domains: [],
              host_patterns: [],
              url_prefixes: [],
              is_blocked: category === 'blocked',
              ...fields,
              category,
              created_at: at,
              updated_at: at,
            },
          ]),
        );
        const changes = { services, removed: new Set(gone) };
        const results = [table, objects].map((shipped) => {
          try {
            const { registry, warnings } = registryWith(shipped, changes);
            return { ...stateOf(registry), warnings: warnings.map((one) => one.replace(/: ".*/, '')) };
          } catch (error) {
            if (!(error instanceof PrivetError)) throw error;
            return error.code;
          }
        });
        expect(results[0]).toEqual(results[1]);
      },
    ),
    { numRuns: 250 },
  );
});
