/**
 * Checks inspected requests for injections, tools and MCP servers: before masking it reads the body, after masking it
 * returns the body to send and the guard of the answer.
 */

import { ArgumentCheck } from '../../core/agents/argument-findings.ts';
import { clientOf, type RpcMessage } from '../../core/agents/json-rpc.ts';
import { builtinTypes } from '../../core/detect/detector.ts';
import type { AllowsHost } from '../../core/guard/url-guard.ts';
import { bodyKind } from '../../core/payload/request.ts';
import { boundedCache } from '../bounded-cache.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { decodeBody } from '../proxy/body/content-coding.ts';
import { shortBodyMax } from '../proxy/body/large-bodies.ts';
import { headerValue } from '../proxy/request/headers.ts';
import type { Stores } from '../stores/stores.ts';
import { LargeTurns } from '../threads/large-turns.ts';
import { agentName, agentOf } from './agent-name.ts';
import { AnswerGuard } from './answer-guard.ts';
import { type Content, type ContentSource, emptyRequest, readContent, readJson } from './content.ts';
import { readAside } from './content-aside.ts';
import { DefinitionScanner } from './definitions.ts';
import type { AgentFacts } from './facts.ts';
import { inflate } from './inflate.ts';
import { InjectionCheck } from './injection-check.ts';
import { Inventory } from './inventory.ts';
import { type GuardInput, noFacts, OpenedRequest } from './opened-request.ts';

/** Larger bodies are not read if a finding would only be recorded. */
const notedBytesMax = 4 * 1024 * 1024;

/** Paths of responses fetched later: background, stored, and batch ones. */
const keptAnswers = /\/(?:responses|completions|threads|conversations|interactions|batches|files)(?:[/?:]|$)/;

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
    if (coding === undefined) return this.#openBody(input, body);
    return decodeBody(body, coding, input.bytesMax).then(
      async (plain) => (await this.#openBody(input, plain))?.withPlain(plain),
      // Masking reports the error.
      () => undefined,
    );
  }

  #openBody(input: GuardInput, body: Buffer): OpenedRequest | undefined | Promise<OpenedRequest | undefined> {
    const contentType = headerValue(input.rawHeaders, 'content-type');
    const kind = input.kind ?? bodyKind(contentType);
    if (body.length === 0 || kind === 'framed') return undefined;
    const { isMcp, isAgent } = headOf(input.rawHeaders);
    const source = { body, kind, contentType, isMcp, isAgent };
    const opened = (content: Content | undefined) => content && this.#opened(input, noFacts(input), content);
    if (body.length <= shortBodyMax) return opened(readContent(source));
    const isEnforced = this.enforces(input);
    if (body.length > notedBytesMax && !isEnforced) return undefined;
    return this.#readAside(input, source).then(opened, (error) => {
      // Findings that are only recorded do not stop a request.
      if (isEnforced || input.gone?.aborted || error.code === 'too_many_requests') throw error;
      return undefined;
    });
  }

  async #readAside(input: GuardInput, source: ContentSource): Promise<Content | undefined> {
    const client = { client: input.record.client.subject, gone: input.gone };
    const content = await readAside(source, input.policy.injectionSettings(input.decision), client);
    // Its values are needed here, and copying them takes longer than parsing.
    return content === 'messages' ? this.#turns.turn(() => readContent(source), client) : content;
  }

  /** Reads a JSON body or a WebSocket message; undefined if there is nothing to check. */
  openJson(input: GuardInput, json: string, facts: AgentFacts): OpenedRequest | undefined {
    const content = readJson(json, headOf(input.rawHeaders));
    return content && this.#opened(input, facts, content);
  }

  #opened(input: GuardInput, facts: AgentFacts, content: Content): OpenedRequest {
    const isEnforced = content.model?.isCut === true && this.enforces(input);
    return new OpenedRequest(this, input, facts, content, isEnforced);
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
      const options = { types: builtinTypes, inflate, allowsHost };
      this.#arguments = { allowsHost, check: new ArgumentCheck(options) };
    }
    return this.#arguments.check;
  }

  /**
   * Guards the response to a request without a body: an MCP client's own stream, where a server may list tools and request
   * input, or a stored model response.
   */
  openAnswer(input: GuardInput): AnswerGuard | undefined {
    const { rawHeaders, asked } = input;
    const path = asked.path ?? '';
    const isStream = (headerValue(rawHeaders, 'accept') ?? '').includes('text/event-stream');
    const isMcp = hasSession(rawHeaders) || headerValue(rawHeaders, 'mcp-protocol-version') !== undefined;
    const isKept = keptAnswers.test(path) && !isMcp;
    if (!isStream && !isKept) return undefined;
    const facts = noFacts(input);
    // Clients of 2024-11-05 do not state their version.
    const isGuess = !isMcp && !/\/(?:sse|mcp)(?:$|[/?])/.test(path);
    const content = isKept ? { model: emptyRequest } : { messages: [], isGuess };
    return new OpenedRequest(this, input, facts, content).answerGuard();
  }
}

/** What the request head declares about the body. */
function headOf(rawHeaders: readonly string[]): Pick<ContentSource, 'isMcp' | 'isAgent'> {
  const isMcp = headerValue(rawHeaders, 'mcp-protocol-version') !== undefined || hasSession(rawHeaders);
  return { isMcp, isAgent: hasAgentField(rawHeaders) };
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
