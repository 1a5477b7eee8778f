/**
 * Guards one WebSocket: client messages are read like requests, those of the origin like events of a response. Realtime APIs
 * declare tools once and call them much later, so one response guard serves the whole connection.
 */
import { PrivetError } from '../../core/errors.ts';
import type { MaskingResult } from '../proxy/body/masking.ts';
import type { AgentGuard } from './agent-guard.ts';
import type { AnswerGuard, EventVerdict } from './answer-guard.ts';
import { type AgentFacts, sentenceOf, type ToolFinding } from './facts.ts';
import { type GuardInput, noFacts, type OpenedRequest } from './opened-request.ts';

/** The verdict on an origin message: the texts to send instead, or the reason to close the connection. */
export type MessageVerdict<Message> =
  | { readonly passed: readonly (readonly [message: Message, json: string | undefined])[] }
  | { readonly error: PrivetError; readonly notice: string };

/** See the head of this file. */
export class SocketGuard<Message> {
  readonly #guard: AgentGuard;
  readonly #input: GuardInput;
  readonly #facts: AgentFacts;
  readonly #model: AnswerGuard;
  readonly #labels = new Map<string, string>();
  /** Set once the client sends MCP. */
  #rpc: AnswerGuard | undefined;
  #held: Message[] = [];

  constructor(guard: AgentGuard, input: GuardInput) {
    this.#guard = guard;
    this.#input = input;
    this.#facts = noFacts(input);
    this.#model = guard.modelAnswer(input, this.#facts, this.#labels);
  }

  /** Reads a client message before it is masked; undefined if there is nothing to check. */
  open(json: string): OpenedRequest | undefined {
    return this.#guard.openJson(this.#input, json, this.#facts);
  }

  /**
   * The text to send instead of the masked message.
   * @throws PrivetError `blocked_by_policy`.
   */
  async finish(opened: OpenedRequest, masked: MaskingResult): Promise<{ body: Buffer; changed: boolean }> {
    const { body, changed, answer } = await opened.finish(masked);
    for (const [label, id] of opened.labels) this.#labels.set(label, id);
    if (opened.isRpc) this.#rpc = answer;
    return { body, changed };
  }

  /** Judges a message of the origin. */
  judge(message: Message, json: string): MessageVerdict<Message> {
    const guard = this.#rpc !== undefined && json.includes('"jsonrpc"') ? this.#rpc : this.#model;
    return this.#apply(guard.skips(json) ? { what: 'pass' } : guard.judge(json), message);
  }

  /** Judges the end of the origin's messages: calls that are still open end with it. */
  end(): MessageVerdict<Message> {
    return this.#held.length === 0 ? { passed: [] } : this.#apply(this.#model.judgeEnd());
  }

  /** The refusal of a message too large to read; undefined if nothing would be refused. */
  unread(): MessageVerdict<Message> | undefined {
    const isEnforcing = this.#model.isEnforcing || this.#rpc?.isEnforcing === true;
    return isEnforcing
      ? this.#refuse({ kind: 'not_allowed', tool: 'event', place: 'answer', answer: 'block' })
      : undefined;
  }

  #apply(verdict: EventVerdict, message?: Message): MessageVerdict<Message> {
    switch (verdict.what) {
      case 'hold':
        if (message !== undefined) this.#held.push(message);
        return { passed: [] };
      case 'refuse':
        this.#held = [];
        return this.#refuse(verdict.finding);
      default: {
        const held = verdict.what === 'release' ? this.#held.splice(0) : [];
        const passed = held.map((one) => [one, undefined] as const);
        return { passed: message === undefined ? passed : [...passed, [message, verdict.json] as const] };
      }
    }
  }

  #refuse(finding: ToolFinding): MessageVerdict<Message> {
    const error = new PrivetError('blocked_by_policy', `Step tools: ${sentenceOf(finding)}.`);
    return { error, notice: JSON.stringify(this.#model.errorOf(finding)) };
  }
}
