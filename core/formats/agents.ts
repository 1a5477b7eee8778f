/**
 * The declarations about agents: turns and tools in requests, and calls in responses. Lists of names are words separated
 * by spaces; conventions of many providers are in `generic.ts`.
 */
import { isObject, type JsonObject } from '../parsing.ts';

/** Names and positions that lead to a value in a JSON document. */
export type Keys = readonly (string | number)[];

/** The author of a text; `documents` are files attached as text. */
export type TextKind = 'prompts' | 'tool_results' | 'documents';

/** A turn at this path; with `kind` its content comes from the user or a tool. */
export type Said = {
  readonly keys: Keys;
  readonly item: unknown;
  readonly kind?: TextKind;
  readonly content?: unknown;
};

/** The turns of a request. */
export type Conversation = {
  /**
   * Members with a list of turns, or with one turn. They show that an object is a request: `turns` with any list,
   * `maybeTurns` with a list of objects, `rareTurns` with turns that have a role and content.
   */
  readonly turns?: string;
  readonly maybeTurns?: string;
  readonly rareTurns?: string;
  /** Members with a prompt, which shows a request; `maybePrompts` only next to one of `besides`. */
  readonly prompts?: string;
  readonly maybePrompts?: string;
  readonly besides?: string;
  /** Lists of tool results, which show a request, and of documents. */
  readonly results?: string;
  readonly documents?: string;
  /** Members of messages that have another form, and their turns; undefined for other values. */
  readonly messages?: string;
  readonly turnsOf?: (message: JsonObject) => readonly Said[] | undefined;
  readonly roles?: Readonly<Record<string, 'user' | 'model' | 'tool'>>;
  /** Types of the model's turns. */
  readonly modelTypes?: RegExp;
  /** Types of turns and parts with a tool result, and members of parts with one. */
  readonly resultTypes?: RegExp;
  readonly resultMembers?: string;
  /** Types of parts that are documents. */
  readonly documentTypes?: string;
  /** Members of a part that contain a file, and members of the file with its base64 text. */
  readonly files?: string;
  readonly fileData?: string;
  /** Bytes, ids and types, which no model reads as instructions. */
  readonly unread?: string;
  /** Other members, in which no request is wrapped. */
  readonly other?: string;
  /** Other names of the protocol. Only such names are shown, because others may be user content. */
  readonly shown?: string;
};

/** The tools and MCP servers in a request. */
export type Offers = {
  /** Lists of tools, and objects with such a list named `tools`. */
  readonly lists?: string;
  readonly containers?: string;
  /** Members of a tool: its definition, further tools, and its schema. */
  readonly definitions?: string;
  readonly nested?: string;
  readonly schemas?: string;
  /** Types of tools without a name, and of elements that only group `tools`. */
  readonly types?: RegExp;
  readonly groupTypes?: string;
  /** The type of a turn with tools that the provider read from an MCP server, and the member with its label. */
  readonly listing?: { readonly type: string; readonly label: string };
  /** Members that select among tools, which are an error without tools. */
  readonly choosers?: string;
  readonly servers?: readonly ServerForm[];
};

/** How a request names an MCP server for the provider to connect to. */
export type ServerForm = {
  /** Unique among all formats. */
  readonly name: string;
  /** The type of its element in a list of tools; or members of such an element, or of the request, that list servers. */
  readonly type?: string;
  readonly inTool?: readonly string[];
  readonly inRequest?: string;
  readonly isFor?: (request: JsonObject) => boolean;
  readonly label: string;
  readonly url: (server: JsonObject) => unknown;
  /** A connector or tunnel of the provider. */
  readonly connector?: (server: JsonObject) => unknown;
  /** Names of the allowed tools, if it lists them. */
  readonly allowed?: (server: JsonObject) => unknown;
  /** True if the provider can require approval of each call. */
  readonly asks?: boolean;
  /** The server with these limits; absent if it can only be removed. */
  readonly limited?: (server: JsonObject, limits: Limits) => JsonObject;
  /** The element in the list of tools that enables it. */
  readonly toolset?: {
    readonly type: string;
    readonly label: string;
    readonly limited: (toolset: JsonObject, limits: Limits) => JsonObject;
  };
};

