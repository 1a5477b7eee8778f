/** JSON in one form for equal values: RFC 8785 (JCS). Members are sorted by their UTF-16 code units. */

/** Deeper values are cut off; real definitions are never this deep. */
const depthMax = 100;

/** The canonical text of a parsed JSON value. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (depth > depthMax) return 'null';
  if (Array.isArray(value)) return `[${value.map((element) => canonicalJson(element, depth + 1)).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const parts: string[] = [];
  for (const key of Object.keys(members).sort()) {
    if (members[key] !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(members[key], depth + 1)}`);
  }
  return `{${parts.join(',')}}`;
}
