/** Signing in a whole connection (NTLM, Negotiate): which messages do it, because such a connection is one user's. */

/** Schemes by which a whole connection is signed in (RFC 4559 §6), so that no other client may use it. */
const connectionScheme = /^(?:ntlm|negotiate)(?![\w-])/i;

/** Whether a request signs in the connection that it goes over. */
export function signsInConnection(headers: readonly string[]): boolean {
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string;
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (connectionScheme.test(headers[i + 1] as string)) return true;
  }
  return false;
}

/** Whether an answer asks for nothing but such a scheme; HTTP/2 has no place for it, and clients know what to do. */
export function needsOwnConnection(status: number, raw: readonly string[]): boolean {
  if (status !== 401) return false;
  const asked = raw.filter((_value, i) => i % 2 === 1 && (raw[i - 1] as string).toLowerCase() === 'www-authenticate');
  return asked.length > 0 && asked.every((value) => connectionScheme.test(value));
}
