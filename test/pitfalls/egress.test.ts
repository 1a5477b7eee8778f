/**
 * Unreachable destinations: the real gateway in its own network, in which every class of addresses has a listener and
 * the system counts new connections.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NetworkRequest, NetworkResult, NetworkTask } from './guarded-network.ts';

async function runIn(task: NetworkTask): Promise<Map<string, NetworkResult>> {
  const words = [
    '--user',
    '--map-root-user',
    '--net',
    process.execPath,
    join(import.meta.dirname, 'guarded-network.ts'),
  ];
  // A helper program, not a test, which this variable indicates.
  const { VITEST: _, ...env } = process.env;
  const child = spawn('unshare', words, { stdio: ['pipe', 'pipe', 'inherit'], env });
  child.stdin.end(JSON.stringify(task));
  const results = JSON.parse(await text(child.stdout)) as NetworkResult[];
  return new Map(results.map((result) => [result.name, result]));
}

const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);
const get = (host: string, port = 80): NetworkRequest => {
  const authority = port === 80 ? host : `${host}:${port}`;
  return { name: `GET ${authority}`, bytes: `GET http://${authority}/ HTTP/1.1\r\nHost: ${authority}\r\n\r\n` };
};
const open = (host: string, port = 443): NetworkRequest => {
  const name = `CONNECT ${host}:${port}`;
  return { name, bytes: `${name} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n` };
};
const both = (host: string): NetworkRequest[] => [get(host), open(host)];

/** At least one address of each class that is not globally reachable. */
const refused = [
  ...[
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.254',
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.254',
    '127.0.0.1',
  ],
  ...[
    '127.255.255.254',
    '168.63.129.16',
    '169.254.0.1',
    '169.254.169.254',
    '169.254.170.2',
    '172.16.0.1',
    '172.31.255.254',
  ],
  ...[
    '192.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.254',
    '198.51.100.1',
  ],
  ...['203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::2', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1', '::ffff:0:7f00:1'],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
  ],
  ...['fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1'],
];
/** Their public neighbours. */
const reachable = [
  ...[
    '1.2.3.4',
    '9.255.255.255',
    '11.0.0.1',
    '100.63.255.254',
    '100.128.0.1',
    '126.255.255.255',
    '128.0.0.1',
    '168.63.129.17',
  ],
  ...[
    '169.253.255.254',
    '169.255.0.1',
    '172.15.255.254',
    '172.32.0.1',
    '192.0.1.1',
    '192.0.3.1',
    '192.88.98.1',
    '192.167.255.254',
  ],
  ...['192.169.0.1', '198.17.255.254', '198.20.0.1', '198.51.99.1', '203.0.112.1', '223.255.255.254', '9.20.30.40'],
  ...['64:ff9c::1', '2001:200::1', '2003::1', '2606:4700::1', '2a00:1450::1'],
];
/** Spellings of addresses that are refused. */
const spellings = [
  ...[
    '127.1',
    '127.0.1',
    '0x7f.1',
    '0x7f.0.0.1',
    '0X7F000001',
    '0177.0.0.1',
    '0177.1',
    '2130706433',
    '017700000001',
    '127.0.0.01',
  ],
  ...[
    '127.0.0.1.',
    '127.000.000.001',
    '0x7f.0x0.0x0.0x1',
    '１２７.0.0.1',
    '127。0。0。1',
    '①②⑦.0.0.1',
    '0',
    '0.0',
    '0x0',
    '00',
  ],
  ...[
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.16689662',
    '0xA9.0xFE.0xA9.0xFE',
    '10.1',
    '012.1',
    '3232235521',
  ],
  ...[
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::0:1]',
    '[::ffff:7f00:1]',
    '[::FFFF:127.0.0.1]',
  ],
  ...[
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[64:FF9B::127.0.0.1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
  ],
];
const spellingsOfPublic = [
  '9.1318440',
  '0x9.0x14.0x1e.0x28',
  '011.024.036.050',
  '152313384',
  '9.20.30.40.',
  '[::ffff:9.20.30.40]',
  '[::ffff:914:1e28]',
];
const oddPorts = [
  1, 7, 19, 21, 22, 23, 25, 53, 79, 81, 110, 135, 139, 143, 389, 444, 445, 465, 587, 993, 1080, 2375, 3128, 3306, 5432,
  6379, 6667, 8080, 8443, 9200, 11211, 27017, 65535,
];

