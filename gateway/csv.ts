/** A field of a CSV file (RFC 4180). */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The same for a spreadsheet: text that it would read as a formula gets a leading apostrophe. Japanese ones also read
 * full-width signs.
 */
export function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return csvField(typeof value === 'object' ? JSON.stringify(value) : String(value));
  return csvField(/^[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value);
}
