/**
 * Errors that the schema cannot detect, such as a missing file or an unknown name, reported with their position in the
 * file.
 */
import type { KeyPath, YamlText } from './document.ts';
import { keyText } from './issues.ts';
import type { Problem } from './problem.ts';

/** What is wrong with the value at a path, or with its key. */
export type Fault = { readonly path: KeyPath; readonly message: string; readonly of?: 'key' | 'value' };

/** Adds the line to the error; `yaml` is the file, if there is one. */
export function problemOf(
  { path, message, of = 'value' }: Fault,
  { file, yaml }: { readonly file: string; readonly yaml: YamlText | undefined },
): Problem {
  const position = (of === 'key' ? yaml?.positionOf(path) : yaml?.positionOfValue(path)) ?? { line: 0, column: 0 };
  return { file, ...position, key: keyText(path), message };
}

/** The error as text, such as `upstream.ca_file: message`. */
export function faultText({ path, message }: Fault): string {
  return `${keyText(path)}: ${message}`;
}
