/** Paths of keys in a YAML file. */

/** Keys and list indexes from the root. */
export type KeyPath = readonly PropertyKey[];

/** `policy.rules[0].when`; keys that are not plain words are quoted. */
export function keyText(path: KeyPath): string {
  return path
    .map((key, i) => {
      if (typeof key === 'number') return `[${key}]`;
      if (!/^\w+$/.test(String(key))) return `[${JSON.stringify(String(key))}]`;
      return i === 0 ? String(key) : `.${String(key)}`;
    })
    .join('');
}
