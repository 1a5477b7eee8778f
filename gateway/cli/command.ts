/** The parts of a command. */
import { nearestName, suggestion } from '../../config/nearest.ts';

/** An output stream like Node's; `done` is called when the text was written. */
export type Output = { write(text: string, done?: () => void): unknown };

/** The streams and environment of a run; tests pass their own. */
export type CliIo = {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** An option `--name`; `value` is the placeholder in the help text, absent for a switch. */
export type Option = { readonly value?: string; readonly help: string; readonly isList?: boolean };

/** A command. `run` returns the exit code: 0 success, 1 failure, 2 wrong usage or configuration. */
export type Command = {
  readonly usage: string;
  readonly help: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Minimum and maximum number of words after the command. */
  readonly words: readonly [min: number, max: number];
  run(args: Arguments, io: CliIo): Promise<number>;
};

/** Wrong usage of the command line; the message says what is correct. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function unknownAction(action: string, actions: readonly string[]): UsageError {
  return new UsageError(`unknown action "${action}"${suggestion(action, actions)}`);
}

export class Arguments {
  readonly words: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  private constructor(words: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.words = words;
    this.#values = values;
  }

  /**
   * Reads `--name value`, `--name=value` and switches; `--` ends the options, `-` is a word.
   * @throws UsageError for an unknown option, a missing or superfluous value, or a wrong number of words.
   */
  static parse(args: readonly string[], command: Command): Arguments {
    const words: string[] = [];
    const values = new Map<string, string[]>();
    for (let i = 0; i < args.length; i++) {
      const arg = args[i] ?? '';
      if (arg === '--') {
        words.push(...args.slice(i + 1));
        break;
      }
      if (!arg.startsWith('-') || arg === '-') {
        words.push(arg);
        continue;
      }
      const [, name = '', inline] = /^--?([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
      const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined;
      if (option === undefined) throw unknownOption(arg, name, command);
      const value = option.value === undefined ? inline : (inline ?? args[++i]);
      if (option.value === undefined && inline !== undefined) throw new UsageError(`--${name} takes no value`);
      if (option.value !== undefined && value === undefined)
        throw new UsageError(`--${name} needs a value: ${option.value}`);
      const before = values.get(name) ?? [];
      if (before.length > 0 && !option.isList) throw new UsageError(`--${name} is given twice`);
      values.set(name, [...before, value ?? '']);
    }
    const [min, max] = command.words;
    if (words.length < min || words.length > max) throw new UsageError(`usage: privet ${command.usage}`);
    return new Arguments(words, values);
  }

  /** The value of an option; undefined if not given. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  /** All values of a repeatable option; each may be a comma-separated list. */
  all(name: string): string[] {
    const parts = this.#values.get(name)?.flatMap((value) => value.split(',')) ?? [];
    return parts.map((part) => part.trim()).filter((part) => part !== '');
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The value of an option that must be one of these words; undefined if not given. @throws UsageError for another. */
  choice<T extends string>(name: string, words: readonly T[]): T | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const known = words.find((word) => word === value);
    if (known !== undefined) return known;
    throw new UsageError(`--${name} must be one of ${words.join(', ')}${suggestion(value, words)}`);
  }
}

function unknownOption(arg: string, name: string, command: Command): UsageError {
  const near = nearestName(name, Object.keys(command.options));
  return new UsageError(
    `unknown option ${arg.replace(/=.*/s, '')}${near === undefined ? '' : `; did you mean --${near}?`}`,
  );
}
