/** The merged declarations about agents. */

import { isObject, type JsonObject } from '../parsing.ts';
import {
  type AnswerEvent,
  type Call,
  type CallPiece,
  type Calls,
  type Conversation,
  lastCall,
  noCall,
  type Offers,
  pieceOf,
  type Refusal,
  type Said,
  type ServerForm,
} from './agents.ts';
import { alternatives, type Listed, listed, type Merged, merged, union } from './merging.ts';

const single = {
  turns: 1,
  maybeTurns: 2,
  rareTurns: 4,
  prompts: 8,
  maybePrompts: 16,
  results: 32,
  documents: 64,
  messages: 128,
  besides: 256,
} as const;
/** What a member of a request may be, as bits. */
export const kinds = { ...single, tools: 512, anyTurns: 7, anyPrompts: 24 } as const;

export class AgentRules {
  readonly said: Listed<Merged<Conversation>>;
  readonly offered: Listed<Merged<Offers>>;
  /** Members that no model reads as instructions, and those with files and their data. */
  readonly unread: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  readonly fileData: ReadonlySet<string>;
  /** Members with turns, in chronological order. */
  readonly turnMembers: readonly string[];
  readonly promptMembers: readonly string[];
  readonly modelTypes: RegExp;
  readonly resultTypes: RegExp;
  /** Members in which no request is wrapped. */
  readonly own: ReadonlySet<string>;
  /** Names of protocols; others may be user content. */
  readonly shown: ReadonlySet<string>;
  /** Members of a tool: its definition, or a list of tools or servers. */
  readonly toolMembers: ReadonlyMap<string, 'definition' | 'tools' | ServerForm>;
  /** Servers by the type of their element in a list of tools, and labels by that of a toolset. */
  readonly serverTypes: ReadonlyMap<unknown, ServerForm>;
  readonly toolsetLabels: ReadonlyMap<unknown, string>;
  readonly #kinds = new Map<string, number>();
  readonly #roles: ReadonlyMap<unknown, 'user' | 'model' | 'tool'>;
  readonly #toolTypes: RegExp;
  readonly #calls: Listed<Merged<Calls>>;
  readonly #signs: RegExp;

  constructor(conversation: Merged<Conversation>, offers: Merged<Offers>, calls: Merged<Calls>) {
    const said = listed(conversation);
    this.said = said;
    this.unread = conversation.unread;
    this.files = conversation.files;
    this.fileData = conversation.fileData;
    this.turnMembers = [...said.rareTurns, ...said.turns, ...said.maybeTurns];
    this.promptMembers = [...said.prompts, ...said.maybePrompts];
    this.modelTypes = union(said.modelTypes);
    this.resultTypes = union(said.resultTypes);
    this.#roles = new Map(said.roles.flatMap((roles) => Object.entries(roles)));

    const offered = listed(offers);
    this.offered = offered;
    const { definitions, nested, lists, containers, schemas } = offered;
    const servers = merged(offered.servers);
    this.#toolTypes = union(offered.types);
    this.toolMembers = new Map<string, 'definition' | 'tools' | ServerForm>([
      ...definitions.map((name) => [name, 'definition'] as const),
      ...nested.map((name) => [name, 'tools'] as const),
      ...offered.servers.flatMap((form) => (form.inTool ?? []).map((name) => [name, form] as const)),
    ]);
    this.serverTypes = new Map(offered.servers.flatMap((form) => (form.type ? [[form.type, form]] : [])));
    this.toolsetLabels = new Map(servers.toolset.map(({ type, label }) => [type, label]));
    for (const name of [...lists, ...containers, ...servers.inRequest]) this.#add(name, kinds.tools);
    for (const [kind, bit] of Object.entries(single))
      for (const name of said[kind as keyof typeof single]) this.#add(name, bit);
    const members = [...this.#kinds].flatMap(([name, bits]) => (bits === kinds.besides ? [] : [name]));
    this.own = new Set([...members, ...said.other]);
    const below = [said.resultMembers, said.files, said.fileData, said.shown, schemas, [...this.toolMembers.keys()]];
    this.shown = new Set([...this.own, ...below.flat()]);

    this.#calls = listed(calls);
    this.#signs = new RegExp(alternatives(calls.signs), 'i');
  }

  #add(name: string, bit: number): void {
    this.#kinds.set(name, (this.#kinds.get(name) ?? 0) | bit);
  }

  /** What the members of a value may be. */
  kindsIn(value: JsonObject): number {
    let bits = 0;
    for (const name in value) bits |= this.#kinds.get(name) ?? 0;
    return bits;
  }

