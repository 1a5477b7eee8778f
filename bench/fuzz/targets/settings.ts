/** Files that administrators write or import: policy, services, lists, access logs. */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { parseConfig } from '../../../config/load.ts';
import { parsePolicy, policyForm } from '../../../config/policy-document.ts';
import { hostHash } from '../../../config/service-hashes.ts';
import { type ServiceScan, scanServices, serviceAt, valueEnd } from '../../../config/service-scan.ts';
import { parseServices } from '../../../config/services.ts';
import { yamlValue } from '../../../config/yaml-value.ts';
import { PrivetError } from '../../../core/errors.ts';
import { readEntries } from '../../../gateway/feeds/entries.ts';
import { AuditReader } from '../../../gateway/simulation/audit-traffic.ts';
import { SquidReader } from '../../../gateway/simulation/traffic-file.ts';
import { W3cReader } from '../../../gateway/simulation/w3c-traffic.ts';
import { normalizeHost } from '../../../policy/host.ts';
import { type FuzzTarget, must, mustEqual } from '../target.ts';

const yamlWords = [
  '\n',
  '\n  ',
  '\n- ',
  ': ',
  '- ',
  '  ',
  '{ ',
  ' }',
  '[',
  ']',
  ', ',
  '"',
  "'",
  '#',
  ' #',
  'true',
  'null',
  '~',
  '1',
  '01',
  '0x1',
  '1e3',
  '1.5',
  '2026-01-01',
  '|',
  '>',
  '&a',
  '*a',
  '!!str',
  '? ',
  '---',
  '...',
  '\t',
  '<<',
  'yes',
  '\\',
  '\\u0041',
  '__proto__',
];

function packageValue(text: string): { value: unknown } | undefined {
  try {
    return { value: parse(text) };
  } catch {
    return undefined;
  }
}

/** Our own parsers agree with the package, or defer to it. */
export const yaml: FuzzTarget = {
  seeds: () => [
    'a: 1\nb:\n  - x\n  - { c: "d", e: [1, f] }\n',
    "a: 'b'\n",
    'services:\n  - service_name: A\n    domain: a.example\n    aliases:\n      - b.example\n',
    'rules: []\n# x\n',
  ],
  words: yamlWords,
  bytesMax: 400,
  run(input) {
    const text = input.toString('utf8');
    const value = yamlValue(text);
    if (value === undefined) return undefined;
    const expected = packageValue(text);
    must(expected !== undefined, `js-yaml accepts what the package rejects: ${JSON.stringify(value)}`);
    const wanted = JSON.stringify(expected.value);
    must(
      isDeepStrictEqual(value, expected.value) || JSON.stringify(value) === wanted,
      `js-yaml: ${JSON.stringify(value)} instead of ${wanted}`,
    );
    return undefined;
  },
};

const policySeed = `unknown: allow
coach: true
rules:
  - name: a
    when: { hosts: ["*.example"], groups: [x], hours: "mon-fri 09:00-18:00 Asia/Tokyo", upload_over: 1mb }
    then: { action: block, message: no }
    until: 2027-01-01
  - when: { methods: [POST], paths: [/v1/*], networks: [10.0.0.0/8] }
    then: { inspect: mask }
`;

/** Policies are accepted or refused with positions. */
export const policy: FuzzTarget = {
  seeds: () => [
    policySeed,
    `policy:\n  ${policySeed.replaceAll('\n', '\n  ')}`,
    'policy: { rules: [ { when: { hosts: [a.example] }, then: { action: allow } } ] }',
  ],
  words: [
    ...yamlWords,
    'when:',
    'then:',
    'hosts',
    'action',
    'block',
    'not:',
    'any:',
    'hours',
    'days',
    '*',
    '**',
    '/regex/',
    '10.0.0.0/99',
  ],
  bytesMax: 1200,
  run(input) {
    const text = input.toString('utf8');
    const { policy: read, problems } = parsePolicy(text, 'f');
    must((read === undefined) === problems.length > 0, 'neither a policy nor a problem, or both');
    for (const { line, column } of problems)
      must((line ?? 1) >= 1 && (column ?? 1) >= 1, 'a position before the first');
    const form = policyForm(text);
    if (read !== undefined && form.block !== null) {
      const again = parsePolicy(form.block, 'f');
      mustEqual(again.policy, read, 'the text with rules on separate lines has another meaning');
    }
    return undefined;
  },
};

/** The same for whole configurations. */
export const config: FuzzTarget = {
  seeds: () => [
    'version: 1\nlisten:\n  proxy: 8080\npolicy:\n  unknown: block\n',
    `policy:\n  ${policySeed.replaceAll('\n', '\n  ')}`,
    'masking: { max_body: 1mb, dictionary: [ { label: A, pattern: "/a.b/i" } ] }\n',
  ],
  words: [
    ...yamlWords,
    '0.0.0.0',
    '::1',
    '1h',
    '10mb',
    'masking:',
    'upstream:',
    'egress:',
    'audit:',
    'users:',
    'dictionary:',
    '/(a+)+$/',
  ],
  bytesMax: 1200,
  run(input) {
    const { config: read, problems } = parseConfig(input.toString('utf8'), 'f');
    must((read === undefined) === problems.length > 0, 'neither a configuration nor a problem, or both');
    return undefined;
  },
};

