import type { JsonNode } from '../payload/json-strings.ts';
import type { WireFormat } from './format.ts';

/** copilot.microsoft.com, and Microsoft 365 Copilot (SignalR records). */
export const copilot: WireFormat = {
  name: 'copilot',
  texts: {
    pieces: [/\.writeAtCursor$/],
    wholeTypes: [/Completed$|^(?:titleUpdate|suggestedFollowups)$/],
    replaces: { type: 'replaceText', continues: 'appendText' },
  },
  runs: { indexes: 'partId' },
  ends: {
    own: [/Completed$/],
    block: [/^partCompleted$/],
    // A record that completes a call.
    isEnd: ({ key, value, isString, node }, root) =>
      key === 'type' && node === root && !isString && /^[23]$/.test(value) && root.member('invocationId') !== undefined,
  },
  tools: { pieces: 'writeAtCursor$', except: { path: 'arguments[]', isDocument: isCall } },
};

/** True for `{"type":1,"target":"update","arguments":[…]}`, a call of the page with the text that it displays. */
function isCall(root: JsonNode): boolean {
  const type = root.member('type');
  return type !== undefined && !type.isString && root.member('target') !== undefined;
}
