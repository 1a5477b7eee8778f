/**
 * The token counters that the memory store keeps across restarts, in a file of the data folder: no values and no tokens,
 * only the last number of each counter. Without it, a token that a service has kept from before a restart would name
 * a new value.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { endOfBlock, type KeptNumbers } from '../../core/tokens/number-lines.ts';
import type { Log } from '../observe/log.ts';
import { readFileIfPresent, replaceFile } from './atomic-file.ts';

type Counter = readonly [line: number, name: string, n: number];

const fileName = 'token-numbers.txt';
const firstLine = /^privet token numbers ([0-9a-f]{64})$/;
const counterLine = /^(\d{1,5}) (\d{1,10}) (.{0,128})$/;
/** After so many lines, and as many as there are counters, the file is written anew. */
const appendedMax = 50_000;

/**
 * The first line holds the secret of the names of lines, each other one a counter: line, highest number, name. Lines are
 * appended, the last one counts, and each start writes the file anew. Nothing is synced: a number may be given again after
 * the machine itself has crashed.
 */
export class NumbersFile implements KeptNumbers {
  readonly secret: Buffer;
  readonly earlier: readonly Counter[];
  readonly #file: string;
  readonly #log: Log;
  #descriptor: number | undefined;
  #isWriting = true;
  #appended = 0;
  #appendedMax = appendedMax;

  /** Reads the file of the folder, if there is one. A damaged line is passed over. */
  static open(dataDir: string, log: Log): NumbersFile {
    const file = join(dataDir, fileName);
    const { secret, counters } = read(file);
    return new NumbersFile(file, secret ?? randomBytes(32), counters, log);
  }

  private constructor(file: string, secret: Buffer, earlier: readonly Counter[], log: Log) {
    this.#file = file;
    this.#log = log;
    this.secret = secret;
    this.earlier = earlier;
    // Numbers are kept at the beginning of each block, and those that were read may be in the middle of one.
    this.#replace(earlier.map(([line, name, n]) => [line, name, endOfBlock(n)]));
  }

  readonly keep = (...counter: Counter): void => {
    this.#try(() => {
      this.#descriptor ??= openSync(this.#file, 'a', 0o600);
      writeSync(this.#descriptor, textOf([counter]));
      this.#appended++;
      if (this.#appended <= this.#appendedMax) return;
      this.#end();
      const { counters } = read(this.#file);
      this.#replace(counters);
      this.#appended = 0;
      this.#appendedMax = Math.max(appendedMax, counters.length);
    });
  };

  /** Writes the numbers as they are at the end of the process. */
  close(counters: Iterable<Counter>): void {
    this.#end();
    this.#replace(counters);
  }

  #end(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #replace(counters: Iterable<Counter>): void {
    const text = `privet token numbers ${this.secret.toString('hex')}\n${textOf(counters)}`;
    this.#try(() => replaceFile(this.#file, text));
  }

  /** Masking goes on where the disk is full. */
  #try(write: () => void): void {
    try {
      write();
      this.#isWriting = true;
    } catch (error) {
      if (this.#isWriting) {
        this.#log.error(
          { event: 'file_not_written', file: this.#file, error },
          'the numbers of tokens cannot be written: after a restart a token may be given again',
        );
      }
      this.#isWriting = false;
    }
  }
}

function read(file: string): { readonly secret: Buffer | undefined; readonly counters: readonly Counter[] } {
  const [first = '', ...lines] = (readFileIfPresent(file) ?? '').split('\n');
  const secret = firstLine.exec(first)?.[1];
  if (secret === undefined) return { secret, counters: [] };
  const counters = new Map<string, Counter>();
  for (const line of lines) {
    const [, at, n, name = ''] = counterLine.exec(line) ?? [];
    if (at !== undefined && Number(at) < 65_536) counters.set(`${at} ${name}`, [Number(at), name, Number(n)]);
  }
  return { secret: Buffer.from(secret, 'hex'), counters: [...counters.values()] };
}

function textOf(counters: Iterable<Counter>): string {
  let text = '';
  for (const [line, name, n] of counters) text += `${line} ${n} ${name}\n`;
  return text;
}
