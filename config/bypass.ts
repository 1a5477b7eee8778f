/** The curated list of hosts that are never intercepted, from the shipped bypass.yaml, by category. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type CuratedCategory, curatedCategories } from './bypass-categories.ts';
import { YamlText } from './document.ts';
import { hostOrNetwork } from './values.ts';

/** The shipped list. */
const curatedBypassFile = join(import.meta.dirname, 'bypass.yaml');

const category = z.strictObject({ reason: z.string(), source: z.string(), hosts: z.array(hostOrNetwork).min(1) });
const list = z.strictObject({
  version: z.literal(1),
  compiled: z.iso.date(),
  categories: z.strictObject(Object.fromEntries(curatedCategories.map((name) => [name, category]))),
});

/** A host of the list, with the reason. */
export type CuratedHost = { readonly host: string; readonly category: CuratedCategory; readonly reason: string };

/** The hosts of the given categories. Throws the schema's error when the shipped file is damaged. */
export function curatedBypass(wanted: 'on' | 'off' | readonly CuratedCategory[]): CuratedHost[] {
  if (wanted === 'off') return [];
  const { categories } = list.parse(new YamlText(readFileSync(curatedBypassFile, 'utf8'), curatedBypassFile).value);
  return curatedCategories
    .filter((name) => wanted === 'on' || wanted.includes(name))
    .flatMap((name) => {
      const { hosts, reason } = categories[name] as z.infer<typeof category>;
      return hosts.map((host) => ({ host, category: name, reason }));
    });
}
