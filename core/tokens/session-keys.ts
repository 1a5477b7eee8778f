/** The ids under which a vault keeps sessions. */

/**
 * The id under which a vault keeps a session of a tenant, so that no id that a caller can send reaches another tenant's
 * session. Sessions of the proxy have no tenant and are kept under their plain id, which never holds a colon.
 */
export function sessionKey(tenant: string, sessionId: string): string {
  // One flat text: a key that is kept would else keep its parts beside it.
  return [tenant, sessionId].join(':');
}

/** The parts of a {@link sessionKey}; the tenant of a plain id is empty. */
export function splitSessionKey(key: string): { tenant: string; id: string } {
  const colon = key.indexOf(':');
  return colon < 0 ? { tenant: '', id: key } : { tenant: key.slice(0, colon), id: key.slice(colon + 1) };
}

/**
 * The id of a session of the proxy: `owner` is whose share of the memory it takes, and sessions of one owner and line never
 * give a number twice. No part holds a dot or a colon.
 */
export function proxySessionKey(owner: string, line: string, session: string): string {
  return `${owner}.${line}.${session}`;
}

/**
 * The sessions with which a session shares its numbers, by a name that outlives it; undefined for sessions of tenants, which
 * nobody opens again under the same id.
 */
export function lineOf(key: string): string | undefined {
  if (key.includes(':')) return undefined;
  const dot = key.lastIndexOf('.');
  return dot < 0 ? key : key.slice(0, dot);
}
