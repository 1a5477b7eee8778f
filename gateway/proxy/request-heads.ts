/**
 * Heads of requests as they go upstream. undici writes Host, Connection and the framing fields itself, in lower case and
 * at fixed places; a thin layer over the socket puts them back where the client had them, so that an unchanged request
 * is unchanged in its head, too.
 */
import type { Socket } from 'node:net';

/** Prefix of the fields that mark where undici's own fields belong; stripped from what clients send. */
export const slotPrefix = 'privet-slot-';
const slotHost = `${slotPrefix}host`;
const slotConnection = `${slotPrefix}connection`;
const slotLength = `${slotPrefix}length`;
const slotTarget = `${slotPrefix}target`;

/** Path and fields for a target `*`, which undici would refuse. */
export function withServerTarget(headers: string[]): { path: string; headers: string[] } {
  return { path: '/', headers: [...headers, slotTarget, '*'] };
}

/**
 * Prepares end-to-end fields for undici: Host, Connection and Content-Length / Transfer-Encoding become place holders
 * that {@link shapeHead} fills in when the head is written.
 */
export function withSlots(raw: readonly string[], hostHeader: string): string[] {
  const out: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    const length = name.length;
    const lower = length === 4 || length === 10 || length === 14 || length === 17 ? name.toLowerCase() : '';
    if (lower === 'host') out.push('host', hostHeader, slotHost, name);
    else if (lower === 'connection') out.push(slotConnection, name);
    else if (lower === 'content-length' || lower === 'transfer-encoding') out.push(slotLength, name);
    else out.push(name, raw[i + 1] as string);
  }
  return out;
}

/** How a request names its target to a parent proxy (RFC 9112 §3.2.2), and the credentials it carries for it. */
export type ParentForm = { readonly origin: string; readonly authorization: string | undefined };

/** Rewrites a head as undici writes it into the order and case of the client; exported for its test. */
export function shapeHead(head: string, parent?: ParentForm): string {
  const lines = head.split('\r\n');
  let host = '';
  let connection = '';
  let framing = '';
  const kept: string[] = [];
  let hostSlot = false;
  let connectionSlot = false;
  // The fields that undici writes itself: host and connection right after the request line, the framing field last.
  let at = 1;
  if (lines[at]?.startsWith('host: ')) host = (lines[at++] as string).slice(6);
  if (lines[at]?.startsWith('connection: ')) connection = (lines[at++] as string).slice(12);
  let end = lines.length;
  while (end > at && lines[end - 1] === '') end--;
  const last = lines[end - 1] as string;
  if (end > at && (last.startsWith('content-length: ') || last.startsWith('transfer-encoding: '))) {
    framing = last;
    end--;
  }
  for (; at < end; at++) {
    const line = lines[at] as string;
    if (!line.startsWith(slotPrefix)) kept.push(line);
    else if (line.startsWith(slotHost)) {
      hostSlot = true;
      kept.push(`${line.slice(slotHost.length + 2)}: ${host}`);
    } else if (line.startsWith(slotConnection)) {
      if (!connectionSlot) kept.push(`${line.slice(slotConnection.length + 2)}: ${connection}`);
      connectionSlot = true;
    } else if (line.startsWith(slotTarget)) {
      lines[0] = (lines[0] as string).replace(' / ', ` ${line.slice(slotTarget.length + 2)} `);
    } else if (line.startsWith(slotLength)) {
      const name = line.slice(slotLength.length + 2);
      if (framing === '') {
        // undici leaves a length of zero out where the method needs none.
        if (name.length === 14) kept.push(`${name}: 0`);
        continue;
      }
      const colon = framing.indexOf(':');
      const same = name.toLowerCase() === framing.slice(0, colon);
      kept.push(same ? name + framing.slice(colon) : framing);
      framing = '';
    }
  }
  let out = `${parent ? inAbsoluteForm(lines[0] as string, parent.origin) : lines[0]}\r\n`;
  if (!hostSlot && host !== '') out += `host: ${host}\r\n`;
  for (const line of kept) out += `${line}\r\n`;
  if (!connectionSlot && connection === 'close') out += 'Connection: close\r\n';
  if (framing !== '') out += `${framing}\r\n`;
  if (parent?.authorization !== undefined) out += `Proxy-Authorization: ${parent.authorization}\r\n`;
  return lines[lines.length - 1] === '' && lines[lines.length - 2] === '' ? `${out}\r\n` : out;
}

/** `OPTIONS *` becomes a target without a path (RFC 9112 §3.2.4). */
function inAbsoluteForm(requestLine: string, origin: string): string {
  return requestLine.replace(/^(\S+) (\S+)/, (_all, method: string, target: string) =>
    target === '*' ? `${method} ${origin}` : `${method} ${origin}${target}`,
  );
}

/** Lets every head that undici writes on this socket pass through {@link shapeHead}. */
export function shapeHeadsOf(socket: Socket, parent?: ParentForm): void {
  const write = socket.write;
  socket.write = function (this: Socket, chunk: unknown, ...rest: unknown[]) {
    const shaped = typeof chunk === 'string' && chunk.includes(slotPrefix) ? shapeHead(chunk, parent) : chunk;
    return (write as (...all: unknown[]) => boolean).call(this, shaped, ...rest);
  } as Socket['write'];
}
