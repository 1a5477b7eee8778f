/**
 * Checks inspected requests for injections, tools and MCP servers: before masking it reads the body, after masking it
 * returns the body to send and the guard of the answer.
 */

import { isUtf8 } from 'node:buffer';
import { ArgumentCheck } from '../../core/agents/argument-findings.ts';
import { clientOf, isAgentRequest, isMcpRequest, type RpcMessage, readRpc } from '../../core/agents/json-rpc.ts';
import { type ModelRequest, readModelRequest } from '../../core/agents/model-request.ts';
import { builtinTypes } from '../../core/detect/detector.ts';
import type { AllowsHost } from '../../core/guard/url-guard.ts';
import { isBytewise } from '../../core/payload/body-text.ts';
import { shortJsonWeightMax, weighJson, weighJsonTexts } from '../../core/payload/json-weight.ts';
import { type BodyKind, bodyKind, parseRequestBody } from '../../core/payload/request.ts';
import { boundedCache } from '../bounded-cache.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { decodeBody } from '../proxy/body/content-coding.ts';
import { headerValue } from '../proxy/request/headers.ts';
import type { Stores } from '../stores/stores.ts';
import { LargeTurns } from '../threads/large-turns.ts';
import { agentName, agentOf } from './agent-name.ts';
import { AnswerGuard } from './answer-guard.ts';
import { DefinitionScanner } from './definitions.ts';
import type { AgentFacts } from './facts.ts';
import { inflate } from './inflate.ts';
import { type CheckedText, InjectionCheck } from './injection-check.ts';
import { Inventory } from './inventory.ts';
import { type Content, type GuardInput, noFacts, OpenedRequest } from './opened-request.ts';

/** A larger body is not read if a finding would only be noted, and otherwise in a turn of its own: 25 MB take some 70 ms. */
const notedBytesMax = 4 * 1024 * 1024;
/** Maximum total length of the texts of a file that are checked. */
const documentUnitsMax = 4 * 1024 * 1024;

/** Where answers are fetched that were made before: in the background, stored, or in batches. */
const keptAnswers = /\/(?:responses|completions|threads|conversations|interactions|batches|files)(?:[/?:]|$)/;
const emptyRequest: ModelRequest = { tools: [], servers: [], called: [], texts: [], isGemini: false, isCut: false };

/** The state that all requests of the process share. */
export class AgentGuard {
  readonly inventory: Inventory;
  readonly injection: InjectionCheck;
  readonly scanner = new DefinitionScanner();
  readonly #turns = new LargeTurns();
  /** The names that MCP clients gave in `initialize`, for later requests (protocols before 2026-07-28). */
  readonly #clients = boundedCache<string, string>(10_000);
  #arguments: { readonly allowsHost: AllowsHost | undefined; readonly check: ArgumentCheck } | undefined;

  constructor(options: { readonly stores: Stores; readonly log: Log; readonly metrics: Metrics }) {
    this.inventory = new Inventory(options);
    this.injection = new InjectionCheck((kind, risk) => options.metrics.injectionDetected.with(kind, risk).value++);
  }

  /** Whether a request must be read whole before it is forwarded, because it may be refused or changed. */
  enforces({ policy, decision, asked }: Pick<GuardInput, 'policy' | 'decision' | 'asked'>): boolean {
    const { prompts, tool_results: results, documents } = policy.injectionSettings(decision);
    const isOn = (answer: string) => answer === 'warn' || answer === 'block';
    if (isOn(prompts) || isOn(results) || isOn(documents) || this.inventory.hasDenied) return true;
    const {
      pins,
      poisoning,
      unknown_servers: unknown,
      arguments: ofCalls,
      elicitation,
      approval,
    } = policy.toolSettings;
    const answers: readonly string[] = [pins, poisoning, unknown, ofCalls, elicitation];
    if (answers.some((answer) => answer === 'strip' || answer === 'block') || approval === 'always') return true;
    return policy.toolRules(asked, decision.service).isEnforcing;
  }

  /** Whether a request is read whole anyway, because the response of an MCP server or an agent is checked. */
  reads({ rawHeaders }: Pick<GuardInput, 'rawHeaders'>): boolean {
    if (hasSession(rawHeaders) || headerValue(rawHeaders, 'mcp-protocol-version') !== undefined) return true;
    if (hasAgentField(rawHeaders)) return true;
    const accept = headerValue(rawHeaders, 'accept') ?? '';
    return accept.includes('text/event-stream') && accept.includes('application/json');
  }

  /** Reads a body before it is masked; undefined if there is nothing to check. Synchronous for most uncompressed bodies. */
  open(input: GuardInput, body: Buffer): OpenedRequest | undefined | Promise<OpenedRequest | undefined> {
    const coding = headerValue(input.rawHeaders, 'content-encoding');
    if (coding === undefined) return this.#openInTurn(input, body);
    return decodeBody(body, coding, input.bytesMax).then(
      async (plain) => (await this.#openInTurn(input, plain))?.withPlain(plain.toString()),
      // Masking reports the error.
      () => undefined,
    );
  }

  #openInTurn(input: GuardInput, body: Buffer): OpenedRequest | undefined | Promise<OpenedRequest | undefined> {
    if (body.length <= notedBytesMax) return this.#open(input, body);
    if (!this.enforces(input)) return undefined;
    const client = { client: input.record.client.subject, gone: input.gone };
    return this.#turns.turn(() => this.#open(input, body), client);
  }

