/** The received part of a response, for tests in which it breaks off. */
import type { ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

/** `status` is 0 before the head; `text` is the body without its framing. */
export type Outcome = { readonly status: number; readonly isComplete: boolean; readonly text: string };

/** Far longer than any response takes: silence is the failure to detect. */
const silenceMs = 120_000;

/** Sends a request and waits until its answer is complete or the connection ends. Rejects on silence. */
export function askOver(socket: Socket, request: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const finish = (): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('error', finish).off('close', finish);
      resolve(outcomeOf(bytes));
    };
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      if (outcomeOf(bytes).isComplete) finish();
    };
    const timer = setTimeout(() => reject(new Error(`silence after ${JSON.stringify(bytes.toString())}`)), silenceMs);
    if (socket.destroyed) return finish();
    socket.on('data', onData).once('error', finish).once('close', finish);
    socket.write(request);
  });
}

/** Waits until a stream has closed. Rejects on silence. */
export function outcomeOfStream(stream: ClientHttp2Stream): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('silence')), silenceMs);
    const chunks: Buffer[] = [];
    let status = 0;
    let hasEnded = false;
    stream.on('response', (fields) => {
      status = Number(fields[':status']);
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      hasEnded = true;
    });
    stream.on('error', () => undefined);
    stream.on('close', () => {
      clearTimeout(timer);
      // A reset also looks like an end; the code distinguishes them (RFC 9113 §8.1).
      resolve({ status, isComplete: hasEnded && stream.rstCode === 0, text: Buffer.concat(chunks).toString() });
    });
  });
}

/** Parses an HTTP/1.1 response with Content-Length or chunks. Any data after its end makes it invalid. */
function outcomeOf(bytes: Buffer): Outcome {
  const at = bytes.indexOf('\r\n\r\n');
  if (at < 0) return { status: 0, isComplete: false, text: '' };
  const head = bytes.subarray(0, at).toString('latin1');
  const rest = bytes.subarray(at + 4);
  const status = Number(head.split(' ')[1]);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) return { status, isComplete: rest.length === Number(length), text: rest.toString() };
  const parts: Buffer[] = [];
  for (let i = 0; ; ) {
    const end = rest.indexOf('\r\n', i);
    const size = end < 0 ? Number.NaN : Number.parseInt(rest.subarray(i, end).toString(), 16);
    const isComplete = size === 0 && rest.toString('latin1', end) === '\r\n\r\n';
    if (size === 0) return { status, isComplete, text: Buffer.concat(parts).toString() };
    if (Number.isNaN(size)) return { status, isComplete: false, text: Buffer.concat(parts).toString() };
    parts.push(rest.subarray(end + 2, end + 2 + size));
    i = end + 2 + size + 2;
    if (i > rest.length) return { status, isComplete: false, text: Buffer.concat(parts).toString() };
  }
}
