/** The program that asks, as its `User-Agent` names it. */
import { headerValue } from '../proxy/request/headers.ts';

const nameMax = 64;
const product = /^([A-Za-z][\w.@-]*)(?:\/([A-Za-z][A-Za-z_-]*)(?=[\s/;]|$))?/;

/**
 * The first product in lower case, without its version: `claude-cli`, `openai/js`; `browser` for what calls itself one. Empty
 * for a program that does not say.
 */
export function agentOf(rawHeaders: readonly string[]): string {
  const field = headerValue(rawHeaders, 'user-agent');
  return field === undefined ? '' : agentName(field);
}

/** The same for a name, as that of an MCP client. */
export function agentName(text: string): string {
  if (text.startsWith('Mozilla/')) return 'browser';
  const match = product.exec(text);
  if (match === null) return '';
  const name = match[2] === undefined ? match[1] : `${match[1]}/${match[2]}`;
  return (name as string).slice(0, nameMax).toLowerCase();
}
