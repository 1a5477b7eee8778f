/** Names with their values, one per line. */
export function factLines(rows: readonly (readonly [name: string, value: string])[], width = 10): string {
  return rows.map(([name, value]) => `${`${name.padEnd(width)}${value}`.trimEnd()}\n`).join('');
}

/** Formats rows with aligned columns; the first row has the headings. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
