import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { PackedServices } from '../../config/packed-services.ts';
import { ConfigError } from '../../config/problem.ts';
import { parseServices, readServices } from '../../config/services.ts';
import { serviceId } from '../../policy/service.ts';

const read = (text: string) => PackedServices.read(Buffer.from(text));
const entry = (lines: string) =>
  `services:\n  - service_name: A\n    domain: a.example\n    category: blocked\n${lines}`;

/** Names that share slugs, names of other scripts, hosts with alternates. */
const service = fc.record({
  name: fc.oneof(
    fc.constantFrom(...'One|one!|ONE two|One  Two|one-2|百度|百度 AI|É|2|null|true|"x"|a"b|A "B" c'.split('|')),
    fc.string({ minLength: 1, maxLength: 12 }),
  ),
  host: fc.constantFrom('a.example', 'b.a.example', 'x.io', '1x.ai', 'ab.cd', 'xn--a.example', '1.e5', 'a..b'),
  more: fc.uniqueArray(fc.constantFrom('c.example', 'd.c.example', 'e.example'), { maxLength: 2 }),
  category: fc.constantFrom('approved', 'monitoring', 'blocked', 'approved', 'blocked', 'nothing'),
  kind: fc.option(fc.constantFrom('chat', 'code', '"q"', 'true', '1', 'Code: x', 'a # b'), { freq: 1 }),
  blocked: fc.option(fc.constantFrom('true', 'false', 'no'), { freq: 1 }),
});

function textOf(
  services: readonly (typeof service extends fc.Arbitrary<infer T> ? T : never)[],
  indent: string,
): string {
  const lines = services.flatMap(({ name, host, more, category, kind, blocked }, i) => [
    `${indent}- service_name: ${name}`,
    `${indent}  domain: ${i < 3 ? '' : `s${i}.`}${host}`,
    ...(more.length > 0 ? [`${indent}  alternate_domains:`, ...more.map((one) => `${indent}  - s${i}.${one}`)] : []),
    `${indent}  category: ${category}`,
    ...(kind === null ? [] : [`${indent}  kind: ${kind}`]),
    ...(blocked === null ? [] : [`${indent}  is_blocked: ${blocked}`]),
  ]);
  return `# head\nversion: 1\ncompiled: 2026-01-02\nservices:\n${lines.join('\n')}\n`;
}

describe('a packed file', () => {
  test('agrees with the schema, or defers to it', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(service, { maxLength: 6 }), fc.constantFrom('', '  '), (services, indent) => {
        const text = textOf(services, indent);
        const packed = read(text);
        if (packed === undefined) return;
        const { services: wanted, problems } = parseServices(text, 'f.yaml');
        if (packed.conflict !== undefined) {
          const { entry, key } = packed.conflict;
          const position = packed.positionOf(entry);
          expect(
            problems.some(
              (one) =>
                one.key === `services[${entry}].${key}` && one.line === position.line && one.column === position.column,
            ),
          ).toBe(true);
          return;
        }
        taken++;
        expect([...packed]).toEqual(wanted);
        for (const [i, { id, key, service_name: name, domain }] of (wanted ?? []).entries()) {
          expect(id).toBe(serviceId(key));
          expect(packed.withId(id)).toBe(i);
          expect(packed.withKey(key)).toBe(i);
          expect(packed.withName(name.toUpperCase())).toBe(packed.withName(name));
          expect(packed.withName(name)).toBe(i);
          expect(packed.withHost(domain)).toBe(i);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(taken).toBeGreaterThan(50);
  });

  test.each([
    ['a field that needs the schema', '    host_patterns:\n      - "*.a.b.example"\n'],
    ['an unknown key', '    colour: red\n'],
    ['a key twice', '    domain: b.example\n'],
    ['an item that continues', '    alternate_domains:\n    - b.example\n      - c.example\n'],
    ['an empty list', '    alternate_domains:\n'],
    ['a value that continues', '    vendor: a\n      b\n'],
    ['a comment after a value', '    vendor: a # b\n'],
    ['an address', '    alternate_domains:\n    - 1.2.3.4\n'],
    ['an IDN', '    alternate_domains:\n    - bücher.example\n'],
    ['a key after the services', 'version: 1\n'],
    ['an entry without a domain', '  - service_name: B\n    category: blocked\n'],
    ['a carriage return', '    vendor: a\r\n'],
  ])('leaves %s to the schema', (_name, lines) => {
    expect(read(entry(''))).toBeDefined();
    expect(read(entry(lines))).toBeUndefined();
  });

  test('finds a host, and hosts below it', () => {
    const packed = read(entry('    alternate_domains:\n    - b.c.example\n')) as PackedServices;
    expect(packed.longest('a.example')).toEqual({ entry: 0, from: 0 });
    expect(packed.longest('x.y.a.example')).toEqual({ entry: 0, from: 4 });
    expect(packed.longest('x.b.c.example')).toEqual({ entry: 0, from: 2 });
    for (const host of ['c.example', 'example', 'xa.example', 'a.example.com', '', '.', 'a.exampl'])
      expect(packed.longest(host)).toBeUndefined();
  });
});

describe('a large file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'privet-packed-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'services.yaml');
  const lines = (count: number) =>
    Array.from(
      { length: count },
      (_, i) => `  - service_name: Service ${i}\n    domain: s${i}.example\n    category: approved\n`,
    ).join('');

  test('is not read again while unchanged', () => {
    writeFileSync(file, `services:\n${lines(8_000)}`);
    const first = readServices(file);
    expect(first.services).toBeInstanceOf(PackedServices);
    expect(first.services).toHaveLength(8_000);
    expect(readServices(file, first)).toBe(first);
    writeFileSync(file, `services:\n${lines(8_001)}`);
    expect(readServices(file, first).services).toHaveLength(8_001);
  });

  test.each([
    ['the schema reports every error', 8_000],
    ['only the first error is reported', 60_000],
  ])('%s: two services with one host', (_name, count) => {
    const again = '  - service_name: Other\n    domain: s7.example\n    category: approved\n';
    writeFileSync(file, `services:\n${lines(count)}${again}`);
    const conflict = `services.yaml:${count * 3 + 2}:5: services[${count}].domain: s7.example already belongs to "Service 7"`;
    expect(() => readServices(file)).toThrow(ConfigError);
    expect(() => readServices(file)).toThrow(conflict);
  });
});
