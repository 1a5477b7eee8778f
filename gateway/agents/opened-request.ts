/** A request whose body was read: checks it for injections, tools and MCP servers, and returns the body to send. */

import type { ArgumentCheck } from '../../core/agents/argument-findings.ts';
import { agentTexts, type RpcMessage, rpcError } from '../../core/agents/json-rpc.ts';
import type { ModelRequest } from '../../core/agents/model-request.ts';
import { withChanges } from '../../core/agents/strip.ts';
import { serverOfUrl, toolText } from '../../core/agents/tool-names.ts';
import { PrivetError } from '../../core/errors.ts';
import type { AllowsHost } from '../../core/guard/url-guard.ts';
import type { JsonObject } from '../../core/parsing.ts';
import type { BodyKind } from '../../core/payload/request.ts';
import type { InjectionSettings, ToolSettings } from '../../policy/agent-settings.ts';
import type { Policy } from '../../policy/decide.ts';
import type { DecideInput, PolicyDecision } from '../../policy/decision.ts';
import type { ToolRules } from '../../policy/tool-rules.ts';
import type { MaskingResult } from '../proxy/body/masking.ts';
import type { RequestRecord } from '../proxy/request/record.ts';
import { agentOf } from './agent-name.ts';
import { AnswerGuard, refusesCalls } from './answer-guard.ts';
import type { Content } from './content.ts';
import type { DefinitionScanner } from './definitions.ts';
import { type AgentFacts, addFinding, sentenceOf, type ToolFinding, withNames } from './facts.ts';
import { type CheckedText, type InjectionCheck, type InjectionFound, worse } from './injection-check.ts';
import type { Inventory } from './inventory.ts';
import { type ReviewParts, reviewServers, reviewTools, verdictOf } from './tool-review.ts';

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
  /** Aborted when the client disconnects. */
  readonly gone?: AbortSignal | undefined;
  /** The response to this request answers it, so errors for single messages of a batch can be added to it. */
  readonly answersHere?: boolean;
};

/** The body to send, after the checks. */
export type Guarded = {
  readonly body: Buffer;
  readonly changed: boolean;
  /** For the field `x-privet-warning`. */
  readonly warning: string | undefined;
  readonly answer: AnswerGuard | undefined;
};

/** The guard's state beyond one request. */
type LastingParts = {
  readonly inventory: Inventory;
  readonly injection: InjectionCheck;
  readonly scanner: DefinitionScanner;
  readonly clientName: (messages: readonly RpcMessage[], input: GuardInput) => string | undefined;
  readonly argumentsFor: (allowsHost: AllowsHost | undefined) => ArgumentCheck;
};

/** A request whose body was read. */
export class OpenedRequest {
  readonly #guard: LastingParts;
  readonly #input: GuardInput;
  readonly #facts: AgentFacts;
  readonly #content: Content;
  readonly #isRefusedWhenCut: boolean;
  readonly #settings: ToolSettings;
  readonly #injection: InjectionSettings;
  readonly #rules: ToolRules;
  readonly #server: string | undefined;