describe('with the addresses and ports that are allowed by default', () => {
  let results: Map<string, NetworkResult>;
  const names: Record<string, readonly (readonly string[])[]> = {
    'public.example': [['9.20.30.40']],
    'private.example': [['10.0.0.1']],
    'metadata.example': [['169.254.169.254']],
    'six.example': [['fd00:ec2::254']],
    'mapped.example': [['::ffff:7f00:1']],
    'mixed.example': [['9.20.30.40', '10.0.0.1']],
    'mixed-last.example': [['9.20.30.40', '1.2.3.4', '127.0.0.1']],
    'mixed-versions.example': [['9.20.30.40', '::1']],
    // Public at first, private at every later look-up.
    'rebinding.example': [['9.20.30.40'], ['10.0.0.1']],
    'rebinding-tunnel.example': [['9.20.30.40'], ['10.0.0.1']],
    'rebound.example': [['10.0.0.1'], ['9.20.30.40']],
  };
  beforeAll(async () => {
    results = await runIn({
      addresses: [...refused, ...reachable],
      ports: [80, 443, 25, 8080],
      names,
      config: { egress: { allow: [], ports: [80, 443] } },
      requests: [
        ...[...refused, ...reachable].flatMap((address) => both(inUrl(address))),
        ...[...spellings, ...spellingsOfPublic].flatMap((host) => both(Buffer.from(host).toString('latin1'))),
        ...['public.example', 'private.example', 'metadata.example', 'six.example', 'mapped.example'].flatMap(both),
        ...['mixed.example', 'mixed-last.example', 'mixed-versions.example'].flatMap(both),
        get('rebinding.example'),
        open('rebinding-tunnel.example'),
        get('rebound.example'),
        ...oddPorts.flatMap((port) => [get('9.20.30.40', port), open('9.20.30.40', port)]),
      ],
    });
  });
  const outcomes = (hosts: readonly string[]): (NetworkResult | undefined)[] =>
    hosts.flatMap((host) => both(Buffer.from(host).toString('latin1')).map(({ name }) => results.get(name)));

  test('addresses of the internal network, this machine and cloud metadata are refused without a SYN', () => {
    const strange = outcomes(refused.map(inUrl)).filter((result) => !isRefused(result));
    expect(strange).toEqual([]);
  });

  test('their public neighbours are reached', () => {
    const all = outcomes(reachable.map(inUrl));
    expect(all.filter((result) => result?.status !== 200 || result.reached.length !== 1)).toEqual([]);
  });

  test('any spelling of a refused address is refused', () => {
    expect(outcomes(spellings).filter((result) => !isRefused(result))).toEqual([]);
  });

  test('any spelling of a public address reaches it', () => {
    expect(outcomes(spellingsOfPublic).map((result) => result?.reached)).toEqual(
      spellingsOfPublic.flatMap(() => [['9.20.30.40'], ['9.20.30.40']]),
    );
  });

  test('a name with a refused address is refused, also with one public and one private address', () => {
    const bad = Object.keys(names).filter((name) => !/public|rebinding|rebound/.test(name));
    expect(outcomes(bad).filter((result) => !isRefused(result))).toEqual([]);
    expect(outcomes(['public.example']).map((result) => result?.reached)).toEqual([['9.20.30.40'], ['9.20.30.40']]);
  });

  test('a name that changes its address is dialled where it was checked, or not at all', () => {
    expect(results.get('GET rebinding.example')?.reached).toEqual(['9.20.30.40']);
    expect(results.get('CONNECT rebinding-tunnel.example:443')?.reached).toEqual(['9.20.30.40']);
    expect(isRefused(results.get('GET rebound.example'))).toBe(true);
  });

  test('ports other than 80 and 443 are refused, by CONNECT and in plain HTTP', () => {
    const odd = oddPorts.flatMap((port) => [`GET 9.20.30.40:${port}`, `CONNECT 9.20.30.40:${port}`]);
    const strange = odd.map((name) => results.get(name)).filter((result) => result?.status !== 403 || result.begun > 0);
    expect(strange).toEqual([]);
  });
});

