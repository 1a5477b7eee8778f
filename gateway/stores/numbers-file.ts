/**
 * The token counters of the memory store, kept across restarts in a file of the data folder. The file contains no
 * values and no tokens. Without it, a token from before a restart, which a service may still have, would be assigned to
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
/** The file is rewritten after this many appended lines, or as many as there are counters if that is more. */
const appendedMax = 50_000;

/**
 * The first line has the secret that hashes the names of number lines; every other line is a counter: line, highest
 * number, name. Changes are appended and the last entry wins; each start rewrites the file. Nothing is synced, so a
 * number may be assigned twice after the machine itself has crashed.
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

  /** Reads the file of the folder, if there is one. Damaged lines are skipped. */
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
    // A counter is written at the beginning of each block of numbers, so some of the block may be used already.
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

  /** Writes the exact counters when the process ends. */
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

  /** A full disk must not stop masking. */
  #try(write: () => void): void {
    try {
      write();
      this.#isWriting = true;
    } catch (error) {
      if (this.#isWriting) {
        this.#log.error(
          { event: 'file_not_written', file: this.#file, error },
          'the token counters cannot be written: after a restart a token may be assigned twice',
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
