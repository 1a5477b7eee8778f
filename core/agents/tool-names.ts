/**
 * The names of tools and MCP servers in rules. A server with an address is identified by it, because the client chooses
 * the label; a local server has only its label.
 */

/** A tool and its server; functions of the client program have no `server`. */
export type ToolRef = { readonly server?: string; readonly name: string };

/** How a request names an MCP server. */
export type ServerName = {
  readonly url?: string | undefined;
  /** A connector or tunnel of the provider. */
  readonly connector?: string | undefined;
  readonly label?: string | undefined;
};

const localName = /^mcp__(.+?)__(.+)$/s;
/** Common last path segments of MCP endpoints, not part of the server's name. */
const endpoint = /(?:\/(?:mcp|sse|messages?))+$/i;

/** The server and name of a tool offered to a model: `mcp__github__search` is `search` of the local server `github`. */
export function toolRefOf(name: string): ToolRef {
  const match = localName.exec(name);
  return match === null ? { name } : { server: (match[1] as string).toLowerCase(), name: match[2] as string };
}

/** The id of a server: `host/path` of its address, else its connector, else its label, in lower case. */
export function serverId({ url, connector, label }: ServerName): string | undefined {
  if (url !== undefined) return serverOfUrl(url);
  return (connector ?? label)?.toLowerCase();
}

/** The MCP server behind a URL. For a provider's proxy, the server in its `mcp_url` parameter. */
export function serverOfUrl(text: string, depth = 0): string {
  const url = URL.parse(text);
  if (url === null) return text.toLowerCase();
  const inner = url.searchParams.get('mcp_url');
  if (inner !== null && depth < 3) return serverOfUrl(inner, depth + 1);
  const path = url.pathname.replace(/\/+$/, '').replace(endpoint, '');
  return `${url.host}${path}`.toLowerCase();
}

/** `server/tool`, or the name without a server. */
export function toolText({ server, name }: ToolRef): string {
  return server === undefined ? name : `${server}/${name}`;
}
