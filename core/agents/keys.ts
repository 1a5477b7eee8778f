/** Names and positions that lead to a value in a JSON document. */
export type Keys = readonly (string | number)[];

/** Protocol names. Other names may be user content and are not shown. */
const protocolNames = new Set(
  (
    'messages contents input prompt message content parts text output functionResponse function_response toolResult response ' +
    'request body source data tools functions toolConfig functionDeclarations function_declarations mcp_servers mcpServers ' +
    'title result structuredContent params arguments description inputSchema input_schema parameters properties resource ' +
    'blob contents instructions annotations enum default examples items outputSchema name item session setup ' +
    'clientContent client_content turns toolResponse tool_response functionResponses function_responses realtimeInput ' +
    'realtime_input artifacts history status'
  ).split(' '),
);

/** `messages[3].content[0]`, for display and events; shows only protocol names. */
export function pointerOf(keys: Keys): string {
  let pointer = '';
  for (const key of keys) {
    if (typeof key === 'number') pointer += `[${key}]`;
    else pointer += (pointer === '' ? '' : '.') + (protocolNames.has(key) ? key : '…');
  }
  return pointer;
}