const serviceSeed = `services:
  - service_name: A
    domain: a.example
    aliases: [b.example, "c.example"]
    category: approved
    kind: chat
    notes: "x: y"
  - service_name: "B é"
    domain: d.example
    url_prefixes:
      - https://d.example/x/
`;

function textAt({ bytes }: ServiceScan, start = 0): string {
  return bytes.toString('utf8', start, valueEnd(bytes, start));
}

/** The scanner for large registry files agrees with the schema. */
export const services: FuzzTarget = {
  seeds: () => [
    serviceSeed,
    'version: 1\nservices:\n  - { service_name: A, domain: a.example }\n',
    // Input that the scanner accepts.
    'services:\n  - service_name: A\n    domain: a.example\n    category: approved\n    alternate_domains:\n      - b.example\n',
  ],
  words: [
    ...yamlWords,
    'domain: ',
    'aliases:',
    'is_blocked: true',
    'category: blocked',
    'url_prefixes:',
    'scope: path',
    'service_name: ',
    'id: ',
    'xn--',
    'a.example',
  ],
  bytesMax: 1200,
  run(input) {
    const text = input.toString('utf8');
    const { services: read, problems } = parseServices(text, 'f');
    must((read === undefined) === problems.length > 0, 'neither services nor a problem, or both');
    const scan = scanServices(input);
    if (scan === undefined) return undefined;
    // Conflicts between entries are checked later.
    if (read === undefined) {
      must(
        problems.every(({ message }) => /already|twice|same/.test(message)),
        `the scanner accepts what the schema rejects: ${problems[0]?.key} ${problems[0]?.message}`,
      );
      return undefined;
    }
    must(scan.count === read.length, `${scan.count} services instead of ${read.length}`);
    const sorted = (value: object) => Object.fromEntries(Object.entries(value).sort());
    const hosts: string[] = [];
    for (const [i, service] of read.entries()) {
      const at = service.created_at;
      mustEqual(sorted(serviceAt(scan, i, service.key, at)), sorted(service), 'a service');
      mustEqual(textAt(scan, scan.names[i]), service.service_name, 'the position of a name');
      mustEqual(textAt(scan, scan.domains[i]), service.domain, 'the position of a domain');
      const alternates = [...scan.alternates].filter((_start, n) => scan.alternateOwners[n] === i);
      const found = alternates.map((start) => textAt(scan, start));
      mustEqual(found, service.alternate_domains, 'the positions of alternate domains');
      hosts.push(...found);
    }
    mustEqual([...scan.hostHashes], [...read.map(({ domain }) => domain), ...hosts].map(hostHash), 'hashes of hosts');
    return undefined;
  },
};

/** Lists maintained by others. */
export const lists: FuzzTarget = {
  seeds: () => [
    'domain,service_name,category\na.example,A,blocked\n"b.example","B, ""x""",approved\n',
    'domain;name\na.example;A\n',
    'a.example\n# x\nfull:b.example @ads\ndomain:c.example\nregexp:x\nkeyword:y\ninclude:z\n',
    serviceSeed,
  ],
  words: [
    '\n',
    '\r\n',
    ',',
    ';',
    '"',
    '""',
    'domain',
    'full:',
    'include:',
    'regexp:',
    '@ads',
    '@-ads',
    '#',
    '\ufeff',
    'b.example',
    'xn--',
    '*.',
    '.',
    ...yamlWords.slice(0, 8),
  ],
  bytesMax: 1200,
  async run(input) {
    try {
      const { entries } = await readEntries(input.toString('utf8'), {
        format: 'auto',
        category: 'blocked',
        name: 'list',
        include: async () => 'z.example\n',
      } as Parameters<typeof readEntries>[1]);
      for (const { domain } of entries) mustEqual(normalizeHost(domain).host, domain, 'a domain');
    } catch (error) {
      if (!(error instanceof PrivetError)) throw error;
    }
    return undefined;
  },
};

/** Lines of access logs. */
export const accessLog: FuzzTarget = {
  seeds: () => [
    '1763629200.123 5006 10.0.0.7 TCP_TUNNEL/200 6345 CONNECT a.example:443 ann HIER_DIRECT/- -',
    '#Fields: date time c-ip cs-method cs-host sc-status\n2026-11-20 09:00:00 10.0.0.7 GET a.example 407',
    '{"ts":"2026-11-21T10:00:00.000Z","kind":"request","host":"a.example","port":443,"subject":"ann","method":"GET","path":"/"}',
  ],
  words: [
    '#Fields: ',
    'cs-uri-stem',
    'cs(User-Agent)',
    'cs-username',
    ' - ',
    '"',
    '%20',
    'TCP_DENIED/407',
    '://',
    ':443',
    '\t',
  ],
  bytesMax: 1000,
  run(input) {
    for (const reader of [new AuditReader(), new SquidReader(), new W3cReader()]) {
      for (const line of input.toString('utf8').split('\n')) {
        const read = reader.read(line);
        if (typeof read === 'string') continue;
        for (const one of Array.isArray(read) ? read : [read])
          mustEqual(normalizeHost(one.host).host, one.host, 'a host');
      }
    }
    return undefined;
  },
};
