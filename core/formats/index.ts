/** All wire formats. To add one, create a file here and append its name to this list. */
import { agUi } from './ag-ui.ts';
import { anthropic } from './anthropic.ts';
import { bedrock } from './bedrock.ts';
import { chatgptWeb } from './chatgpt-web.ts';
import { cohere } from './cohere.ts';
import { copilot } from './copilot.ts';
import type { WireFormat } from './format.ts';
import { gemini } from './gemini.ts';
import { geminiWeb } from './gemini-web.ts';
import { generic } from './generic.ts';
import { huggingface } from './huggingface.ts';
import { hunyuan } from './hunyuan.ts';
import { interactions } from './interactions.ts';
import { llamaApi } from './llama-api.ts';
import { mcp } from './mcp.ts';
import { mistral } from './mistral.ts';
import { ollama } from './ollama.ts';
import { openaiAssistants } from './openai-assistants.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import { openrouter } from './openrouter.ts';
import { perplexity } from './perplexity.ts';
import { snowflake } from './snowflake.ts';
import { vercel } from './vercel.ts';
import { watsonx } from './watsonx.ts';
import { WireFormats } from './wire-formats.ts';

/** The declarations; the first match counts. */
export const formats: readonly WireFormat[] = [
  generic,
  openaiChat,
  openaiResponses,
  openrouter,
  snowflake,
  anthropic,
  gemini,
  interactions,
  geminiWeb,
  bedrock,
  cohere,
  mistral,
  ollama,
  openaiAssistants,
  huggingface,
  watsonx,
  llamaApi,
  hunyuan,
  vercel,
  agUi,
  mcp,
  chatgptWeb,
  copilot,
  perplexity,
];

/** The merged declarations, for streams and bodies. */
export const wireFormats = new WireFormats(formats);
