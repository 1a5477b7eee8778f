/** The file that `PROXY_STORE_URL` names; the prefixes `sqlite:` and `file:` are optional. */
export function sqliteFile(url: string): string {
  return url.replace(/^(?:sqlite|file):(?:\/\/)?/, '');
}
