/** Reads a log of any length line by line: our audit events, Squid's access.log or a W3C extended log. */

import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { PrivetError } from '../../core/errors.ts';
import { decodedText } from '../../core/parsing.ts';
import { AuditReader } from './audit-traffic.ts';
import { given, type Traffic, type TrafficLine, type TrafficReader, targetOf } from './traffic.ts';
import { W3cReader } from './w3c-traffic.ts';

export const trafficFormats = ['privet', 'squid', 'w3c'] as const;
export type TrafficFormat = (typeof trafficFormats)[number];

/** Reading progress; `share` of the bytes from 0 to 1, undefined if the total is unknown. */
export type ReadProgress = {
  readonly lines: number;
  readonly unreadable: number;
  readonly share: number | undefined;
  readonly format: TrafficFormat | undefined;
};

/** Number of unrecognised lines after which format detection gives up. */
const unknownMax = 1_000;
/** Maximum length of a log line. */
const lineLengthMax = 1_048_576;

/** The source of a log: a file (`.gz` is decompressed), or a stream. */
export type TrafficSource = { readonly file: string } | { readonly stream: AsyncIterable<Uint8Array | string> };

/**
 * Passes every request of the log to `take`, in order; memory use does not depend on the length.
 * @throws PrivetError `invalid_input` for an unknown format, `unavailable` if the file cannot be read
 */
export async function readTraffic(options: {
  readonly source: TrafficSource;
  /** Default: detected from the first lines. */
  readonly format?: TrafficFormat;
  readonly take: (traffic: Traffic) => void;
  /** Called every few thousand lines. */
  readonly onProgress?: (progress: ReadProgress) => void;
}): Promise<ReadProgress> {
  const { take, onProgress } = options;
  const { chunks, share } = open(options.source);
  let format = options.format;
  let reader: TrafficReader | undefined = format === undefined ? undefined : readerOf(format);
  const counts = { lines: 0, unreadable: 0 };
  const progress = (): ReadProgress => ({ ...counts, share: share(), format });
  try {
    for await (const line of linesOf(chunks)) {
      if (line === '') continue;
      counts.lines++;
      if (reader === undefined) {
        format = formatOf(line);
        if (format === undefined) {
          counts.unreadable++;
          if (counts.unreadable > unknownMax) break;
          continue;
        }
        reader = readerOf(format);
      }
      const traffic = reader.read(line);
      if (traffic === 'unreadable') counts.unreadable++;
      else if (traffic !== 'skip') take(traffic);
      if (counts.lines % 10_000 === 0) onProgress?.(progress());
    }
  } catch (error) {
    throw readError(error);
  }
  // A run without readable lines must not look like one without differences.
  if (counts.lines > 0 && counts.unreadable === counts.lines)
    throw new PrivetError(
      'invalid_input',
      'The log has an unknown format. Supported: audit events as JSON lines, native access.log of Squid, W3C extended logs.',
      {
        hint: `Set the format with --format ${trafficFormats.join('|')}.`,
      },
    );
  return progress();
}

function formatOf(line: string): TrafficFormat | undefined {
  if (line.startsWith('{')) return 'privet';
  if (W3cReader.knows(line)) return 'w3c';
  return SquidReader.knows(line) ? 'squid' : undefined;
}

function readerOf(format: TrafficFormat): TrafficReader {
  return { privet: () => new AuditReader(), squid: () => new SquidReader(), w3c: () => new W3cReader() }[format]();
}

function open(source: TrafficSource): { chunks: AsyncIterable<Uint8Array | string>; share: () => number | undefined } {
  if ('stream' in source) return { chunks: source.stream, share: () => undefined };
  const totalBytes = statSync(source.file, { throwIfNoEntry: false })?.size;
  const bytes = createReadStream(source.file, { highWaterMark: 1_048_576 });
  const share = () =>
    totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(1, bytes.bytesRead / totalBytes);
  if (!isPacked(source.file)) return { chunks: bytes, share };
  const unpacked: Readable = bytes.pipe(createGunzip());
  bytes.once('error', (error) => unpacked.destroy(error));
  return { chunks: unpacked, share };
}

/** True for gzip by its first bytes (RFC 1952), because rotated logs are renamed. The reader reports read errors. */
function isPacked(file: string): boolean {
  // The first bytes of a pipe can be read only once.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return file.endsWith('.gz');
  const magic = Buffer.alloc(2);
  try {
    const handle = openSync(file, 'r');
    readSync(handle, magic, 0, 2, 0);
    closeSync(handle);
  } catch {
    return false;
  }
  return magic[0] === 0x1f && magic[1] === 0x8b;
}

/** The lines of a log, without line ends. @throws PrivetError `unavailable` if a file cannot be read */
export async function* readLines(source: TrafficSource): AsyncGenerator<string> {
  try {
    yield* linesOf(open(source).chunks);
  } catch (error) {
    throw readError(error);
  }
}

/** Turns a file error into a readable message; other errors stay unchanged. */
function readError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof PrivetError || code === undefined) return error;
  return new PrivetError('unavailable', `The log cannot be read (${code}).`, {
    cause: error,
    hint: code.startsWith('Z_')
      ? 'The compressed file is damaged or truncated.'
      : 'Check the file name and its permissions.',
  });
}

/** Lines without line ends. Unlike `readline`, drops a line that is too long. */
async function* linesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let isDropping = false;
  for await (const chunk of chunks) {
    const text = rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      if (isDropping) isDropping = false;
      else yield text.charCodeAt(end - 1) === 13 ? text.slice(from, end - 1) : text.slice(from, end);
      from = end + 1;
    }
    rest = text.slice(from);
    if (rest.length > lineLengthMax) {
      rest = '';
      isDropping = true;
    }
  }
  if (rest !== '' && !isDropping) yield rest;
}

const native = /^\s*(\d{9,11})\.(\d{1,6})\s+-?\d+\s+(\S+)\s+(\S+)\/(\d{3}|0+)\s+-?\d+\s+(\S+)\s+(\S+)\s+(\S+)\s+\S+/;

/** Reads such a log line by line. */
export class SquidReader implements TrafficReader {
  /** True if a line looks like this format. */
  static knows(line: string): boolean {
    return native.test(line);
  }

  read(line: string): TrafficLine {
    const match = native.exec(line);
    if (match === null) return 'unreadable';
    const [, seconds = '', fraction = '', client = '', result = '', status, method = '', url = '', user] = match;
    // Connections that never became a request: `NONE error:transaction-end-before-headers`.
    if (method === 'NONE' || url.startsWith('error:') || url.startsWith('cache_object:') || result === 'NONE_NONE')
      return 'skip';
    // An authentication challenge; the actual request has its own line.
    if (status === '407') return 'skip';
    const isTunnel = method === 'CONNECT';
    const target = targetOf(url, isTunnel);
    if (target === undefined) return 'unreadable';
    const name = given(user);
    // Squid logs only response bytes, so rules by upload size see none.
    return {
      at: new Date(Number(seconds) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3))),
      subject: name === undefined ? client : decodedText(name),
      ...target,
      ...(isTunnel ? {} : { method, size: 0 }),
      from: client,
      ...(name === undefined ? {} : { user: decodedText(name) }),
    };
  }
}

/** Squid percent-encodes special characters in user names. */
