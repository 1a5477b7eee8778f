/** Reads a request body for a model or an MCP server: JSON, lines of JSON, or form fields. */

import { isUtf8 } from 'node:buffer';
import { isAgentRequest, isMcpRequest, type RpcMessage, readRpc, rpcMessagesMax } from '../../core/agents/json-rpc.ts';
import { type ModelRequest, readModelRequest } from '../../core/agents/model-request.ts';
import { parseJson, utf8Text } from '../../core/parsing.ts';
import { isBytewise } from '../../core/payload/body-text.ts';
import { shortJsonWeightMax, weighJson, weighJsonTexts } from '../../core/payload/json-weight.ts';
import { type BodyKind, parseRequestBody } from '../../core/payload/request.ts';
import type { CheckedText, DigestedTexts } from './injection-check.ts';

/** The content of a body. */
export type Content = {
  readonly messages?: readonly RpcMessage[];
  /** Whether there are any is unknown. */
  readonly isGuess?: boolean;
  /** A2A messages. */
  readonly isAgent?: boolean;
  readonly model?: ModelRequest;
  /** Each line is a request (batches), in a body of this encoding. */
  readonly lines?: 'utf8' | 'latin1';
  /** The request is in form fields, which are not rewritten. */
  readonly isInFields?: boolean;
  readonly texts?: readonly CheckedText[];
  /** Findings of a thread, in place of the texts. */
  readonly digested?: DigestedTexts;
  /** The text of the body, if JSON.parse accepted it. */
  readonly json?: string | undefined;
};

/** A body, and what the request head declares about it. */
export type ContentSource = {
  readonly body: Buffer;
  readonly kind: Exclude<BodyKind, 'framed'>;
  readonly contentType: string | undefined;
  /** An MCP or A2A message. */
  readonly isMcp: boolean;
  readonly isAgent: boolean;
};

export const emptyRequest: ModelRequest = {
  tools: [],
  servers: [],
  called: [],
  texts: [],
  isCut: false,
};

/** Maximum total length of the texts of a file that are checked. */
const documentUnitsMax = 4 * 1024 * 1024;

/** The content of a body; undefined if there is nothing to check. */
export function readContent(source: ContentSource): Content | undefined {
  const { body, kind, contentType } = source;
  const first = firstByte(body);
  const isJson = first === 0x7b || first === 0x5b;
  const json = isJson ? utf8Text(body) : undefined;
  const content = isJson ? readJson(json ?? body.toString(), source, kind === 'json' ? json : undefined) : undefined;
  if (content !== undefined) return content;
  const lines = isUtf8(body) ? 'utf8' : 'latin1';
  const model = kind === 'form' ? undefined : readLines(body.toString(lines));
  if (isJson || kind === 'json') return model && { model, lines };
  const inFields = model === undefined ? readFields(kind, body.toString(lines)) : undefined;
  const texts = fileTexts(body, kind, contentType);
  // Documents in an upload are opened by masking.
  const mayHoldFiles = kind === 'multipart' || kind === 'content';
  if (inFields !== undefined) return { texts, model: inFields, isInFields: true };
  if (texts.length === 0 && model === undefined && !mayHoldFiles) return undefined;
  return { texts, ...(model && { model, lines }) };
}

/** The same for JSON; undefined if there is nothing to check. `json`: the body, if masking uses it. */
export function readJson(
  body: string,
  head: Pick<ContentSource, 'isMcp' | 'isAgent'>,
  json?: string,
): Content | undefined {
  if (weighJson(body, shortJsonWeightMax) !== 'light') return { model: { ...emptyRequest, isCut: true } };
  const value = parse(body);
  if (value === undefined) return undefined;
  const messages = readRpc(value, head.isMcp);
  const isAgent = messages !== undefined && isAgentRequest(messages, head.isAgent);
  if (messages !== undefined && (isAgent || isMcpRequest(messages, head.isMcp))) {
    if (messages.length > rpcMessagesMax) return { model: { ...emptyRequest, isCut: true } };
    return isAgent ? { messages, isAgent, json } : { messages, json };
  }
  const model = readModelRequest(value);
  return model && { model, json: model.isCut ? undefined : json };
}

/** The bytes of a byte order mark in UTF-8. */
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** The first byte after blanks and a byte order mark, which most servers skip. */
function firstByte(body: Uint8Array): number | undefined {
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] as number;
    if (byte > 0x20 && !byteOrderMark.includes(byte)) return byte;
  }
  return undefined;
}

/** The requests in the lines of a text that are JSON objects. */
function readLines(text: string): ModelRequest | undefined {
  const lines = text.split('\n');
  return lines.length === 1 ? undefined : readTexts(lines, /^\{/);
}

/** The requests in the fields of a form that are JSON. */
function readFields(kind: BodyKind, text: string): ModelRequest | undefined {
  if (kind === 'form') return readTexts([...new URLSearchParams(text).values()], /^\s*[{[]/);
  if (kind !== 'multipart') return undefined;
  const parts = text.split(/\r?\n--/).map((part) => /\r?\n\r?\n(.*)/s.exec(part)?.[1] ?? '');
  return readTexts(parts, /^\s*[{[]/);
}

/** Present in every request with tools or servers, possibly escaped. */
const toolWords = /tool|function|mcp|server|\\u/i;

/**
 * Reads texts as one list, leaving out those that do not match `start`. If all together are too heavy to parse here, only
 * those that may have tools are read, because data of any size may be uploaded.
 */
function readTexts(texts: readonly string[], start: RegExp): ModelRequest | undefined {
  const isJson = (text: string) => start.test(text);
  for (const isRead of [isJson, (text: string) => isJson(text) && toolWords.test(text)]) {
    const read = texts.filter(isRead);
    if (read.length === 0) return undefined;
    if (weighJsonTexts(read, shortJsonWeightMax) === 'light')
      return readModelRequest(texts.map((text) => (isRead(text) ? parse(text) : undefined)));
  }
  return { ...emptyRequest, isCut: true };
}

function parse(text: string): unknown {
  return parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
}

/** The texts of a form, of an upload or of a file that is text. */
function fileTexts(body: Buffer, kind: Exclude<BodyKind, 'framed'>, contentType: string | undefined): CheckedText[] {
  const text = body.toString(isBytewise(kind) ? 'latin1' : 'utf8');
  const isPrompt = kind === 'form';
  try {
    const { leaves } = parseRequestBody(kind, text, contentType === undefined ? {} : { contentType });
    let units = 0;
    return leaves.flatMap((leaf, i): CheckedText[] => {
      units += leaf.length;
      if (units > documentUnitsMax || leaf.length < 16) return [];
      return [{ kind: isPrompt ? 'prompts' : 'documents', text: leaf, place: `part[${i}]`, isNew: true }];
    });
  } catch {
    return [];
  }
}
