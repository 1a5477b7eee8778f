/** The PAC file as a browser evaluates it, and NO_PROXY: they agree on which hosts are reached directly. */
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { reasonIn } from '../../gateway/cli/doctor-clients.ts';
import { variablesOf } from '../../gateway/cli/env.ts';
import { pacFile } from '../../gateway/portal/portal.ts';
import { NoProxy } from '../../gateway/proxy/upstream/parents.ts';

const context = createContext({
  isPlainHostName: (host: string) => !host.includes('.'),
  dnsDomainIs: (host: string, domain: string) => host.endsWith(domain),
});
runInContext(pacFile('proxy.example:3128', ['corp.example']), context);
const pac = (host: string): string => runInContext(`FindProxyForURL("http://x/", ${JSON.stringify(host)})`, context);

const variables = variablesOf({ proxy: 'http://proxy.example:3128', dir: '/d' });
// As sun.net.spi.DefaultProxySelector reads the property: a name may begin or end with `*`.
const javaHosts = /-Dhttp\.nonProxyHosts=(\S+)/.exec(variables.JAVA_TOOL_OPTIONS as string)?.[1]?.split('|') ?? [];
const isJavaDirect = (host: string) =>
  javaHosts.some((pattern) => {
    if (pattern.startsWith('*')) return host.endsWith(pattern.slice(1));
    return pattern.endsWith('*') ? host.startsWith(pattern.slice(0, -1)) : host === pattern;
  });
const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);
const direct = new NoProxy([variables.NO_PROXY as string]);

describe('without the proxy', () => {
  test.each([
    'localhost',
    'app.localhost',
    'printer.local',
    '127.0.0.1',
    '127.8.8.8',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.1.1',
    '100.64.0.1',
    '100.127.255.255',
    '::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'febf::1',
  ])('%s', (host) => {
    expect(pac(host)).toBe('DIRECT');
    if (host.includes(':')) expect(pac(`[${host}]`)).toBe('DIRECT');
    expect(direct.has(host, 443)).toBe(true);
    expect(isJavaDirect(inUrl(host))).toBe(!host.startsWith('100.'));
  });

  test.each(['::ffff:10.1.2.3', '::ffff:c0a8:101', '::ffff:6440:1', 'intranet', 'corp.example', 'a.corp.example'])(
    '%s, which programs write differently',
    (host) => expect(pac(host)).toBe('DIRECT'),
  );
});

describe('through the proxy', () => {
  test.each([
    'api.openai.com',
    'local.example',
    '8.8.8.8',
    '172.32.0.1',
    '172.15.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '192.169.0.1',
    '2001:db8::1',
    'fec0::1',
    '10.example.com',
  ])('%s', (host) => {
    expect(pac(host)).toBe('PROXY proxy.example:3128');
    if (host.includes(':')) expect(pac(`[${host}]`)).toBe('PROXY proxy.example:3128');
    expect(direct.has(host, 443)).toBe(false);
    // Java's patterns cannot tell an address from a name that begins like one.
    if (host !== '10.example.com') expect(isJavaDirect(inUrl(host))).toBe(false);
  });

  test.each(['::ffff:8.8.8.8', '::ffff:808:808'])('%s', (host) => expect(pac(host)).toBe('PROXY proxy.example:3128'));
});

test('the options for Java are short enough for Java 8', () => {
  expect((variables.JAVA_TOOL_OPTIONS as string).length).toBeLessThan(1024 - 200);
});

test('Java sends credentials to tunnels', () => {
  expect(variables.JAVA_TOOL_OPTIONS).toMatch(/ -Djdk\.http\.auth\.tunneling\.disabledSchemes= /);
});

test.each([
  [
    [
      'curl: (60) SSL certificate problem: unable to get local issuer certificate',
      'More details here: https://curl.se/docs/sslcerts.html',
      'establish a secure connection to it. To learn more about this situation and',
      'how to fix it, please visit the webpage mentioned above about SSL.',
    ],
    /^curl: \(60\) SSL certificate problem/,
  ],
  [
    [
      'Exception in thread "main" java.io.IOException: Unable to tunnel through proxy. Proxy returns "HTTP/1.1 407 Proxy Authentication Required"',
    ],
    /disabledSchemes/,
  ],
  [['x', 'javax.net.ssl.SSLHandshakeException: PKIX path building failed'], /PKIX/],
  [['407'], /^the proxy requires a user \(407\)$/],
  [['first', 'last'], /^last$/],
])('doctor reports the reason: %j', (lines, reason) => expect(reasonIn(lines)).toMatch(reason));
