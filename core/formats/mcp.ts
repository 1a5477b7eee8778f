import { isObject } from '../parsing.ts';
import type { WireFormat } from './format.ts';

/** The Model Context Protocol: tool results, and servers called by a model service. */
export const mcp: WireFormat = {
  name: 'mcp',
  request: {
    opaque: 'authorization_token',
    namesTool: 'mcp_servers',
    // With the data parts of A2A.
    data: 'structuredContent structured_content parts\\[\\]\\.data',
    credentials: [
      new RegExp(
        String.raw`(?:^|\.)(?:tools|mcp_?[sS]ervers)\[\]\.(?:(?:mcp_?[sS]ervers?|\w*[tT]ransport)(?:\[\])*\.)*` +
          String.raw`(?:authorization|(?:\w+_)?headers\.[^.]+)$`,
      ),
    ],
  },
  // A result is one message, whatever follows on its stream.
  texts: { wholePaths: [/^(?:\[\]\.)?result\.(?:content|contents|messages)\[\]\./] },
  tools: {
    results: [/(?:^|\.)(?:structured_?[cC]ontent(?:\[\])*(?:\.|$)|parts\[\]\.data\.)/],
    // Servers repeat the structured result as a text.
    resultTexts: [/^(?:\[\]\.)?result\.contents?\[\]\.(?:resource\.)?text$/],
  },
  conversation: {
    // A2A over plain HTTP.
    messages: 'message',
    turnsOf: ({ message }) =>
      isObject(message) && Array.isArray(message.parts) ? [{ keys: ['message'], item: message }] : undefined,
    roles: { ROLE_USER: 'user', ROLE_AGENT: 'model' },
    files: 'resource',
    fileData: 'blob',
    unread: 'blob',
    shown: 'outputSchema structuredContent artifacts',
  },
};
