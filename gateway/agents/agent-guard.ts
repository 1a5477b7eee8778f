/**
 * Looks at inspected requests for injections, tools and MCP servers. One call reads a body before it is masked, one says
 * what goes out in its place; the guard of the answer comes with it.
 */

import { isUtf8 } from 'node:buffer';
import { ArgumentCheck } from '../../core/agents/argument-findings.ts';
import {
  agentTexts,
  clientOf,
  isAgentRequest,
  isMcpRequest,
  type RpcMessage,
  readRpc,
} from '../../core/agents/json-rpc.ts';
import { type ModelRequest, readModelRequest } from '../../core/agents/model-request.ts';
import { withChanges } from '../../core/agents/strip.ts';
import { serverOfUrl, toolText } from '../../core/agents/tool-names.ts';
import { builtinTypes } from '../../core/detect/detector.ts';
import { PrivetError } from '../../core/errors.ts';
import type { AllowsHost } from '../../core/guard/url-guard.ts';
import { isBytewise } from '../../core/payload/body-text.ts';
import { weighJson } from '../../core/payload/json-strings.ts';
import { type BodyKind, bodyKind, parseRequestBody } from '../../core/payload/request.ts';
import type { InjectionSettings, ToolSettings } from '../../policy/agent-settings.ts';
import type { Policy } from '../../policy/decide.ts';
import type { DecideInput, PolicyDecision } from '../../policy/decision.ts';
import type { ToolRules } from '../../policy/tool-rules.ts';
import { boundedCache } from '../bounded-cache.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { decodeBody } from '../proxy/body/content-coding.ts';
import type { MaskingResult } from '../proxy/body/masking.ts';
import { headerValue } from '../proxy/request/headers.ts';
import type { RequestRecord } from '../proxy/request/record.ts';
import type { Stores } from '../stores/stores.ts';
import { agentName, agentOf } from './agent-name.ts';
import { AnswerGuard } from './answer-guard.ts';
import { DefinitionScanner } from './definitions.ts';
import { type AgentFacts, addFinding, sentenceOf, type ToolFinding, withNames } from './facts.ts';
import { inflate } from './inflate.ts';
import { type CheckedText, InjectionCheck, type InjectionFound, worse } from './injection-check.ts';
import { Inventory } from './inventory.ts';
import { type ReviewParts, reviewServers, reviewTools, verdictOf } from './tool-review.ts';

/** What is told of a request. */
export type GuardInput = {
  readonly policy: Policy;
  readonly decision: PolicyDecision;
  readonly asked: DecideInput;
  readonly rawHeaders: readonly string[];
  readonly record: RequestRecord;
  /** The kind of the body, where it is known. */
  readonly kind?: BodyKind;
  readonly bytesMax: number;
  readonly allowsHost?: AllowsHost | undefined;
};

/** What goes out in place of the masked body. */
export type Guarded = {
  readonly body: Buffer;
  readonly changed: boolean;
  /** For the field `x-privet-warning`. */
  readonly warning: string | undefined;
  readonly answer: AnswerGuard | undefined;
};

/** A body beyond this is not parsed again where nothing can come of it but a note. */
const notedBytesMax = 4 * 1024 * 1024;
/** Lists and objects of a body that is parsed here; parsing that many takes some tens of milliseconds. */
const partsMax = 200_000;
/** Leaves of a file that are put together for a check. */
const documentUnitsMax = 4 * 1024 * 1024;

/** Where answers are fetched that were made before: in the background, stored, or in batches. */
const keptAnswers = /\/(?:responses|completions|threads|conversations|interactions|batches|files)(?:[/?:]|$)/;
const emptyRequest: ModelRequest = { tools: [], servers: [], called: [], texts: [], isGemini: false, isCut: false };

/** What stays for the life of the process. */
export class AgentGuard {
  readonly inventory: Inventory;
  readonly injection: InjectionCheck;
  readonly scanner = new DefinitionScanner();
  /** What an MCP client has called itself in `initialize`, for the requests that follow (before 2026-07-28). */
  readonly #clients = boundedCache<string, string>(10_000);
  #arguments: { readonly allowsHost: AllowsHost | undefined; readonly check: ArgumentCheck } | undefined;

