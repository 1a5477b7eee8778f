/**
 * What the proxy port answers for itself, in origin form: the PAC file, the root certificate and a welcome page.
 * Such a request is never forwarded, whatever its Host says (otherwise any page that can reach the port reaches anything).
 */
import type { IncomingMessage } from 'node:http';
import { PrivetError } from '../../core/errors.ts';
import { errorAnswer } from './answers.ts';
import { escapeHtml, pageHeaders, renderPage } from './pages.ts';
import { nextRequestId } from './record.ts';

/** What the local pages show. */
export type LocalFacts = {
  readonly rootPem: string;
  readonly rootDer: Uint8Array;
  readonly fingerprint256: string;
  /** Hosts that browsers should reach without the proxy. */
  readonly bypass: () => readonly string[];
  readonly proxyPort: () => number;
};

type Answer = { status: number; headers: readonly string[]; body: string | Buffer };

/** Answers a request in origin form. */
export function localAnswer(facts: LocalFacts, request: IncomingMessage): Answer {
  const path = (request.url ?? '/').split('?', 1)[0];
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return plainError(request, new PrivetError('method_not_allowed', 'The proxy port answers GET for its own pages.'));
  }
  switch (path) {
    case '/proxy.pac':
    case '/wpad.dat':
      return {
        status: 200,
        headers: ['Content-Type', 'application/x-ns-proxy-autoconfig', 'Cache-Control', 'max-age=300'],
        body: pacFile(request, facts),
      };
    case '/ca.pem':
      return download('application/x-pem-file', 'privet-ca.pem', facts.rootPem);
    case '/ca.crt':
    case '/ca.cer':
      return download('application/x-x509-ca-cert', 'privet-ca.crt', Buffer.from(facts.rootDer));
    case '/':
      return { status: 200, headers: pageHeaders, body: welcomePage(request, facts) };
    default:
      return plainError(request, new PrivetError('not_found', 'The proxy has no such page.'));
  }
}

function plainError(request: IncomingMessage, error: PrivetError): Answer {
  return errorAnswer(error, { requestId: nextRequestId(), rawHeaders: request.rawHeaders, host: '' });
}

function download(type: string, name: string, body: string | Buffer): Answer {
  return {
    status: 200,
    headers: [
      'Content-Type',
      type,
      'Content-Disposition',
      `attachment; filename="${name}"`,
      'X-Content-Type-Options',
      'nosniff',
    ],
    body,
  };
}

/** The name under which the client reached the proxy; only a plain host and port is repeated. */
function ownAuthority(request: IncomingMessage, facts: LocalFacts): string {
  const host = request.headers.host ?? '';
  return /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(host)
    ? withPort(host, facts.proxyPort())
    : `127.0.0.1:${facts.proxyPort()}`;
}

function withPort(host: string, port: number): string {
  return /:\d+$/.test(host) ? host : `${host}:${port}`;
}

/** Proxy auto-configuration: plain names, private networks and bypassed hosts go directly, all else to the proxy. */
function pacFile(request: IncomingMessage, facts: LocalFacts): string {
  const direct = facts
    .bypass()
    .filter((entry) => /^[a-z0-9.*-]+$/i.test(entry) && /[a-z]/i.test(entry))
    .map((entry) => entry.replace(/^\*?\./, ''))
    .map(
      (host) =>
        `  if (host === ${JSON.stringify(host)} || dnsDomainIs(host, ${JSON.stringify(`.${host}`)})) return "DIRECT";\n`,
    )
    .join('');
  return `function FindProxyForURL(url, host) {
  if (isPlainHostName(host) || host === "127.0.0.1" || host === "[::1]" || dnsDomainIs(host, ".local")) return "DIRECT";
  if (/^(10\\.|192\\.168\\.|172\\.(1[6-9]|2[0-9]|3[01])\\.|169\\.254\\.)[0-9.]+$/.test(host)) return "DIRECT";
${direct}  return "PROXY ${ownAuthority(request, facts)}";
}
`;
}

function welcomePage(request: IncomingMessage, facts: LocalFacts): string {
  const own = escapeHtml(ownAuthority(request, facts));
  return renderPage(
    'The proxy is running',
    [
      `Set <code>http://${own}</code> as HTTP and HTTPS proxy, or <code>http://${own}/proxy.pac</code> as automatic configuration.`,
      'Programs must trust its root certificate: <a href="/ca.pem">PEM</a> (Linux, Node.js, Python), <a href="/ca.crt">DER</a> (Windows, macOS, Android). Compare the fingerprint with what your administrator gives you before you install it.',
    ],
    [['SHA-256', facts.fingerprint256]],
  );
}
