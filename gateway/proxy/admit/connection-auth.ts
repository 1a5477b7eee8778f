/** Connection-based authentication (NTLM, Negotiate), which ties a connection to one user. */

/** Schemes that authenticate a connection (RFC 4559 §6), so no other client may use it. */
const connectionScheme = /^(?:ntlm|negotiate)(?![\w-])/i;

/** True if a request authenticates its connection. */
export function signsInConnection(headers: readonly string[]): boolean {
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string;
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (connectionScheme.test(headers[i + 1] as string)) return true;
  }
  return false;
}

/** True if a response offers only such schemes. HTTP/2 does not support them, and clients react accordingly. */
export function needsOwnConnection(status: number, raw: readonly string[]): boolean {
  if (status !== 401) return false;
  const challenges = raw.filter(
    (_value, i) => i % 2 === 1 && (raw[i - 1] as string).toLowerCase() === 'www-authenticate',
  );
  return challenges.length > 0 && challenges.every((value) => connectionScheme.test(value));
}