/** The tools that a server may offer. */
export type Limits = {
  /** Undefined: all. */
  readonly names: readonly string[] | undefined;
  /** Set if instead all tools but these may be offered. */
  readonly except: readonly string[] | undefined;
  /** Each call needs approval. */
  readonly asks: boolean;
};

/** The calls in responses. */
export type Calls = {
  /** Alternatives of an expression that matches every event in which a call starts, continues or ends. */
  readonly signs?: string;
  /** The call in a part of a message, of a request or response. */
  readonly callOf?: (part: JsonObject) => Call | undefined;
  /** Members that list the parts of a complete response, and those that contain a response. */
  readonly lists?: string;
  readonly wrappers?: string;
  /** Reads an event or a response of another form; undefined for other values. */
  readonly read?: (event: JsonObject, of: PartReader) => AnswerEvent | undefined;
  /** The error that replaces a response whose request or events have this member. */
  readonly refusal?: { readonly member: string; readonly write: (error: RefusalError) => Refusal };
};

/** A call of the model. */
export type Call = {
  readonly name: unknown;
  readonly arguments: unknown;
  /** The label of its MCP server. */
  readonly label?: unknown;
  /** True if the provider has already made the call, so it cannot be blocked. */
  readonly isMade?: boolean;
};

/** A piece of a call. Pieces of one call share a key. */
export type CallPiece = {
  readonly key: string;
  readonly name?: string | undefined;
  /** A piece of the arguments as JSON text, or all of them if the call is complete. */
  readonly arguments?: string | undefined;
  /** True if the call is complete. */
  readonly ends?: boolean;
  /** True if another call with this key may follow. */
  readonly mayRepeat?: boolean;
  readonly isMade?: boolean;
};

/** The calls of an event. `endsAll`: no call continues after it, or with `of` none whose key starts with that. */
export type AnswerEvent = { readonly pieces: readonly CallPiece[]; readonly endsAll: boolean; readonly of?: string };

/** Reads a list in which each part may be a call, or (`areCalls`) is one; all calls are complete. */
export type PartReader = (parts: unknown, key: string, areCalls?: boolean) => CallPiece[];

type RefusalError = { readonly status: string; readonly message: string; readonly [member: string]: string };

/** The error that replaces a response. */
export type Refusal = {
  readonly type?: 'error';
  readonly event_type?: 'error';
  readonly error: { readonly message: string; readonly [member: string]: string | number };
};

/** An event without calls, and one after which none continues. */
export const noCall: AnswerEvent = { pieces: [], endsAll: false };
export const lastCall: AnswerEvent = { pieces: [], endsAll: true };

/** An event with these pieces, after which calls may continue. */
export function withPieces(...pieces: CallPiece[]): AnswerEvent {
  return { pieces, endsAll: false };
}

/** A piece of a call; without a name or arguments if they are elsewhere. */
export function pieceOf(key: string, call: Call, ends: boolean, mayRepeat = false): CallPiece {
  const { name: own, label, arguments: args, isMade = false } = call;
  const name = typeof own !== 'string' || own === '' ? undefined : label === undefined ? own : `mcp__${label}__${own}`;
  const text = args === undefined || args === null ? undefined : typeof args === 'string' ? args : JSON.stringify(args);
  return { key, name, arguments: text, ends, mayRepeat, isMade };
}

/** The piece of an event that opens a block. Its arguments follow in pieces, so empty ones do not count. */
export function openingOf(key: string, call: Call | undefined): AnswerEvent {
  if (call === undefined) return noCall;
  const { arguments: args } = call;
  const isEmpty = args === '' || (isObject(args) && Object.keys(args).length === 0);
  return withPieces(pieceOf(key, isEmpty ? { ...call, arguments: undefined } : call, false));
}
