/**
 * A strict HTTP/1.1 parser, written only from RFC 9112, without any optional leniency. Every parser reads
 * its complete messages in the same way; tests use it to compare sent and received data.
 */

/** A field line: name and value as received, without the whitespace around the value. */
export type StrictField = readonly [name: string, value: string];

/** A complete message. `start` is its first line; `body` is without chunk framing. */
export type StrictMessage = {
  readonly start: string;
  readonly fields: readonly StrictField[];
  readonly body: Buffer;
  readonly trailers: readonly StrictField[];
};

/** The first line and the fields of a message. */
export type StrictHead = Pick<StrictMessage, 'start' | 'fields'>;

/**
 * The content of a series of messages: the complete ones, the valid heads (also of messages with a truncated or
 * malformed body), and what follows the complete ones: nothing, the beginning of a valid message, or invalid data with
 * the reason.
 */
export type StrictReading = {
  readonly messages: readonly StrictMessage[];
  readonly heads: readonly StrictHead[];
  readonly rest: 'none' | 'incomplete' | 'malformed';
  readonly reason: string;
};

class Malformed extends Error {}
class Incomplete extends Error {}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** RFC 9112 §3: one space, no whitespace or control character in the target, HTTP/1.0 or 1.1. */
const requestLine = new RegExp(`^${token} [!-~]+ HTTP/1\\.[01]$`);
/** RFC 9112 §4: the space after the code is required even without a reason. */
const statusLine = /^HTTP\/1\.[01] [1-5][0-9]{2} [\t -~\x80-\xff]*$/;
/** RFC 9112 §5, RFC 9110 §5.5: no space before the colon, no control character but HTAB in a value. */
const fieldLine = new RegExp(
  `^(${token}):[ \\t]*((?:[!-~\\x80-\\xff](?:[\\t -~\\x80-\\xff]*[!-~\\x80-\\xff])?)?)[ \\t]*$`,
);
/** RFC 9112 §7.1: the size, and extensions, which are ignored: only the end of their line matters. */
const chunkLine = /^([0-9A-Fa-f]{1,15})(?:[ \t]*;[\t -~\x80-\xff]*)?$/;

/** Parses a series of requests; with `skipsEmptyLines` like a server that ignores those before one (RFC 9112 §2.2). */
export function readRequests(
  bytes: Buffer,
  { skipsEmptyLines = false }: { readonly skipsEmptyLines?: boolean } = {},
): StrictReading {
  return readAll(bytes, (reader) => {
    let start = reader.line();
    while (skipsEmptyLines && start === '') start = reader.line();
    if (!requestLine.test(start)) throw new Malformed(`request line ${JSON.stringify(start)}`);
    const fields = reader.fields();
    const hosts = valuesOf(fields, 'host');
    if (hosts.length > 1 || (hosts.length === 0 && start.endsWith('1.1'))) throw new Malformed('Host');
    reader.heads.push({ start, fields });
    if (start.startsWith('CONNECT ')) return { start, fields, body: reader.all(), trailers: [] };
    return { start, fields, ...bodyOf(reader, { start, fields, version: start.slice(-3), untilClose: false }) };
  });
}

/** Parses a series of responses to requests with these methods; interim responses are separate messages. */
export function readAnswers(bytes: Buffer, methods: readonly string[]): StrictReading {
  let answered = 0;
  return readAll(bytes, (reader) => {
    const start = reader.line();
    if (!statusLine.test(start)) throw new Malformed(`status line ${JSON.stringify(start)}`);
    const fields = reader.fields();
    reader.heads.push({ start, fields });
    const status = Number(start.slice(9, 12));
    if (answered >= methods.length) throw new Malformed('an unsolicited answer');
    if (status < 200) return { start, fields, body: Buffer.alloc(0), trailers: [] };
    const method = methods[answered++];
    if (method === 'HEAD' || status === 204 || status === 304)
      return { start, fields, body: Buffer.alloc(0), trailers: [] };
    return { start, fields, ...bodyOf(reader, { start, fields, version: start.slice(5, 8), untilClose: true }) };
  });
}

