/** Session ids in a vault. */

/**
 * The vault id of a tenant's session, which makes sessions of other tenants unreachable. Proxy sessions have no tenant
 * and use their plain id, which never contains a colon.
 */
export function sessionKey(tenant: string, sessionId: string): string {
  // Creates a flat string; concatenation would keep its parts alive.
  return [tenant, sessionId].join(':');
}

/** Splits a {@link sessionKey}; a plain id has an empty tenant. */
export function splitSessionKey(key: string): { tenant: string; id: string } {
  const colon = key.indexOf(':');
  return colon < 0 ? { tenant: '', id: key } : { tenant: key.slice(0, colon), id: key.slice(colon + 1) };
}

/** The id of a proxy session; parts have no dot or colon. Sessions of one owner and line never share a number. */
export function proxySessionKey(owner: string, line: string, session: string): string {
  return `${owner}.${line}.${session}`;
}

/** The line whose sessions share numbers; undefined for a tenant's session, whose id is never reopened. */
export function lineOf(key: string): string | undefined {
  if (key.includes(':')) return undefined;
  const dot = key.lastIndexOf('.');
  return dot < 0 ? key : key.slice(0, dot);
}