  #open(input: GuardInput, body: Buffer): OpenedRequest | undefined {
    if (body.length === 0) return undefined;
    const contentType = headerValue(input.rawHeaders, 'content-type');
    const kind = input.kind ?? bodyKind(contentType);
    if (kind === 'framed') return undefined;
    const facts = noFacts(input);
    // Behind blanks and a byte order mark, which most servers skip.
    const first = body.find((byte) => byte > 0x20 && !byteOrderMark.includes(byte));
    const isJson = first === 0x7b || first === 0x5b;
    const json = isJson ? utf8Text(body) : undefined;
    const opened = isJson ? this.openJson(input, json ?? body.toString(), facts) : undefined;
    if (opened !== undefined) return opened.withJson(kind === 'json' && !opened.isCut ? json : undefined);
    const lines = isUtf8(body) ? 'utf8' : 'latin1';
    const model = kind === 'form' ? undefined : readLines(body.toString(lines));
    if (isJson || kind === 'json') return model && this.#opened(input, facts, { model, lines });
    const inFields = model === undefined ? readFields(kind, body.toString(lines)) : undefined;
    const texts = fileTexts(body, kind, contentType);
    // Documents in an upload are opened by masking.
    const mayHoldFiles = kind === 'multipart' || kind === 'content';
    if (inFields !== undefined) return this.#opened(input, facts, { texts, model: inFields, isInFields: true });
    if (texts.length === 0 && model === undefined && !mayHoldFiles) return undefined;
    return this.#opened(input, facts, { texts, ...(model && { model, lines }) });
  }

  /** Reads a JSON body, or a message of a WebSocket; undefined for one of no interest. */
  openJson(input: GuardInput, json: string, facts: AgentFacts): OpenedRequest | undefined {
    if (weighJson(json, shortJsonWeightMax) !== 'light')
      return this.#opened(input, facts, { model: { ...emptyRequest, isCut: true } });
    const value = parse(json);
    if (value === undefined) return undefined;
    const isDeclared =
      headerValue(input.rawHeaders, 'mcp-protocol-version') !== undefined || hasSession(input.rawHeaders);
    const messages = readRpc(value, isDeclared);
    if (messages !== undefined && isAgentRequest(messages, hasAgentField(input.rawHeaders)))
      return new OpenedRequest(this, input, facts, { messages, isAgent: true });
    if (messages !== undefined && isMcpRequest(messages, isDeclared))
      return new OpenedRequest(this, input, facts, { messages });
    const model = readModelRequest(value);
    return model === undefined ? undefined : this.#opened(input, facts, { model });
  }

  #opened(input: GuardInput, facts: AgentFacts, content: Content): OpenedRequest {
    const isEnforced = content.model?.isCut === true && this.enforces(input);
    return new OpenedRequest(this, input, facts, isEnforced ? { ...content, isEnforced } : content);
  }

  /** The guard of a model's messages on a WebSocket; `labels` grows with the servers that the client names. */
  modelAnswer(input: GuardInput, facts: AgentFacts, labels: ReadonlyMap<string, string>): AnswerGuard {
    const opened = new OpenedRequest(this, input, facts, {});
    return new AnswerGuard({ ...opened.answerParts(), labels });
  }

  /** The name of an MCP client, from this request or from its `initialize`. */
  clientName(messages: readonly RpcMessage[], { record, asked, rawHeaders }: GuardInput): string | undefined {
    const key = `${record.client.subject} ${asked.host} ${agentOf(rawHeaders)}`;
    const said = messages.map(clientOf).find((name) => name !== undefined);
    const name = said === undefined ? this.#clients.get(key) : agentName(said);
    if (said !== undefined && name !== undefined) this.#clients.set(key, name);
    return name;
  }

  /** The check of arguments with the hosts of this configuration. */
  argumentsFor(allowsHost: AllowsHost | undefined): ArgumentCheck {
    if (this.#arguments === undefined || this.#arguments.allowsHost !== allowsHost) {
      const options = { types: builtinTypes, inflate, ...(allowsHost === undefined ? {} : { allowsHost }) };
      this.#arguments = { allowsHost, check: new ArgumentCheck(options) };
    }
    return this.#arguments.check;
  }

  /**
   * Guards the answer to a request without a body: the stream that a client of MCP opens, where a server may list tools and
   * ask for input, and an answer of a model that its provider has kept.
   */
  openAnswer(input: GuardInput): AnswerGuard | undefined {
    const { rawHeaders, asked } = input;
    const path = asked.path ?? '';
    const isStream = (headerValue(rawHeaders, 'accept') ?? '').includes('text/event-stream');
    const isMcp = hasSession(rawHeaders) || headerValue(rawHeaders, 'mcp-protocol-version') !== undefined;
    const isKept = keptAnswers.test(path) && !isMcp;
    if (!isStream && !isKept) return undefined;
    const facts = noFacts(input);
    // A client of 2024-11-05 does not say that it is one.
    const isGuess = !isMcp && !/\/(?:sse|mcp)(?:$|[/?])/.test(path);
    const content = isKept ? { model: emptyRequest } : { messages: [], isGuess };
    return new OpenedRequest(this, input, facts, content).answerGuard();
  }
}

function hasSession(rawHeaders: readonly string[]): boolean {
  return headerValue(rawHeaders, 'mcp-session-id') !== undefined;
}

/** Fields of A2A: since 0.3 a request says its version. */
function hasAgentField(rawHeaders: readonly string[]): boolean {
  return ['a2a-version', 'x-a2a-protocol-version', 'a2a-extensions'].some(
    (name) => headerValue(rawHeaders, name) !== undefined,
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined for bytes that are not UTF-8. */
function utf8Text(body: Buffer): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

/** The bytes of a byte order mark in UTF-8. */
const byteOrderMark = [0xef, 0xbb, 0xbf];

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

/** What every request with tools or servers contains, or may contain in escapes. */
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
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
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
