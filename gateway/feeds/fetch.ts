/** Fetches a list over https, through the egress guard that applies to every request. */
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import tls from 'node:tls';
import { PrivetError } from '../../core/errors.ts';
import { normalizeHost } from '../../policy/host.ts';
import type { Egress } from '../proxy/upstream/egress.ts';
import type { Upstream } from '../proxy/upstream/upstream.ts';

/** The dependencies of fetching. */
export type FetchParts = {
  readonly egress: Pick<Egress, 'checkTarget' | 'connect'>;
  readonly upstream: Pick<Upstream, 'secureContextFor'>;
};

/**
 * The body of a response with status 200. Redirects are not followed: only the configured address is trusted.
 * @throws PrivetError `egress_refused`, `upstream_failed`, `upstream_timeout`, `body_too_large`
 */
export async function fetchList(
  url: string,
  limits: { readonly bytesMax: number; readonly timeoutMs: number },
  { egress, upstream }: FetchParts,
): Promise<Buffer> {
  const { hostname, port, protocol } = new URL(url);
  if (protocol !== 'https:') throw failed('The address of a feed must begin with https.');
  const { host, kind } = normalizeHost(hostname.replace(/^\[|\]$/g, ''));
  const target = port === '' ? 443 : Number(port);
  egress.checkTarget(host, kind, target);
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const agent = new https.Agent();
  (agent as { createConnection: unknown }).createConnection = (_options: unknown, done: OnSocket) => {
    const connected = egress.connect(host, target).then((socket) =>
      tls.connect({
        socket,
        ...(isIP(host) === 0 ? { servername: host } : { host }),
        secureContext: upstream.secureContextFor(host),
        ALPNProtocols: ['http/1.1'],
      }),
    );
    connected.then((socket) => done(null, socket), done);
  };
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'user-agent': 'privet', accept: '*/*', 'accept-encoding': 'identity' };
      https.get(url, { agent, signal, headers }, resolve).once('error', reject);
    });
    return await bodyOf(answer, limits.bytesMax);
  } catch (error) {
    if (signal.aborted) throw new PrivetError('upstream_timeout', 'The feed took too long.');
    if (error instanceof PrivetError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new PrivetError('upstream_failed', `The feed cannot be fetched (${code ?? 'no connection'}).`, {
      cause: error,
    });
  } finally {
    agent.destroy();
  }
}

type OnSocket = (error: Error | null, socket?: tls.TLSSocket) => void;

async function bodyOf(answer: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const { statusCode = 0, headers } = answer;
  if (statusCode !== 200) {
    answer.destroy();
    const where =
      statusCode >= 300 && statusCode < 400 ? ' Redirects are not followed; configure the target instead.' : '';
    throw failed(`The feed answers with status ${statusCode}.${where}`);
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    answer.destroy();
    throw failed('The feed sent a compressed body that was not requested.');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length;
    if (bytes > bytesMax) throw new PrivetError('body_too_large', `The feed is larger than ${bytesMax} bytes.`);
    chunks.push(chunk as Buffer);
  }
  if (!answer.complete) throw failed('The connection ended before the feed was complete.');
  return Buffer.concat(chunks);
}

function failed(message: string): PrivetError {
  return new PrivetError('upstream_failed', message);
}
