/** Cells of CSV files (RFC 4180) that a spreadsheet opens. */

/** Text that a spreadsheet would read as a formula, guarded or not; Japanese ones also read full-width signs. */
const formula = /^'*[=+\-@\t\r＝＋－＠]/;

/** A cell with a value; text that would be read as a formula gets a leading apostrophe. */
export function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return csvField(typeof value === 'object' ? JSON.stringify(value) : String(value));
  return csvField(formula.test(value) ? `'${value}` : value);
}

/** The text of a cell without the apostrophe of {@link csvCell}. */
export function unguarded(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