  constructor(options: { readonly stores: Stores; readonly log: Log; readonly metrics: Metrics }) {
    this.inventory = new Inventory(options);
    this.injection = new InjectionCheck((kind, risk) => options.metrics.injectionDetected.with(kind, risk).value++);
  }

  /** Whether a request has to be read whole before it goes on, because something in it may be refused or changed. */
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

  /** Whether a request is to be read whole all the same: what an MCP server or an agent answers to it is looked at. */
  reads({ rawHeaders }: Pick<GuardInput, 'rawHeaders'>): boolean {
    if (hasSession(rawHeaders) || headerValue(rawHeaders, 'mcp-protocol-version') !== undefined) return true;
    if (hasAgentField(rawHeaders)) return true;
    const accept = headerValue(rawHeaders, 'accept') ?? '';
    return accept.includes('text/event-stream') && accept.includes('application/json');
  }

  /** Reads a body before it is masked; undefined for one of no interest. At once, where it is not compressed. */
  open(input: GuardInput, body: Buffer): OpenedRequest | undefined | Promise<OpenedRequest | undefined> {
    const coding = headerValue(input.rawHeaders, 'content-encoding');
    if (coding === undefined) return this.#open(input, body);
    return decodeBody(body, coding, input.bytesMax).then(
      (plain) => this.#open(input, plain)?.withPlain(plain.toString()),
      // Masking says what is wrong with it.
      () => undefined,
    );
  }

  #open(input: GuardInput, body: Buffer): OpenedRequest | undefined {
    if (body.length === 0 || (body.length > notedBytesMax && !this.enforces(input))) return undefined;
    const contentType = headerValue(input.rawHeaders, 'content-type');
    const kind = input.kind ?? bodyKind(contentType);
    if (kind === 'framed') return undefined;
    const facts = noFacts(input);
    // Behind blanks and a byte order mark, which most servers skip.
    const first = body.find((byte) => byte > 0x20 && !byteOrderMark.includes(byte));
    const isJson = first === 0x7b || first === 0x5b;
    const opened = isJson ? this.openJson(input, body.toString(), facts) : undefined;
    if (opened !== undefined) return opened;
    const lines = isUtf8(body) ? 'utf8' : 'latin1';
    const model = kind === 'form' ? undefined : readModelRequest(jsonLines(body.toString(lines)));
    if (isJson || kind === 'json') return model && new OpenedRequest(this, input, facts, { model, lines });
    const texts = fileTexts(body, kind, contentType);
    // Documents in an upload are opened by masking.
    const mayHoldFiles = kind === 'multipart' || kind === 'content';
    if (texts.length === 0 && model === undefined && !mayHoldFiles) return undefined;
    return new OpenedRequest(this, input, facts, { texts, ...(model && { model, lines }) });
  }

  /** Reads a JSON body, or a message of a WebSocket; undefined for one of no interest. */
  openJson(input: GuardInput, json: string, facts: AgentFacts): OpenedRequest | undefined {
    if (weighJson(json, partsMax) !== 'light')
      return new OpenedRequest(this, input, facts, { model: { ...emptyRequest, isCut: true } });
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
    return model === undefined ? undefined : new OpenedRequest(this, input, facts, { model });
  }

  /** The guard of what a model says on a WebSocket; `labels` grows with the servers that its client names. */
  modelAnswer(input: GuardInput, facts: AgentFacts, labels: ReadonlyMap<string, string>): AnswerGuard {
    const opened = new OpenedRequest(this, input, facts, {});
    return new AnswerGuard({ ...opened.answerParts(), labels });
  }

  /** The name of an MCP client: as it says, or as it said at its beginning. */
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

