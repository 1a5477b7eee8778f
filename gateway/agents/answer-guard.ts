/**
 * Blocks forbidden tool calls, and checks responses of MCP servers: filters tool lists, checks results, refuses requests for
 * secrets. It sees a response as the origin sent it, before tokens are restored. Text is never held back; the events of a call
 * are, if its arguments decide.
 */

import type { ArgumentCheck } from '../../core/agents/argument-findings.ts';
import { asksForSecret } from '../../core/agents/argument-findings.ts';
import {
  elicitationsOf,
  listedTools,
  type RpcMessage,
  readRpc,
  resultTexts,
  rpcError,
  rpcMessagesMax,
} from '../../core/agents/json-rpc.ts';
import { pointerOf } from '../../core/agents/keys.ts';
import { type ModelCall, OpenCalls } from '../../core/agents/model-answer.ts';
import { toolsMax } from '../../core/agents/model-request.ts';
import { type Change, withChanges } from '../../core/agents/strip.ts';
import { toolText } from '../../core/agents/tool-names.ts';
import { type AnswerEvent, lastCall, type Refusal } from '../../core/formats/agents.ts';
import { wireFormats } from '../../core/formats/index.ts';
import { isObject, type JsonObject, parseJson } from '../../core/parsing.ts';
import { shortJsonWeightMax, weighJson } from '../../core/payload/json-weight.ts';
import type { InjectionSettings } from '../../policy/agent-settings.ts';
import type { RequestRecord } from '../proxy/request/record.ts';
import { addFinding, sentenceOf, type ToolFinding } from './facts.ts';
import { type InjectionCheck, isOver } from './injection-check.ts';
import { type ReviewParts, reviewTools, verdictOf } from './tool-review.ts';

/** The verdict on an event or document; without `json` its bytes stay unchanged. */
export type EventVerdict =
  | { readonly what: 'pass'; readonly json?: string | undefined }
  /** Part of an undecided call: hold it. */
  | { readonly what: 'hold' }
  /** End of the held call: release it. */
  | { readonly what: 'release'; readonly json?: string | undefined }
  | { readonly what: 'refuse'; readonly error: Refusal; readonly finding: ToolFinding };

export type AnswerGuardOptions = {
  readonly review: ReviewParts;
  readonly injection: InjectionCheck;
  readonly injectionSettings: InjectionSettings;
  readonly arguments: ArgumentCheck;
  readonly record: RequestRecord;
  /** The form of errors in this request's format. */
  readonly refusal?: string | undefined;
  /** Server labels in the request, by server name. */
  readonly labels?: ReadonlyMap<string, string>;
  /** The responding MCP server, and the messages of the request that were sent. */
  readonly server?: string | undefined;
  readonly messages?: readonly RpcMessage[];
  /** Errors for messages of the request that were not sent. */
  readonly refused?: readonly JsonObject[];
};

/** Whether calls may be blocked, whatever tools the request names. */
export function refusesCalls(
  rules: ReviewParts['rules'],
  { arguments: ofCalls }: ReviewParts['settings'],
  inventory: ReviewParts['inventory'],
): boolean {
  return rules.isEnforcing || ofCalls === 'block' || inventory.hasDenied;
}

const pass: EventVerdict = { what: 'pass' };
/** Maximum length of held call arguments; no tool accepts more. */
const heldMax = 4 * 1024 * 1024;
/** Results up to this many characters are checked whole; of longer ones only both ends. */
const textUnitsMax = 1024 * 1024;

export class AnswerGuard {
  readonly #options: AnswerGuardOptions;
  readonly #calls = new OpenCalls();
  /** The last list on this stream has another page. */
  #isPaged = false;
  readonly #holds: boolean;
  /** The form of errors, by the request or by the response's events. */
  #refusal: string | undefined;

  constructor(options: AnswerGuardOptions) {
    this.#options = options;
    this.#refusal = options.refusal;
    this.#holds = options.review.settings.arguments === 'block';
  }

  /** A stream that the client opened for responses to later requests. */
  get isStream(): boolean {
    return this.#options.messages?.length === 0;
  }

