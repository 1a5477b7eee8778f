/** Faults that no schema sees, as a file that is not there or a name that nobody has, told at their place in the file. */
import type { KeyPath, YamlText } from './document.ts';
import { keyText } from './issues.ts';
import type { Problem } from './problem.ts';

/** What is wrong with the value at a path, or with its key. */
export type Fault = { readonly path: KeyPath; readonly message: string; readonly of?: 'key' | 'value' };

/** The fault with its line; `yaml` is the file, where there is one. */
export function problemOf(
  { path, message, of = 'value' }: Fault,
  { file, yaml }: { readonly file: string; readonly yaml: YamlText | undefined },
): Problem {
  const place = (of === 'key' ? yaml?.placeOf(path) : yaml?.placeOfValue(path)) ?? { line: 0, column: 0 };
  return { file, ...place, key: keyText(path), message };
}

/** The fault in words alone, as `upstream.ca_file: message`. */
export function faultText({ path, message }: Fault): string {
  return `${keyText(path)}: ${message}`;
}
