/** Building blocks of planted calls and definitions. */

export const key = 'ghp_a8Kd93jfLq02mXvB7nZpTyRw4cUeHs61DgQo';

export const base64 = (text: string) => Buffer.from(text).toString('base64');

export const tag = (text: string) => [...text].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('');

export type Transport = 'definition' | 'listing' | 'call' | 'stream_call' | 'mcp_call' | 'tool_result' | 'mcp_result';

export type Case = readonly [category: string, transport: Transport, payload: unknown, expected: 'block' | 'allow'];

export const bash = (command: string) => ({ name: 'bash', arguments: { command } });

export const get = (url: string) => ({ name: 'fetch_page', arguments: { url } });

export const http = (more: object) => ({
  name: 'http_request',
  arguments: { url: 'https://collect.example/in', ...more },
});

export const tool = (name: string, description: string, properties: object = {}) => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
});