/** What a body turned out to be. */
type Content = {
  readonly messages?: readonly RpcMessage[];
  /** Whether there will be any is not known. */
  readonly isGuess?: boolean;
  /** They are messages of A2A. */
  readonly isAgent?: boolean;
  readonly model?: ModelRequest;
  /** Each line is a request (batches), in a body of this encoding. */
  readonly lines?: 'utf8' | 'latin1';
  readonly texts?: readonly CheckedText[];
};

/** A request whose body was read. */
export class OpenedRequest {
  readonly #guard: AgentGuard;
  readonly #input: GuardInput;
  readonly #facts: AgentFacts;
  readonly #content: Content;
  readonly #settings: ToolSettings;
  readonly #injection: InjectionSettings;
  readonly #rules: ToolRules;
  readonly #server: string | undefined;

  constructor(guard: AgentGuard, input: GuardInput, facts: AgentFacts, content: Content) {
    this.#guard = guard;
    this.#input = input;
    this.#facts = facts;
    this.#content = content;
    const { policy, decision, asked, record } = input;
    const { messages, model, isGuess = false } = content;
    this.#settings = policy.toolSettings;
    this.#injection = policy.injectionSettings(decision);
    record.agents = facts;
    if (messages !== undefined) {
      record.rpcIds = messages.filter(({ method }) => method !== undefined).map(({ id }) => id);
      this.#server = serverOfUrl(`https://${asked.host}${asked.path ?? '/'}`);
      if (!isGuess) facts.servers = withNames(facts.servers, [this.#server]);
      facts.agent = guard.clientName(messages, input) || facts.agent;
    } else if (model !== undefined) {
      const local = model.tools.flatMap(({ server }) => server ?? []);
      facts.servers = withNames(facts.servers, [...model.servers.map(({ id }) => id), ...local]);
      facts.tools = withNames(facts.tools, model.called.map(toolText));
    }
    this.#rules = policy.toolRules({ ...asked, agent: facts.agent }, decision.service);
  }

  /** Whether texts of documents that masking opens are to be checked. */
  get wantsDocuments(): boolean {
    return this.#injection.documents !== 'off';
  }

  /**
   * What goes out in place of the masked body.
   * @throws PrivetError `blocked_by_policy`.
   */
  finish(masked: MaskingResult): Guarded | Promise<Guarded> {
    const injection = this.#checkTexts(masked);
    const finish = (): Guarded => {
      const warning = this.#injectionAnswer();
      const { model, messages } = this.#content;
      const body = model && this.#reviewModel(model, masked);
      if (messages !== undefined) this.#reviewMessages(messages);
      return {
        body: body ?? masked.body,
        changed: masked.changed || body !== undefined,
        warning,
        answer: this.answerGuard(),
      };
    };
    return injection instanceof Promise ? injection.then(finish) : finish();
  }

  /** What a guard of the answer works with. */
  answerParts() {
    return {
      review: this.#parts(),
      injection: this.#guard.injection,
      injectionSettings: this.#injection,
      arguments: this.#guard.argumentsFor(this.#input.allowsHost),
      record: this.#input.record,
    };
  }

  /** Labels of the MCP servers in the request, by what they are known as. */
  get labels(): ReadonlyMap<string, string> {
    return new Map(this.#content.model?.servers.map(({ label, id }) => [label.toLowerCase(), id]));
  }

  /** It consists of messages of MCP. */
  get isRpc(): boolean {
    return this.#content.messages !== undefined;
  }

  /** The guard of the answer; undefined where nothing could come of it. */
  answerGuard(): AnswerGuard | undefined {
    const { messages, model } = this.#content;
    if (messages !== undefined) return new AnswerGuard({ ...this.answerParts(), server: this.#server, messages });
    if (model === undefined) return undefined;
    const { isGemini } = model;
    const guard = new AnswerGuard({ ...this.answerParts(), labels: this.labels, isGemini });
    // Tools may be kept by the provider, with a prompt, an agent or an earlier answer.
    const isWatched = model.tools.length + model.servers.length > 0 && this.#settings.arguments !== 'off';
    return isWatched || guard.isEnforcing ? guard : undefined;
  }

  #parts(): ReviewParts {
    const { record, decision } = this.#input;
    return {
      inventory: this.#guard.inventory,
      scanner: this.#guard.scanner,
      rules: this.#rules,
      settings: this.#settings,
      facts: this.#facts,
      use: {
        user: record.client.subject,
        service: decision.service?.key ?? this.#input.asked.host,
        agent: this.#facts.agent,
      },
    };
  }

  #checkTexts(masked: MaskingResult): void | Promise<void> {
    const { model, messages = [], isAgent = false, texts = [] } = this.#content;
    const said = isAgent ? messages.flatMap(agentTexts).map((one) => ({ ...one, isNew: true })) : texts;
    const own: readonly CheckedText[] =
      model === undefined ? said : said.length === 0 ? model.texts : [...model.texts, ...said];
    const documents = (masked.documents ?? []).map(
      ({ pointer, text }): CheckedText => ({ kind: 'documents', text, place: placeOfFile(pointer), isNew: true }),
    );
    const found = this.#guard.injection.find(documents.length === 0 ? own : [...own, ...documents], this.#injection);
    const note = (one: InjectionFound | undefined): void => {
      this.#found = one;
      this.#facts.injection = worse(this.#facts.injection, one);
    };
    if (found instanceof Promise) return found.then(note);
    note(found);
  }

  /** The warning for the answer. @throws PrivetError where the request is refused. */
  #injectionAnswer(): string | undefined {
    const found = this.#found;
    if (found === undefined || found.answer === 'report') return undefined;
    const { kind, risk, categories, place } = found;
    if (found.answer === 'warn')
      return `injection; kind="${kind}"; risk="${risk}"; categories="${categories.join(' ')}"`;
    const what = { prompts: 'a prompt', tool_results: 'the result of a tool', documents: 'a document' }[kind];
    throw new PrivetError(
      'blocked_by_policy',
      `Step injection: ${what} gives orders to the model (${risk}), at ${place}.`,
      {
        hint: 'Take that text out and send the request again.',
        details: { injection: { kind, risk, categories, place } },
      },
    );
  }

  /** The body with definitions taken out; undefined when it stays. @throws PrivetError where the request is refused. */
  #reviewModel(model: ModelRequest, masked: MaskingResult): Buffer | undefined {
    if (model.isCut && this.#guard.enforces(this.#input))
      throw new PrivetError('body_too_large', 'Step tools: the body holds more parts than can be checked for tools.', {
        hint: 'Send it in smaller bodies.',
      });
    const parts = this.#parts();
    if (model.tools.length + model.servers.length > 0 || model.called.length > 0)
      parts.inventory.seeAgent(this.#facts.servers, parts.use);
    const ofServers = reviewServers(parts, model.servers);
    const ofTools = reviewTools(parts, model.tools, { kind: 'local' });
    refuse(ofServers.refused ?? ofTools.refused);
    const changes = [...ofServers.changes, ...ofTools.changes];
    if (changes.length === 0) return undefined;
    // What masking has changed is no longer compressed.
    const { lines } = this.#content;
    const plain = masked.changed ? undefined : this.#plain;
    const text = (plain ?? masked.body.toString(lines)).replace(/^\ufeff/, '');
    if (lines === undefined) return Buffer.from(withChanges(text, changes));
    const changed = text.split('\n').map((line, i) => {
      const own = changes.filter(({ keys }) => keys[0] === i).map((one) => ({ ...one, keys: one.keys.slice(1) }));
      return own.length === 0 ? line : withChanges(line, own);
    });
    return Buffer.from(changed.join('\n'), lines);
  }

  /** What was found in the texts of this request. */
  #found: InjectionFound | undefined;

  /** The text of a body that came compressed. */
  #plain: string | undefined;

  /** Takes the text of a compressed body, which stands in place of its bytes where it has to be changed. */
  withPlain(text: string): this {
    this.#plain = text;
    return this;
  }

  /** @throws PrivetError where a call, or the agent that is spoken to, is refused. */
  #reviewMessages(messages: readonly RpcMessage[]): void {
    const parts = this.#parts();
    const { inventory, facts, use } = parts;
    const server = this.#server as string;
    inventory.seeAgent([server], use);
    if (this.#content.isAgent) {
      inventory.seeServer({ id: server, kind: 'agent' }, [], use, false);
      this.#refuseUnlessAllowed(parts, { server }, 'method');
      return;
    }
    const called: string[] = [];
    for (const message of messages) {
      const { method, params } = message;
      if (method === 'initialize' || method === 'server/discover')
        inventory.seeServer({ id: server, kind: 'remote' }, [], use, false);
      if (method !== 'tools/call' || typeof params.name !== 'string') continue;
      const tool = { server, name: params.name };
      called.push(toolText(tool));
      this.#refuseUnlessAllowed(parts, tool, 'params.name');
      this.#checkArguments(tool, params.arguments);
    }
    facts.tools = withNames(facts.tools, called);
  }

  /** @throws PrivetError for a tool, or an agent, that rules or people do not allow. */
  #refuseUnlessAllowed(parts: ReviewParts, named: { server: string; name?: string }, place: string): void {
    const { inventory, facts, use } = parts;
    const { answer, rule, isUnknown } = verdictOf(parts, named);
    const kind = isUnknown ? 'unknown_server' : 'not_allowed';
    const tool = named.name === undefined ? named.server : `${named.server}/${named.name}`;
    const finding: ToolFinding = { kind, tool, place, answer, rule };
    if (answer !== 'allow') addFinding(facts, finding);
    if (answer === 'strip' || answer === 'block') refuse(finding);
    if (inventory.stateOf(named, use.agent) === 'denied') {
      const denied: ToolFinding = { ...finding, kind: 'denied', answer: 'block' };
      addFinding(facts, denied);
      refuse(denied);
    }
  }

  #checkArguments(tool: { server: string; name: string }, value: unknown): void {
    const { arguments: answer } = this.#settings;
    if (answer === 'off' || value === undefined) return;
    const check = this.#guard.argumentsFor(this.#input.allowsHost);
    for (const { kind, type } of check.find(tool.name, JSON.stringify(value))) {
      const finding: ToolFinding = {
        kind: kind === 'secret' ? 'secret_in_call' : 'token_in_call',
        tool: toolText(tool),
        place: 'params.arguments',
        answer,
        signs: [type],
      };
      addFinding(this.#facts, finding);
      if (answer === 'block') refuse(finding);
    }
  }
}

/** The facts of a request of which nothing has been read. */
export function noFacts({ rawHeaders }: Pick<GuardInput, 'rawHeaders'>): AgentFacts {
  return { agent: agentOf(rawHeaders), servers: [], tools: [], findings: [], injection: undefined };
}

/** @throws PrivetError for a finding that a request is refused for. */
function refuse(finding: ToolFinding | undefined): void {
  if (finding === undefined) return;
  const { kind, tool, place, signs, rule } = finding;
  throw new PrivetError('blocked_by_policy', `Step tools: ${sentenceOf(finding)}.`, {
    hint: 'Ask the administrator to approve the tool.',
    details: { tools: { kind, tool, place, ...(signs && { signs }), ...(rule && { rule }) } },
  });
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

/** The bytes of a byte order mark in UTF-8. */
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** The JSON objects that are lines of a text, by their line. */
function jsonLines(text: string): unknown[] {
  const lines = text.split('\n');
  return lines.length === 1 ? [] : lines.map((line) => (line.startsWith('{') ? parse(line) : undefined));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** The texts of a form, of an upload or of a file that is text. */
function fileTexts(
  body: Buffer,
  kind: Exclude<ReturnType<typeof bodyKind>, 'framed'>,
  contentType: string | undefined,
): CheckedText[] {
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

/** Where a file stands; a name that a person has given it is not shown. */
function placeOfFile(pointer: string): string {
  return /^[\w.[\]]{1,120}$/.test(pointer) ? pointer : 'file';
}
