/** The shipped host lists, by category: bypass.yaml and anonymizers.yaml. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { YamlText } from './document.ts';
import {
  type AnonymizerCategory,
  anonymizerCategories,
  type CuratedCategory,
  curatedCategories,
} from './host-list-categories.ts';
import { hostOrNetwork } from './values.ts';

export type ListedHost<C extends string> = { readonly host: string; readonly category: C; readonly reason: string };
/** A host that shows or resolves any other host for the client. */
export type Anonymizer = ListedHost<AnonymizerCategory>;

const category = { reason: z.string(), hosts: z.array(hostOrNetwork).min(1) };

/** The hosts of the given categories that are never intercepted. Throws the schema's error when the file is damaged. */
export function curatedBypass(wanted: 'on' | 'off' | readonly CuratedCategory[]): ListedHost<CuratedCategory>[] {
  if (wanted === 'off') return [];
  const hosts = read('bypass.yaml', curatedCategories, z.strictObject({ ...category, source: z.string() }));
  return wanted === 'on' ? hosts : hosts.filter((one) => wanted.includes(one.category));
}

/** All anonymizers. Throws the schema's error when the file is damaged. */
export function loadAnonymizers(): Anonymizer[] {
  return read('anonymizers.yaml', anonymizerCategories, z.strictObject(category));
}

type Entry = z.ZodType<{ readonly reason: string; readonly hosts: readonly string[] }>;

function read<C extends string>(name: string, names: readonly C[], entry: Entry): ListedHost<C>[] {
  const file = join(import.meta.dirname, name);
  const list = z.strictObject({
    version: z.literal(1),
    compiled: z.iso.date(),
    categories: z.record(z.enum(names), entry),
  });
  const { categories } = list.parse(new YamlText(readFileSync(file, 'utf8'), file).value);
  return names.flatMap((category) => {
    const { hosts, reason } = (categories as Record<C, z.infer<Entry>>)[category];
    return hosts.map((host) => ({ host, category, reason }));
  });
}