describe('if the gateway may reach itself: everything allowed, listening on all addresses', () => {
  const own = ['10.9.8.7', 'fd00::7', '9.20.4.4'];
  const hosts = [
    ...[
      '127.0.0.1',
      '127.0.0.2',
      '127.1',
      '0.0.0.0',
      '0',
      'localhost',
      'a.localhost',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
    ],
    ...[
      '10.9.8.7',
      '9.20.4.4',
      '[fd00::7]',
      '[::ffff:10.9.8.7]',
      '[::ffff:914:404]',
      'me.example',
      'me-six.example',
      'mixed.example',
    ],
  ];
  const late = ['10.9.8.6', '[::ffff:10.9.8.6]'];
  const ports = { proxy: 3128, api: 3001 };
  let results: Map<string, NetworkResult>;
  const all = [...hosts, ...late].flatMap((host) => Object.values(ports).map((port) => [host, port] as const));

  beforeAll(async () => {
    results = await runIn({
      addresses: [...own, '10.9.9.9'],
      ports: [8080],
      names: {
        'me.example': [['10.9.8.7']],
        'me-six.example': [['fd00::7']],
        'mixed.example': [['10.9.9.9', '9.20.4.4']],
      },
      config: { egress: { allow: ['0.0.0.0/0', '::/0'], ports: 'any' } },
      env: { GATEWAY_PORT: String(ports.proxy), GATEWAY_HOST: '::', PORT: String(ports.api), HOST: '::' },
      requests: [
        { ...get('10.9.8.6', 8080), addsAddress: '10.9.8.6' },
        get('10.9.8.7', 8080),
        ...all.flatMap(([host, port]) => [get(host, port), open(host, port)]),
      ],
    });
  });

  test('its own listeners are refused under every address and name of the machine', () => {
    const asked = all.flatMap(([host, port]) => [`GET ${host}:${port}`, `CONNECT ${host}:${port}`]);
    const strange = asked
      .map((name) => results.get(name))
      .filter((result) => result?.status !== 508 || result.begun > 0);
    expect(strange).toEqual([]);
  });

  test('others on the same addresses are reached', () => {
    expect(results.get('GET 10.9.8.7:8080')?.reached).toEqual(['10.9.8.7']);
    expect(results.get('GET 10.9.8.6:8080')?.reached).toEqual(['10.9.8.6']);
  });
});

describe('networks of the administrator', () => {
  let results: Map<string, NetworkResult>;
  beforeAll(async () => {
    results = await runIn({
      addresses: ['10.1.0.1', '10.1.2.3', '10.2.0.1', '9.20.30.40', '9.20.4.4', '169.254.169.254', '172.16.0.1'],
      ports: [80, 443],
      config: {
        egress: { allow: ['10.1.0.0/16', '9.20.30.40'], deny: ['10.1.2.0/24', '9.20.0.0/16'], ports: [80, 443] },
      },
      requests: [
        '10.1.0.1',
        '10.1.2.3',
        '10.2.0.1',
        '9.20.30.40',
        '9.20.4.4',
        '[::ffff:10.1.2.3]',
        '[::ffff:10.1.0.1]',
      ].flatMap(both),
    });
  });

  test.each([
    ['10.1.0.1', true, 'allowed'],
    ['[::ffff:10.1.0.1]', true, 'allowed, in another form'],
    ['10.1.2.3', false, 'denied within what is allowed'],
    ['[::ffff:10.1.2.3]', false, 'the same in another form'],
    ['10.2.0.1', false, 'neither'],
    ['9.20.30.40', false, 'public, allowed and denied'],
    ['9.20.4.4', false, 'public and denied'],
  ])('%s is refused unless allowed and not denied: %s (%s)', (host, isReached) => {
    for (const { name } of both(host)) {
      const result = results.get(name);
      expect([name, isRefused(result)]).toEqual([name, !isReached]);
    }
  });
});

function isRefused(result: NetworkResult | undefined): boolean {
  return (
    result !== undefined &&
    result.status >= 400 &&
    result.status < 500 &&
    result.begun === 0 &&
    result.reached.length === 0
  );
}
