/**
 * JSON bodies of errors for programs, in the shape that the service's own package reads: other bodies are shown as
 * "UnknownError", "Forbidden" or "[object Object]".
 */
import type { PrivetError } from '../../../core/errors.ts';
import { statusName } from './rpc-answers.ts';

/** Google's methods: `/v1beta/models/x:generateContent`. */
const googleMethod = /^\/(?:upload\/)?v\d\w*\/[^?]*:[a-z]+(?:\?|$)/i;
/** Ollama's; its `error` is a string, as that of Hugging Face. */
const ollamaMethod = /^\/api\/(?:chat|generate|embed|embeddings)(?:\?|$)/;
const huggingFace = /(?:^|\.)huggingface\.co$/;

/** The body. `url`: path and query of the request. */
export function errorBody(
  error: PrivetError,
  context: { readonly requestId: string; readonly url?: string | undefined; readonly host?: string },
): Record<string, unknown> {
  const { code, message, hint, status } = error;
  const { requestId, url = '', host = '' } = context;
  const details = error.details as object | undefined;
  const ids = { requestId, request_id: requestId };
  // Google's `code` is a number, and its `details` are messages with a type.
  if (googleMethod.test(url))
    return { error: { ...details, code: status, status: statusName(status), message, reason: code, hint, ...ids } };
  const own = { type: 'privet_error', code, message, hint, ...(details === undefined ? {} : { details }), ...ids };
  if (ollamaMethod.test(url) || huggingFace.test(host)) return { ...own, error: message };
  // OpenAI's packages read `error.message`, Anthropic's expect this `type`, and AWS's read `message`.
  return { type: 'error', message, error: own };
}
