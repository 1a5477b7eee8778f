/** The examples of a Markdown file: the code behind `<!-- test: name -->` and the lines that it says it prints. */
import { readFileSync } from 'node:fs';

/** One example. `prints` are the comments behind `console.log(…);`. */
export type Example = { readonly name: string; readonly code: string; readonly prints: readonly string[] };

export function examplesOf(file: string): Example[] {
  const blocks = readFileSync(file, 'utf8').matchAll(/<!-- test: (\w+) -->\n```js\n([\s\S]*?)```/g);
  return Array.from(blocks, ([, name = '', code = '']) => ({
    name,
    code,
    prints: Array.from(code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm), ([, printed = '']) => printed),
  }));
}