  /** Errors to be added to the response, as JSON. */
  get added(): readonly string[] {
    return (this.#options.refused ?? []).map((error) => JSON.stringify(error));
  }

  /** A JSON-RPC response. */
  get isOfRpc(): boolean {
    return this.#options.server !== undefined;
  }

  /** May change or refuse the response, so an unreadable one must not pass. */
  get isEnforcing(): boolean {
    const { review, messages, injectionSettings } = this.#options;
    const { settings, rules, inventory } = review;
    if (refusesCalls(rules, settings, inventory)) return true;
    if (messages === undefined) return false;
    const answers: readonly string[] = [
      settings.pins,
      settings.poisoning,
      settings.unknown_servers,
      settings.elicitation,
    ];
    return answers.some((one) => one === 'strip' || one === 'block') || injectionSettings.tool_results === 'block';
  }

  /** True if the event cannot contain anything to check. */
  skips(text: string): boolean {
    // MCP servers may escape member names.
    if (this.#options.server !== undefined) return false;
    return this.#calls.isEmpty ? !wireFormats.agents.mayHoldCall(text) : false;
  }

  /** Judges an event of a stream, or a whole document. */
  judge(json: string): EventVerdict {
    // Clients skip a byte order mark.
    const text = json.startsWith('\ufeff') ? json.slice(1) : json;
    if (weighJson(text, shortJsonWeightMax) !== 'light') return this.#unparsed(text);
    const value = parseJson(text);
    if (value === undefined) return this.#unparsed(text);
    return this.#options.server === undefined ? this.#judgeModel(value) : this.#judgeRpc(value, text);
  }

  /** Some clients accept more than JSON, such as NaN, so unreadable data must not pass where responses may be refused. */
  #unparsed(text: string, why = 'is not valid JSON'): EventVerdict {
    const { server, messages = [] } = this.#options;
    if (server === undefined || !this.isEnforcing || !/^\s*[[{]/.test(text)) return pass;
    const id = messages.find((one) => one.id !== undefined)?.id;
    return { what: 'pass', json: JSON.stringify(rpcError(id, `Privet: the answer ${why}.`, 'unreadable')) };
  }

  /** Judges the end of a stream: calls that are still open end with it. */
  judgeEnd(): EventVerdict {
    if (this.#calls.isEmpty) return { what: 'release' };
    const verdict = this.#judgeEvent(lastCall);
    return verdict.what === 'refuse' ? verdict : { what: 'release' };
  }

  /** The error of a refusal in a form that clients of the provider read. */
  errorOf(finding: ToolFinding): Refusal {
    const message = `Privet: ${sentenceOf(finding)}.`;
    const error = {
      type: 'permission_error',
      code: 'blocked_by_policy',
      status: 'PERMISSION_DENIED',
      message,
      request_id: this.#options.record.requestId,
    };
    return wireFormats.agents.refusal(this.#refusal, error);
  }

  #judgeModel(value: unknown): EventVerdict {
    if (isObject(value)) this.#refusal ??= wireFormats.agents.refusalFor(value);
    return this.#judgeEvent(wireFormats.agents.answer(value));
  }

  #judgeEvent(event: AnswerEvent): EventVerdict {
    const wasOpen = !this.#calls.isEmpty;
    for (const call of this.#calls.begun(event.pieces)) {
      const finding = this.#notAllowed(call);
      if (finding !== undefined) return this.#refuse(finding);
    }
    const isPart = event.pieces.length > 0;
    for (const call of this.#calls.add(event)) {
      const finding = this.#notAllowed(call) ?? this.#leaks(call);
      if (finding !== undefined) return this.#refuse(finding);
    }
    if (!this.#holds) return pass;
    if (this.#calls.size > heldMax)
      return this.#refuse({
        kind: 'secret_in_call',
        tool: 'call',
        place: 'arguments',
        answer: 'block',
        signs: ['TOO_LARGE'],
      });
    if (!this.#calls.isEmpty) return isPart ? { what: 'hold' } : pass;
    return wasOpen || isPart ? { what: 'release' } : pass;
  }

  /** The finding for a call that must not reach the client. */
  #notAllowed(call: ModelCall): ToolFinding | undefined {
    const { review } = this.#options;
    const tool = this.#named(call);
    const { answer, rule, isUnknown } = verdictOf(review, tool);
    const isDenied = review.inventory.hasDenied && review.inventory.stateOf(tool, review.use.agent) === 'denied';
    if (answer === 'allow' && !isDenied) return undefined;
    const kind = isDenied ? 'denied' : isUnknown ? 'unknown_server' : 'not_allowed';
    const finding: ToolFinding = {
      kind,
      tool: toolText(tool),
      place: 'answer',
      answer: isDenied ? 'block' : answer,
      rule,
    };
    addFinding(review.facts, finding);
    // A call that the provider already made can only be reported.
    return (answer === 'strip' || answer === 'block' || isDenied) && !call.isMade ? finding : undefined;
  }

  #leaks(call: ModelCall): ToolFinding | undefined {
    const { review, arguments: check } = this.#options;
    const answer = review.settings.arguments;
    if (answer === 'off' || call.arguments === '') return undefined;
    const tool = toolText(this.#named(call));
    let worst: ToolFinding | undefined;
    for (const { kind, type } of check.find(call.name, call.arguments)) {
      const found = kind === 'secret' ? 'secret_in_call' : 'token_in_call';
      worst ??= { kind: found, tool, place: 'answer', answer, signs: [type] };
      addFinding(review.facts, worst);
    }
    return answer === 'block' && !call.isMade ? worst : undefined;
  }

  #named({ server, name }: ModelCall): { server?: string; name: string } {
    const id = server === undefined ? undefined : (this.#options.labels?.get(server) ?? server);
    return id === undefined ? { name } : { server: id, name };
  }

  #refuse(finding: ToolFinding): EventVerdict {
    this.#options.record.error = 'blocked_by_policy';
    return { what: 'refuse', error: this.errorOf(finding), finding };
  }

  #judgeRpc(value: unknown, json: string): EventVerdict {
    // Lenient clients read messages without a version.
    const messages = readRpc(value, this.#options.messages !== undefined && !this.isStream);
    if (messages === undefined) return pass;
    if (messages.length > rpcMessagesMax) return this.#unparsed(json, 'has more messages than can be checked');
    const isCut = messages.some((one) => (listedTools(one, false)?.tools.length ?? 0) > toolsMax);
    if (isCut) return this.#unparsed(json, 'lists more tools than can be checked');
    const changes: Change[] = [];
    for (const message of messages) this.#judgeMessage(message, changes);
    return changes.length === 0 ? pass : { what: 'pass', json: withChanges(json, changes, true) };
  }

  #judgeMessage(message: RpcMessage, changes: Change[]): void {
    const { review, server, messages: asked = [], record } = this.#options;
    const refuseWith = (finding: ToolFinding) => {
      record.error = 'blocked_by_policy';
      // Answer the server's question for the request it belongs to; no other request could end it.
      const id = message.method === undefined ? message.id : asked.find((one) => one.id !== undefined)?.id;
      const error = rpcError(id, `Privet: ${sentenceOf(finding)}.`, finding.kind);
      changes.push({ keys: message.keys, value: error });
    };
    const isNext = asked.some(({ method, params }) => method === 'tools/list' && params.cursor !== undefined);
    const listed = listedTools(message, !isNext && !this.#isPaged);
    if (listed !== undefined) {
      this.#isPaged = listed.hasMore;
      const tools = listed.tools.map((tool) => ({ ...tool, server: server as string }));
      // The model never sees this tool, so it cannot call it.
      const how = { kind: 'remote', isWhole: listed.isWhole, stripsBlocked: true } as const;
      changes.push(...reviewTools(review, tools, how).changes);
    }
    const asks = elicitationsOf(message);
    const { elicitation } = review.settings;
    if (elicitation !== 'off' && asks.some(asksForSecret)) {
      const finding: ToolFinding = {
        kind: 'elicitation',
        tool: server as string,
        place: 'params',
        answer: elicitation,
      };
      addFinding(review.facts, finding);
      if (elicitation === 'block') {
        refuseWith(finding);
        return;
      }
    }
    this.#checkResult(message, refuseWith);
  }

  #checkResult(message: RpcMessage, refuseWith: (finding: ToolFinding) => void): void {
    const { injection, injectionSettings, review } = this.#options;
    const answer = injectionSettings.tool_results;
    if (answer === 'off') return;
    for (const { text, keys } of resultTexts(message)) {
      if (text.length < 8) continue;
      for (const part of partsOf(text)) {
        const verdict = injection.verdictNow('tool_results', part);
        if (!isOver(verdict, injectionSettings)) continue;
        const { facts, use } = review;
        facts.injection ??= { kind: 'tool_results', ...verdict, place: pointerOf(keys), answer };
        if (answer !== 'block') return;
        const tool = facts.tools[0] ?? use.service;
        refuseWith({ kind: 'poisoned', tool, place: pointerOf(keys), answer: 'block', signs: verdict.categories });
        return;
      }
    }
  }
}

function partsOf(text: string): string[] {
  if (text.length <= textUnitsMax) return [text];
  return [text.slice(0, textUnitsMax / 2), text.slice(-textUnitsMax / 2)];
}
