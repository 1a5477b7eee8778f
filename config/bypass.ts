/** The curated list of hosts that are left alone: what is shipped in bypass.yaml, by category. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type CuratedCategory, curatedCategories } from './bypass-categories.ts';
import { YamlText } from './document.ts';
import { hostOrNetwork } from './values.ts';

/** The list that is shipped. */
const curatedBypassFile = join(import.meta.dirname, 'bypass.yaml');

const category = z.strictObject({ reason: z.string(), source: z.string(), hosts: z.array(hostOrNetwork).min(1) });
const list = z.strictObject({
  version: z.literal(1),
  compiled: z.iso.date(),
  categories: z.strictObject(Object.fromEntries(curatedCategories.map((name) => [name, category]))),
});

/** One host of the list, with why it stands there. */
export type CuratedHost = { readonly host: string; readonly category: CuratedCategory; readonly reason: string };

/** The hosts of the wanted categories. Throws the schema's error when the shipped file is damaged. */
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
