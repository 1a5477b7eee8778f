/** Anonymizers: hosts that show or resolve any other host for the client. From the shipped anonymizers.yaml, by category. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type AnonymizerCategory, anonymizerCategories } from './anonymizer-categories.ts';
import { YamlText } from './document.ts';
import { hostOrNetwork } from './values.ts';

/** The shipped list. */
const anonymizersFile = join(import.meta.dirname, 'anonymizers.yaml');

const category = z.strictObject({ reason: z.string(), hosts: z.array(hostOrNetwork).min(1) });
const list = z.strictObject({
  version: z.literal(1),
  compiled: z.iso.date(),
  categories: z.strictObject(Object.fromEntries(anonymizerCategories.map((name) => [name, category]))),
});

/** A host of the list, with the reason. */
export type Anonymizer = { readonly host: string; readonly category: AnonymizerCategory; readonly reason: string };

/** All hosts of the list. Throws the schema's error when the shipped file is damaged. */
export function loadAnonymizers(): Anonymizer[] {
  const { categories } = list.parse(new YamlText(readFileSync(anonymizersFile, 'utf8'), anonymizersFile).value);
  return anonymizerCategories.flatMap((name) => {
    const { hosts, reason } = categories[name] as z.infer<typeof category>;
    return hosts.map((host) => ({ host, category: name, reason }));
  });
}