  /** True for a request, by its members. */
  isRequest(value: JsonObject): boolean {
    let isAsked = false;
    let isBeside = false;
    for (const name in value) {
      const bits = this.#kinds.get(name);
      if (bits === undefined) continue;
      const inner = value[name];
      if (this.#shows(bits, inner)) return true;
      const isWhole =
        typeof inner === 'string' ? bits & kinds.maybePrompts : bits & kinds.maybeTurns && isObject(inner);
      isAsked ||= Boolean(isWhole);
      isBeside ||= (bits & kinds.besides) !== 0 && inner !== undefined;
      if (bits & kinds.messages && this.turnsOf(value) !== undefined) return true;
    }
    return (isAsked && isBeside) || this.isTurn(value);
  }

  #shows(bits: number, value: unknown): boolean {
    if (typeof value === 'string') return (bits & kinds.prompts) !== 0;
    if (!Array.isArray(value)) {
      if (!isObject(value)) return false;
      return (bits & kinds.turns) !== 0 || (bits & kinds.tools && this.#shows(bits, value.tools)) === true;
    }
    if (bits & (kinds.turns | kinds.results)) return true;
    if (bits & kinds.prompts && typeof value[0] === 'string') return true;
    if (bits & kinds.maybeTurns) return value.some(isObject);
    if (bits & kinds.rareTurns) return value.some((one) => isObject(one) && this.isTurn(one));
    return (bits & kinds.tools) !== 0 && value.some((one) => isObject(one) && this.#isOffered(one));
  }

  /** True if a list element looks like a tool or server offered to a model. */
  #isOffered(tool: JsonObject): boolean {
    for (const name in tool)
      if (this.toolMembers.has(name) && typeof tool[name] === 'object' && tool[name] !== null) return true;
    const { type, name, url } = tool;
    if (typeof type === 'string') return typeof name === 'string' || this.#toolTypes.test(type);
    const hasSchema = typeof url === 'string' || this.offered.schemas.some((schema) => tool[schema] !== undefined);
    return typeof name === 'string' && hasSchema;
  }

  /** The turns of a message in a provider's own form; undefined for other values. */
  turnsOf(value: JsonObject): readonly Said[] | undefined {
    for (const turnsOf of this.said.turnsOf) {
      const turns = turnsOf(value);
      if (turns !== undefined) return turns;
    }
    return undefined;
  }

  /** True if a value is a single turn, as it is added to a thread. */
  isTurn({ role, content, parts }: JsonObject): boolean {
    return typeof role === 'string' && this.#roles.has(role) && (content ?? parts) !== undefined;
  }

  roleOf(role: unknown): 'user' | 'model' | 'tool' | undefined {
    return this.#roles.get(role);
  }

  /** The call in a part of a message; undefined for other parts. */
  callOf(part: JsonObject): Call | undefined {
    for (const callOf of this.#calls.callOf) {
      const call = callOf(part);
      if (call !== undefined) return call;
    }
    return undefined;
  }

  /** A cheap check; false for events in which no call starts, continues or ends. */
  mayHoldCall(text: string): boolean {
    return this.#signs.test(text);
  }

  /** Reads a stream event or a complete response. */
  answer(event: unknown): AnswerEvent {
    if (!isObject(event)) return noCall;
    let last: AnswerEvent | undefined;
    for (const read of this.#calls.read) {
      const found = read(event, this.#pieces);
      if (found === noCall || found?.pieces.length) return found;
      // Formats share members such as `stopReason` and `message`: the calls may be elsewhere.
      if (found !== undefined && !last?.endsAll) last = found;
    }
    const lists = this.#calls.lists.filter((name) => Array.isArray(event[name]));
    if (lists.length > 0) return { ...lastCall, pieces: lists.flatMap((name) => this.#pieces(event[name], name)) };
    if (last !== undefined) return last;
    for (const name of this.#calls.wrappers) if (isObject(event[name])) return this.answer(event[name]);
    return noCall;
  }

  readonly #pieces = (parts: unknown, key: string, areCalls = false): CallPiece[] => {
    const pieces: CallPiece[] = [];
    if (!Array.isArray(parts)) return pieces;
    for (let i = 0; i < parts.length; i++) {
      const part: unknown = parts[i];
      const call = isObject(part) ? (this.callOf(part) ?? (areCalls ? bareCall(part) : undefined)) : undefined;
      if (call !== undefined) pieces.push(pieceOf(`${key}${i}`, call, true, true));
    }
    return pieces;
  };

  /** The member of a request or event that decides the form of errors; undefined for the common form. */
  refusalFor(value: JsonObject): string | undefined {
    return this.#calls.refusal.find(({ member }) => value[member] !== undefined)?.member;
  }

  /** The error in the form that {@link refusalFor} found. */
  refusal(form: string | undefined, error: Parameters<NonNullable<Calls['refusal']>['write']>[0]): Refusal {
    const own = this.#calls.refusal.find(({ member }) => member === form);
    return own?.write(error) ?? { type: 'error', error };
  }
}

/** An element of a list of calls. */
function bareCall({ name, arguments: args, parameters, args: given }: JsonObject): Call {
  return { name, arguments: args ?? parameters ?? given };
}
