/**
 * Matches entries of `mcp_servers` and `tools` in rules. Servers are compared as core/agents/tool-names.ts names them:
 * `host/path` of their address, else a connector, else the label of a local one.
 */

/** Path endings of MCP endpoints, which server names leave out. */
const endpoint = /(?:\/(?:mcp|sse|messages?))+$/i;

/** A tool and its server; without a name, the server as a whole. */
export type ToolSubject = { readonly server?: string | undefined; readonly name?: string | undefined };

/** A server as people write it, without the scheme and slashes at the end. */
function plainServer(text: string): string {
  return text
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '');
}

/**
 * Whether an entry of `mcp_servers` matches the server: itself and everything below it, `name*`, or `*.example.com`.
 */
export function namesServer(entry: string, server: string): boolean {
  const wanted = plainServer(entry);
  if (wanted === '*') return true;
  if (wanted.startsWith('*.')) {
    const host = server.split('/', 1)[0] as string;
    return host.endsWith(wanted.slice(1));
  }
  if (wanted.endsWith('*')) return server.startsWith(wanted.slice(0, -1));
  const exact = wanted.replace(endpoint, '');
  return server === exact || server.startsWith(`${exact}/`);
}

/**
 * Whether an entry of `tools` matches the tool: `name` or `server/name`, each with an optional trailing `*`. An entry
 * without a server matches that name on any server. Without a tool name, whether it matches all tools of the server.
 */
export function namesTool(entry: string, { server, name }: ToolSubject): boolean {
  const at = entry.lastIndexOf('/');
  const wantedServer = at < 0 ? undefined : entry.slice(0, at);
  const wanted = entry.slice(at + 1);
  if (wantedServer !== undefined && (server === undefined || !namesServer(wantedServer, server))) return false;
  if (wanted === '*') return true;
  if (name === undefined) return false;
  const full = server === undefined || wantedServer !== undefined ? undefined : `mcp__${server}__${name}`;
  if (wanted.endsWith('*')) {
    const head = wanted.slice(0, -1);
    return name.startsWith(head) || full?.startsWith(head) === true;
  }
  return name === wanted || full === wanted;
}

/** The exact tool names that an entry allows on a server; none for a pattern. */
export function exactToolOf(entry: string, server: string): string | undefined {
  const at = entry.lastIndexOf('/');
  const name = entry.slice(at + 1);
  if (name.endsWith('*')) return undefined;
  return at < 0 || namesServer(entry.slice(0, at), server) ? name : undefined;
}

/** Parses a tool and server as entered by a person: `server/tool` and `mcp__server__tool` contain both. */
export function toolSubjectOf(tool: string | undefined, server: string | undefined): ToolSubject | undefined {
  if (tool === undefined && server === undefined) return undefined;
  const own = server && plainServer(server).replace(endpoint, '');
  if (own !== undefined || tool === undefined) return { server: own, name: tool };
  const local = /^mcp__(.+?)__(.+)$/.exec(tool);
  if (local !== null) return { server: (local[1] as string).toLowerCase(), name: local[2] };
  const at = tool.lastIndexOf('/');
  return at < 0 ? { name: tool } : { server: tool.slice(0, at).toLowerCase(), name: tool.slice(at + 1) };
}
