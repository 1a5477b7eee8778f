/** Opens a tunnel through a parent proxy (CONNECT, RFC 9110 §9.3.6) on a connection to it. */
import type { Socket } from 'node:net';
import { PrivetError } from '../../../core/errors.ts';
import { type Parent, ParentUnusable } from './parents.ts';

const headBytesMax = 64 * 1024;

/**
 * Resolves when the parent has opened the tunnel; bytes after its response are readable on the socket. Otherwise
 * destroys the socket and rejects with ParentUnusable if another parent may succeed, else with the client's
 * PrivetError.
 */
export function openParentTunnel(
  socket: Socket,
  options: { parent: Parent; host: string; port: number; timeoutMs: number },
): Promise<void> {
  const { parent, host, port, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const stop = () => {
      clearTimeout(timer);
      socket.off('data', onData);
      socket.off('end', onEnd);
      socket.off('close', onEnd);
    };
    const fail = (error: Error) => {
      stop();
      socket.destroy();
      reject(error);
    };
    const onEnd = () => fail(new ParentUnusable('it closed the connection'));
    const onData = (chunk: Buffer) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) {
        if (bytes.length > headBytesMax) fail(new ParentUnusable('its answer is too long'));
        return;
      }
      const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(bytes.toString('latin1', 0, end + 2))?.[1]);
      if (status >= 100 && status < 200) {
        const rest = bytes.subarray(end + 4);
        bytes = Buffer.alloc(0);
        if (rest.length > 0) onData(rest);
        return;
      }
      const error = refusalOf(status);
      if (error) return fail(error);
      stop();
      socket.pause();
      const rest = bytes.subarray(end + 4);
      if (rest.length > 0) socket.unshift(rest);
      resolve();
    };
    const timer = setTimeout(() => fail(new ParentUnusable('it did not answer in time')), timeoutMs);
    socket.on('data', onData);
    socket.once('end', onEnd);
    socket.once('close', onEnd);
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const credentials = parent.authorization === undefined ? '' : `Proxy-Authorization: ${parent.authorization}\r\n`;
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`);
  });
}

/** The error for a response; undefined for an open tunnel. */
function refusalOf(status: number): Error | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 407) return new ParentUnusable('it refuses our credentials (407)');
  if (status === 503) return new ParentUnusable('it is overloaded (503)');
  if (Number.isNaN(status)) return new ParentUnusable('its answer is not HTTP');
  if (status === 504)
    return new PrivetError('upstream_timeout', 'The parent proxy did not reach the host in time (504).');
  return new PrivetError('upstream_failed', `The parent proxy did not open a connection to the host (${status}).`, {
    hint: 'Ask the administrator of the parent proxy, or list the host in upstream.no_proxy.',
  });
}