  /** `isRefusedWhenCut`: something in it may be refused or changed, so all of it must be read. */
  constructor(guard: LastingParts, input: GuardInput, facts: AgentFacts, content: Content, isRefusedWhenCut = false) {
    this.#guard = guard;
    this.#isRefusedWhenCut = isRefusedWhenCut;
    this.#input = input;
    this.#facts = facts;
    this.#content = content;
    const { policy, decision, asked, record } = input;
    const { messages, model, isGuess = false } = content;
    this.#settings = policy.toolSettings;
    this.#injection = policy.injectionSettings(decision);
    this.#sent = messages;
    record.agents = facts;
    if (messages !== undefined) {
      record.rpcIds = messages.filter(({ method }) => method !== undefined).map(({ id }) => id);
      this.#server = serverOfUrl(`https://${asked.host}${asked.path ?? '/'}`);
      if (!isGuess) facts.servers = withNames(facts.servers, [this.#server]);
      facts.agent = guard.clientName(messages, input) || facts.agent;
    } else if (model !== undefined && model.tools.length + model.servers.length + model.called.length > 0) {
      const local = model.tools.flatMap(({ server }) => server ?? []);
      facts.servers = withNames(facts.servers, [...model.servers.map(({ id }) => id), ...local]);
      facts.tools = withNames(facts.tools, model.called.map(toolText));
    }
    const isAsked = asked.agent === facts.agent;
    this.#rules = policy.toolRules(isAsked ? asked : { ...asked, agent: facts.agent }, decision.service);
  }

  /** Whether texts of documents opened by masking are checked. */
  get wantsDocuments(): boolean {
    return this.#injection.documents !== 'off';
  }

  /**
   * Checks the request and returns the body to send.
   * @throws PrivetError `blocked_by_policy`.
   */
  finish(masked: MaskingResult): Guarded | Promise<Guarded> {
    const injection = this.#checkTexts(masked);
    const finish = (): Guarded => {
      const warning = this.#injectionAnswer();
      const { model, messages } = this.#content;
      const ofModel = model && this.#reviewModel(model, masked);
      const body = ofModel ?? (messages && this.#reviewMessages(messages, masked));
      return {
        body: body ?? masked.body,
        changed: masked.changed || body !== undefined,
        warning,
        answer: this.answerGuard(),
      };
    };
    return injection instanceof Promise ? injection.then(finish) : finish();
  }

  answerParts() {
    return {
      review: this.#parts(),
      injection: this.#guard.injection,
      injectionSettings: this.#injection,
      arguments: this.#guard.argumentsFor(this.#input.allowsHost),
      record: this.#input.record,
    };
  }

  /** Labels of the MCP servers in the request, by server name. */
  get labels(): ReadonlyMap<string, string> {
    return new Map(this.#content.model?.servers.map(({ label, id }) => [label.toLowerCase(), id]));
  }

  /** It consists of MCP messages. */
  get isRpc(): boolean {
    return this.#content.messages !== undefined;
  }

  /** The response guard; undefined if there is nothing to check. */
  answerGuard(): AnswerGuard | undefined {
    const { model } = this.#content;
    const messages = this.#sent;
    if (messages !== undefined)
      return new AnswerGuard({ ...this.answerParts(), server: this.#server, messages, refused: this.#refused });
    if (model === undefined) return undefined;
    // The provider may have stored tools with a prompt, an agent or an earlier response.
    const isWatched = model.tools.length + model.servers.length > 0 && this.#settings.arguments !== 'off';
    if (!isWatched && !refusesCalls(this.#rules, this.#settings, this.#guard.inventory)) return undefined;
    return new AnswerGuard({ ...this.answerParts(), labels: this.labels, refusal: model.refusal });
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
    const { record, gone } = this.#input;
    const { injection } = this.#guard;
    const { digested } = this.#content;
    if (digested) this.#facts.injection = this.#found = injection.findIn(digested, this.#injection);
    const all = documents.length === 0 ? own : [...own, ...documents];
    const found = injection.find(all, this.#injection, { client: record.client.subject, gone });
    const note = (one: InjectionFound | undefined): void => {
      this.#found = worse(this.#found, one);
      this.#facts.injection = worse(this.#facts.injection, one);
    };
    if (found instanceof Promise) return found.then(note);
    note(found);
  }

  /** The warning for the response. @throws PrivetError if the request is refused. */
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

  /** The body without stripped definitions; undefined if unchanged. @throws PrivetError if the request is refused. */
  #reviewModel(model: ModelRequest, masked: MaskingResult): Buffer | undefined {
    if (model.isCut && this.#isRefusedWhenCut)
      throw new PrivetError('body_too_large', 'Step tools: the body has more parts than can be checked for tools.', {
        hint: 'Send it in smaller bodies.',
      });
    if (model.tools.length + model.servers.length + model.called.length === 0) return undefined;
    const parts = this.#parts();
    parts.inventory.seeAgent(this.#facts.servers, parts.use);
    const ofServers = reviewServers(parts, model.servers);
    const ofTools = reviewTools(parts, model.tools, { kind: 'local' });
    refuse(ofServers.refused ?? ofTools.refused);
    const changes = [...ofServers.changes, ...ofTools.changes];
    if (changes.length === 0) return undefined;
    if (this.#content.isInFields)
      throw new PrivetError('blocked_by_policy', 'Step tools: a tool cannot be taken out of the fields of a form.', {
        hint: 'Ask the administrator to approve the tool, or send the request as JSON.',
      });
    const { lines } = this.#content;
    const text = this.#textOf(masked);
    if (lines === undefined) return Buffer.from(withChanges(text, changes));
    const changed = text.split('\n').map((line, i) => {
      const own = changes.filter(({ keys }) => keys[0] === i).map((one) => ({ ...one, keys: one.keys.slice(1) }));
      return own.length === 0 ? line : withChanges(line, own);
    });
    return Buffer.from(changed.join('\n'), lines);
  }

  #textOf(masked: MaskingResult): string {
    // A masked body is no longer compressed.
    const plain = masked.changed ? undefined : this.#plain;
    return (plain?.toString() ?? masked.body.toString(this.#content.lines)).replace(/^\ufeff/, '');
  }

  /** The messages that are sent, and errors for the others of their batch. */
  #sent: readonly RpcMessage[] | undefined;
  #refused: readonly JsonObject[] = [];

  /** Findings in the texts of this request. */
  #found: InjectionFound | undefined;

  /** The decoded bytes of a compressed body. */
  #plain: Buffer | undefined;

  /** The text of an uncompressed JSON body that JSON.parse accepted. */
  get json(): string | undefined {
    return this.#plain === undefined ? this.#content.json : undefined;
  }

  /** Sets the decoded bytes of a compressed body, which replace its own if it has to be changed. */
  withPlain(plain: Buffer): this {
    this.#plain = plain;
    return this;
  }

  /**
   * The body without the refused calls of a batch, whose errors are added to the response; undefined if unchanged.
   * @throws PrivetError if a call, or the called agent, is refused and no other request remains.
   */
  #reviewMessages(messages: readonly RpcMessage[], masked: MaskingResult): Buffer | undefined {
    const parts = this.#parts();
    const { inventory, facts, use } = parts;
    const server = this.#server as string;
    inventory.seeAgent([server], use);
    if (this.#content.isAgent) {
      inventory.seeServer({ id: server, kind: 'agent' }, [], use, false);
      refuse(this.#notAllowed(parts, { server }, 'method'));
      // A client may declare A2A, or add a call of it, to any request.
    }
    const called: string[] = [];
    const refused = new Map<RpcMessage, ToolFinding>();
    for (const message of messages) {
      const { method, params } = message;
      if (method === 'initialize' || method === 'server/discover')
        inventory.seeServer({ id: server, kind: 'remote' }, [], use, false);
      if (method !== 'tools/call' || typeof params.name !== 'string') continue;
      const tool = { server, name: params.name };
      called.push(toolText(tool));
      const finding = this.#notAllowed(parts, tool, 'params.name') ?? this.#leaks(tool, params.arguments);
      if (finding !== undefined) refused.set(message, finding);
    }
    facts.tools = withNames(facts.tools, called);
    if (refused.size === 0) return undefined;
    const sent = messages.filter((message) => !refused.has(message));
    const isAnswered = sent.some(({ id, method }) => id !== undefined && method !== undefined);
    if (!isAnswered || !this.#input.answersHere) refuse(refused.values().next().value);
    this.#input.record.error = 'blocked_by_policy';
    this.#sent = sent;
    this.#refused = [...refused].flatMap(([{ id }, finding]) =>
      id === undefined ? [] : [rpcError(id, `Privet: ${stepOf(finding)}`, finding.kind)],
    );
    const changes = [...refused.keys()].map(({ keys }) => ({ keys }));
    return Buffer.from(withChanges(this.#textOf(masked), changes, true));
  }

  /** The finding for a tool or agent that must not be called. */
  #notAllowed(parts: ReviewParts, named: { server: string; name?: string }, place: string): ToolFinding | undefined {
    const { inventory, facts, use } = parts;
    const { answer, rule, isUnknown } = verdictOf(parts, named);
    const kind = isUnknown ? 'unknown_server' : 'not_allowed';
    const tool = named.name === undefined ? named.server : `${named.server}/${named.name}`;
    const finding: ToolFinding = { kind, tool, place, answer, rule };
    if (answer !== 'allow') addFinding(facts, finding);
    if (answer === 'strip' || answer === 'block') return finding;
    if (inventory.stateOf(named, use.agent) !== 'denied') return undefined;
    const denied: ToolFinding = { ...finding, kind: 'denied', answer: 'block' };
    addFinding(facts, denied);
    return denied;
  }

  /** The finding for arguments that must not be sent. */
  #leaks(tool: { server: string; name: string }, value: unknown): ToolFinding | undefined {
    const { arguments: answer } = this.#settings;
    if (answer === 'off' || value === undefined) return undefined;
    const check = this.#guard.argumentsFor(this.#input.allowsHost);
    let first: ToolFinding | undefined;
    for (const { kind, type } of check.find(tool.name, JSON.stringify(value))) {
      const finding: ToolFinding = {
        kind: kind === 'secret' ? 'secret_in_call' : 'token_in_call',
        tool: toolText(tool),
        place: 'params.arguments',
        answer,
        signs: [type],
      };
      addFinding(this.#facts, finding);
      first ??= finding;
    }
    return answer === 'block' ? first : undefined;
  }
}

/** The facts of a request before its body is read. */
export function noFacts({ asked, rawHeaders }: Pick<GuardInput, 'asked' | 'rawHeaders'>): AgentFacts {
  return { agent: asked.agent ?? agentOf(rawHeaders), servers: [], tools: [], findings: [], injection: undefined };
}

/** @throws PrivetError for a finding that refuses the request. */
function refuse(finding: ToolFinding | undefined): void {
  if (finding === undefined) return;
  const { kind, tool, place, signs, rule } = finding;
  throw new PrivetError('blocked_by_policy', stepOf(finding), {
    hint: 'Ask the administrator to approve the tool.',
    details: { tools: { kind, tool, place, ...(signs && { signs }), ...(rule && { rule }) } },
  });
}

const stepOf = (finding: ToolFinding) => `Step tools: ${sentenceOf(finding)}.`;

/** The place of a file; a name given by a user is not shown. */
function placeOfFile(pointer: string): string {
  return /^[\w.[\]]{1,120}$/.test(pointer) ? pointer : 'file';
}
