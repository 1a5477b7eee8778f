/** What is wrong with a configuration, and where. */
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** One error. `line` and `column` count from 1; both are 0 where there is no line (environment, flags). */
export type Problem = {
  /** Path of the file, `environment` or `flags`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `policy.rules[0].when.hosts`, or the name of a variable or flag. */
  readonly key: string;
  readonly message: string;
};

/** Thrown with every error of the configuration at once. Messages never contain the value of a secret. */
export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** `file:line:column: key: message`, without the unknown parts. */
export function formatProblem({ file, line, column, key, message }: Problem): string {
  const where = line === 0 ? file : `${file}:${line}:${column}`;
  return key === '' ? `${where}: ${message}` : `${where}: ${key}: ${message}`;
}

/** The text of a file, or why it cannot be read. */
export function readTextFile(file: string): string | Problem {
  try {
    const bytes = readFileSync(file);
    if (isUtf8(bytes)) return bytes.toString('utf8');
    return { file, ...placeOfOtherBytes(bytes), key: '', message: 'is not UTF-8; save the file as UTF-8' };
  } catch (error) {
    return { file, line: 0, column: 0, key: '', message: `cannot be read: ${wordsOf(error)}` };
  }
}

/** Position of the first bytes that are not UTF-8; a U+FFFD in the file itself is valid. */
function placeOfOtherBytes(bytes: Buffer): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (
    let end = bytes.indexOf(0x0a);
    end !== -1 && isUtf8(bytes.subarray(start, end));
    end = bytes.indexOf(0x0a, start)
  ) {
    line++;
    start = end + 1;
  }
  let column = 1;
  for (const sign of bytes.toString('utf8', start)) {
    const isOwn = sign !== '\ufffd' || bytes.subarray(start, start + 3).equals(replacement);
    if (!isOwn) break;
    start += Buffer.byteLength(sign);
    column += sign.length;
  }
  return { line, column };
}

const replacement = Buffer.from('\ufffd');

/** The bytes of a file, or why it cannot be read, as in {@link whyUnreadable}. */
export function bytesOf(file: string): Buffer | string {
  return withFile(file, (descriptor) => readFileSync(descriptor));
}

/**
 * Why a file cannot be opened for reading, such as `nope.pem cannot be read: there is no such file`; undefined when it
 * can.
 */
export function whyUnreadable(file: string): string | undefined {
  return withFile(file, () => undefined);
}

function withFile<T>(file: string, work: (descriptor: number) => T): T | string {
  let descriptor: number | undefined;
  try {
    // Opening a pipe would block.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    if (stats.isFIFO()) return `${file} cannot be read: it is a pipe`;
    return stats.isDirectory() ? unreadable(file, { code: 'EISDIR' }) : work(descriptor);
  } catch (error) {
    return unreadable(file, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The same message for an error that already occurred. */
export function unreadable(file: string, error: unknown): string {
  return `${file} cannot be read: ${wordsOf(error)}`;
}

function wordsOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? 'error';
  const words: Record<string, string> = {
    ENOENT: 'there is no such file',
    EACCES: 'not permitted',
    EISDIR: 'it is a directory',
    ENOTDIR: 'a part of its path is not a directory',
  };
  return words[code] ?? code;
}
