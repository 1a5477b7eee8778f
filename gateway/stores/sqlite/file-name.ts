/** The file that `PROXY_STORE_URL` names: `sqlite:` and `file:` before it may be left out. */
export function sqliteFile(url: string): string {
  return url.replace(/^(?:sqlite|file):(?:\/\/)?/, '');
}
