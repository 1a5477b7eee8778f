/** The options of a fetch that posts a value as JSON. */
export function jsonPost(value: unknown, more: Readonly<Record<string, string>> = {}) {
  const headers = { 'content-type': 'application/json', ...more };
  return { method: 'POST', headers, body: JSON.stringify(value) };
}