function readAll(bytes: Buffer, next: (reader: Reader) => StrictMessage): StrictReading {
  const reader = new Reader(bytes);
  const messages: StrictMessage[] = [];
  while (!reader.isAtEnd) {
    try {
      messages.push(next(reader));
    } catch (error) {
      if (!(error instanceof Malformed || error instanceof Incomplete)) throw error;
      const rest = error instanceof Malformed ? 'malformed' : 'incomplete';
      return { messages, heads: reader.heads, rest, reason: error.message };
    }
  }
  return { messages, heads: reader.heads, rest: 'none', reason: '' };
}

type BodyFacts = { start: string; fields: readonly StrictField[]; version: string; untilClose: boolean };

/** RFC 9112 §6.3, where everything doubtful is malformed. */
function bodyOf(reader: Reader, { fields, version, untilClose }: BodyFacts): Pick<StrictMessage, 'body' | 'trailers'> {
  const codings = valuesOf(fields, 'transfer-encoding');
  const lengths = valuesOf(fields, 'content-length');
  if (codings.length > 0) {
    if (codings.length > 1 || codings[0]?.toLowerCase() !== 'chunked') throw new Malformed('Transfer-Encoding');
    if (lengths.length > 0) throw new Malformed('Content-Length together with Transfer-Encoding');
    if (version !== '1.1') throw new Malformed('Transfer-Encoding in HTTP/1.0');
    return reader.chunks();
  }
  if (lengths.length > 1 || (lengths[0] !== undefined && !/^(?:0|[1-9][0-9]{0,15})$/.test(lengths[0])))
    throw new Malformed('Content-Length');
  if (lengths[0] !== undefined) return { body: reader.take(Number(lengths[0])), trailers: [] };
  return { body: untilClose ? reader.all() : Buffer.alloc(0), trailers: [] };
}

function valuesOf(fields: readonly StrictField[], lowerName: string): string[] {
  return fields.filter(([name]) => name.toLowerCase() === lowerName).map(([, value]) => value);
}

class Reader {
  readonly heads: StrictHead[] = [];
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** A line without its CRLF; a CR or LF alone is malformed (RFC 9112 §2.2). */
  line(): string {
    for (let at = this.#at; at < this.#bytes.length; at++) {
      if (this.#bytes[at] === 10) throw new Malformed('LF without CR');
      if (this.#bytes[at] !== 13) continue;
      if (at + 1 === this.#bytes.length) break;
      if (this.#bytes[at + 1] !== 10) throw new Malformed('CR without LF');
      const line = this.#bytes.toString('latin1', this.#at, at);
      this.#at = at + 2;
      return line;
    }
    throw new Incomplete('a line without its end');
  }

  fields(): StrictField[] {
    const fields: StrictField[] = [];
    for (let line = this.line(); line !== ''; line = this.line()) {
      const field = fieldLine.exec(line);
      if (field === null) throw new Malformed(`field line ${JSON.stringify(line.slice(0, 100))}`);
      fields.push([field[1] as string, field[2] as string]);
    }
    return fields;
  }

  take(length: number): Buffer {
    if (this.#bytes.length - this.#at < length) throw new Incomplete('a body without its end');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  all(): Buffer {
    return this.take(this.#bytes.length - this.#at);
  }

  chunks(): { body: Buffer; trailers: StrictField[] } {
    const parts: Buffer[] = [];
    for (;;) {
      const line = this.line();
      const chunk = chunkLine.exec(line);
      if (chunk === null) throw new Malformed(`chunk line ${JSON.stringify(line.slice(0, 100))}`);
      const size = Number.parseInt(chunk[1] as string, 16);
      if (size === 0) return { body: Buffer.concat(parts), trailers: this.fields() };
      parts.push(this.take(size));
      if (this.line() !== '') throw new Malformed('no CRLF behind a chunk');
    }
  }
}
