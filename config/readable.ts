/** Durations and sizes of a configuration as people write them: `8h` instead of 28800000. */

/** Keys whose numbers are milliseconds, and those whose numbers are bytes. */
const durations: ReadonlySet<string> = new Set(['coach_ttl', 'batch_ttl', 'window', 'ttl', 'every', 'timeout']);
const sizes: ReadonlySet<string> = new Set(['max_body', 'max_size', 'upload_over', 'size', 'buffer']);

/** A copy of a part of the configuration, with units. It reads back to the same values. */
export function readable(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => readable(item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, readable(inner, name)]));
  if (typeof value !== 'number') return value;
  return durations.has(key) ? durationText(value) : sizes.has(key) ? sizeText(value) : value;
}

/** `90s`, `8h`, `30d`: the largest unit that is whole; days from two on, because a day is mostly written as 24h. */
export function durationText(ms: number): string {
  const units = [
    ['d', 86_400_000, 2],
    ['h', 3_600_000, 1],
    ['m', 60_000, 1],
    ['s', 1000, 1],
  ] as const;
  const unit = units.find(([, size, least]) => ms >= least * size && ms % size === 0);
  return unit === undefined ? `${ms}ms` : `${ms / unit[1]}${unit[0]}`;
}

/** `32MiB`: the largest unit that is whole; in a sentence with a space as `gap`. */
export function sizeText(bytes: number, gap = ''): string {
  const units = [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const;
  const unit = units.find(([, size]) => bytes >= size && bytes % size === 0);
  return unit === undefined ? `${bytes}${gap}B` : `${bytes / unit[1]}${gap}${unit[0]}`;
}
