import type { WireFormat } from './format.ts';

/** The AG-UI protocol between agents and pages, whose event types are in capitals. */
export const agUi: WireFormat = {
  name: 'ag-ui',
  texts: { wholeTypes: [/^(?:(?:STATE|ACTIVITY)_DELTA|[A-Z]+_SNAPSHOT|TOOL_CALL_RESULT)$/i] },
  runs: { indexes: 'toolCallId', lastWords: 'START CONTENT ARGS CHUNK END' },
  ends: { all: [/^(?:RUN_FINISHED|RUN_ERROR)$/], own: [/[._-]END$/] },
  tools: { deltaTypes: /^TOOL_CALL_(?:ARGS|CHUNK)$/ },
};
