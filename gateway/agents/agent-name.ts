/** The client program, from its `User-Agent`. */
import { headerValue } from '../proxy/request/headers.ts';

const nameMax = 64;
const product = /^([A-Za-z][\w.@-]*)(?:\/([A-Za-z][A-Za-z_-]*)(?=[\s/;]|$))?/;

/**
 * The first product in lower case, without its version: `claude-cli`, `openai/js`; `browser` for what calls itself one. Empty
 * without a `User-Agent`.
 */
export function agentOf(rawHeaders: readonly string[]): string {
  const field = headerValue(rawHeaders, 'user-agent');
  return field === undefined ? '' : agentName(field);
}

/** The same for a given name, such as an MCP client's. */
export function agentName(text: string): string {
  if (text.startsWith('Mozilla/')) return 'browser';
  const match = product.exec(text);
  if (match === null) return '';
  const name = match[2] === undefined ? match[1] : `${match[1]}/${match[2]}`;
  return (name as string).slice(0, nameMax).toLowerCase();
}
