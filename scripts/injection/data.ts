import { readFileSync } from 'node:fs';

/** A labelled text. */
export type InjectionRow = {
  readonly id: string;
  readonly lang: string;
  readonly text: string;
  readonly label: 0 | 1;
  readonly category: string;
  readonly source: string;
};

/** The rows of a JSON Lines file. */
export function readRows(path: string): InjectionRow[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as InjectionRow);
}
