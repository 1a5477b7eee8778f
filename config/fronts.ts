/** Anonymizers: hosts that show or resolve any other host for the client. From the shipped fronts.yaml, by category. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { YamlText } from './document.ts';
import { type FrontCategory, frontCategories } from './front-categories.ts';
import { hostOrNetwork } from './values.ts';

/** The shipped list. */
const frontsFile = join(import.meta.dirname, 'fronts.yaml');

const category = z.strictObject({ reason: z.string(), hosts: z.array(hostOrNetwork).min(1) });
const list = z.strictObject({
  version: z.literal(1),
  compiled: z.iso.date(),
  categories: z.strictObject(Object.fromEntries(frontCategories.map((name) => [name, category]))),
});

/** A host of the list, with the reason. */
export type Front = { readonly host: string; readonly category: FrontCategory; readonly reason: string };

/** All hosts of the list. Throws the schema's error when the shipped file is damaged. */
export function loadFronts(): Front[] {
  const { categories } = list.parse(new YamlText(readFileSync(frontsFile, 'utf8'), frontsFile).value);
  return frontCategories.flatMap((name) => {
    const { hosts, reason } = categories[name] as z.infer<typeof category>;
    return hosts.map((host) => ({ host, category: name, reason }));
  });
}
