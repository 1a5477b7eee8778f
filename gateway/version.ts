import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The package version, `1.2.3`. */
export function packageVersion(): string {
  const text = readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
