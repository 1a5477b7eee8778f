/** The examples of a Markdown file: the code after `<!-- test: name -->` and its expected output. */
import { readFileSync } from 'node:fs';

/** One example. `prints` are the comments after `console.log(…);`. */
export type Example = { readonly name: string; readonly code: string; readonly prints: readonly string[] };

export function examplesOf(file: string): Example[] {
  const blocks = readFileSync(file, 'utf8').matchAll(/<!-- test: (\w+) -->\n```js\n([\s\S]*?)```/g);
  return Array.from(blocks, ([, name = '', code = '']) => ({
    name,
    code,
    prints: Array.from(code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm), ([, printed = '']) => printed),
  }));
}
