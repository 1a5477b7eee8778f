/** Decodes the framing of HTTP/1.1 bodies as their bytes arrive (RFC 9112 §6 and §7). */
import { type BodyFraming, HeadCollector, Http1Error, readFields } from './head.ts';

/** Receives the content of a body and its end; `rest` is the data after it on the connection. */
export type BodySink = {
  data(bytes: Buffer): void;
  end(rest: Buffer, trailers: readonly string[]): void;
};

/** Maximum length of a chunk size line, including extensions. */
const sizeLineMax = 4_096;
const noTrailers: readonly string[] = [];
const empty = Buffer.alloc(0);
const lineEnd = Buffer.from('\r\n');
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = String.raw`"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"`;
/** Extensions as in RFC 9112 §7.1.1, without the whitespace that senders must not generate. */
const sizeLine = new RegExp(`^0*([0-9A-Fa-f]{1,13})(?:;${token}(?:=(?:${token}|${quoted}))?)*$`);

/** Reads one body. */
export class BodyReader {
  readonly #sink: BodySink;
  readonly #kind: BodyFraming['kind'];
  #left: number;
  /** Position within a chunked body. */
  #place: 'size' | 'data' | 'behind' | 'trailers' = 'size';
  /** The start of an incomplete line. */
  #line = '';
  #trailers: HeadCollector | undefined;

  constructor(framing: BodyFraming, sink: BodySink) {
    this.#kind = framing.kind;
    this.#left = framing.length;
    this.#sink = sink;
  }

  /** True if the body ends with the connection. */
  get endsWithConnection(): boolean {
    return this.#kind === 'close';
  }

  /** @throws Http1Error for malformed chunks. */
  push(bytes: Buffer): void {
    if (this.#kind === 'length') {
      if (bytes.length < this.#left) {
        this.#left -= bytes.length;
        this.#sink.data(bytes);
        return;
      }
      const { length } = bytes;
      const left = this.#left;
      this.#left = 0;
      this.#sink.data(length === left ? bytes : bytes.subarray(0, left));
      this.#sink.end(length === left ? empty : bytes.subarray(left), noTrailers);
    } else if (this.#kind === 'chunked') {
      this.#chunks(bytes);
    } else if (this.#kind === 'close') {
      this.#sink.data(bytes);
    }
  }

  /** Passes on all body bytes of one read together, however small the chunks are. */
  #chunks(bytes: Buffer): void {
    let parts: Buffer[] | undefined;
    let first: Buffer | undefined;
    const flush = () => {
      if (first === undefined) return;
      const data = parts === undefined ? first : Buffer.concat(parts);
      first = undefined;
      parts = undefined;
      this.#sink.data(data);
    };
    let at = 0;
    try {
      while (at < bytes.length) {
        if (this.#place === 'data') {
          const take = Math.min(this.#left, bytes.length - at);
          this.#left -= take;
          if (this.#left === 0) this.#place = 'behind';
          const part = take === bytes.length ? bytes : bytes.subarray(at, at + take);
          if (first === undefined) first = part;
          else if (parts === undefined) parts = [first, part];
          else parts.push(part);
          at += take;
        } else if (this.#place === 'trailers') {
          flush();
          this.#readTrailers(bytes.subarray(at));
          return;
        } else {
          const end = bytes.indexOf(0x0a, at);
          const to = end === -1 ? bytes.length : end + 1;
          if (this.#line.length + to - at > sizeLineMax)
            throw new Http1Error('HTTP1_MALFORMED', 'a chunk size line that is too long');
          this.#line += bytes.toString('latin1', at, to);
          at = to;
          if (end !== -1) this.#endLine();
        }
      }
    } finally {
      flush();
    }
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = '';
    if (this.#place === 'behind') {
      if (line !== '\r\n') throw new Http1Error('HTTP1_MALFORMED', 'a chunk longer than its size');
      this.#place = 'size';
      return;
    }
    const size = line.endsWith('\r\n') ? sizeLine.exec(line.slice(0, -2)) : null;
    if (size === null) throw new Http1Error('HTTP1_MALFORMED', 'an invalid chunk size');
    this.#left = Number.parseInt(size[1] as string, 16);
    this.#place = this.#left === 0 ? 'trailers' : 'data';
  }

  #readTrailers(bytes: Buffer): void {
    if (this.#trailers === undefined) {
      if (bytes.length >= 2 && bytes[0] === 0x0d && bytes[1] === 0x0a) {
        this.#sink.end(bytes.subarray(2), noTrailers);
        return;
      }
      // With the preceding line end included, an empty trailer section ends like any other.
      this.#trailers = new HeadCollector();
      this.#trailers.push(lineEnd);
    }
    const section = this.#trailers.push(bytes);
    if (section) this.#sink.end(section.rest, section.text === '' ? noTrailers : readTrailerFields(section.text));
  }
}

function readTrailerFields(text: string): string[] {
  const fields = readFields(text, lineEnd.length);
  for (let i = 0; i < fields.length; i += 2) {
    if (/^(?:content-length|transfer-encoding)$/i.test(fields[i] as string))
      throw new Http1Error('HTTP1_MALFORMED', 'a framing field in the trailers');
  }
  return fields;
}
