/**
 * The declarations of a wire format. Each provider is one file with one {@link WireFormat}, listed in `index.ts`.
 * Masking (core/payload) and restoring (core/stream, core/payload) apply all declarations together, because the
 * provider is rarely known: proxies and compatible servers send any shape from any host.
 * Paths are those of `JsonPath`: `choices[].delta.content`. Lists of names are words separated by spaces.
 */

import type { JsonObject } from '../parsing.ts';
import type { JsonMember, JsonNode } from '../payload/json-strings.ts';
import type { StreamKind } from '../stream/stream-part.ts';
import type { Calls, Conversation, Offers } from './agents.ts';

/** A provider's specifics; omitted ones are as in `generic.ts`, or absent. */
export type WireFormat = {
  readonly name: string;
  /** Location of the system text in requests, by URL path. */
  readonly instructions?: readonly Instructions[];
  readonly request?: RequestNames;
  readonly framing?: Framing;
  readonly texts?: Texts;
  readonly runs?: Runs;
  readonly ends?: Ends;
  readonly tools?: Tools;
  readonly reasoning?: Reasoning;
  readonly offsets?: Offsets;
  /** How an event is changed to contain only held text. */
  readonly inserted?: Inserted;
  /** Events that patch a document. */
  readonly patches?: Patches;
  /** The turns and tools in requests, and the calls in responses. */
  readonly conversation?: Conversation;
  readonly offers?: Offers;
  readonly calls?: Calls;
};

/** How a request format accepts a system text. */
export type Instructions = {
  /** Matches the URL path without its query. */
  readonly path: RegExp;
  /** The member with the system text, and the one around the request. */
  readonly key: string;
  readonly alternateKey?: string;
  readonly below?: string;
  /** A new value of the member; `messages` get a message instead. */
  readonly create?: (literal: string) => string;
  /** A new element if the value is a list; default `{"type":"text","text":…}`. */
  readonly element?: (literal: string) => string;
};

/**
 * Names in requests that make a string structure rather than text, if its value matches. Zones are everything below a
 * container: regular expressions for one name, or for several joined by dots.
 */
export type RequestNames = {
  /** Signed or encrypted values. */
  readonly opaque?: string;
  /** The same under names that may also hold personal data; only long values are exempt. */
  readonly ciphertexts?: string;
  /** Settings of one word each. */
  readonly words?: string;
  /** Base64. */
  readonly binary?: string;
  /** Containers below which `name` is the name of a tool. */
  readonly namesTool?: string;
  /** Arguments and results of tools: names below have no meaning, and numbers may be personal. */
  readonly data?: string;
  /** The same for free-form settings, where numbers are settings too. */
  readonly settings?: string;
  /** Other zones in which numbers may be personal. */
  readonly results?: string;
  /** Complete paths of credentials that the service presents to third parties. */
  readonly credentials?: readonly RegExp[];
  /** True for a line of a batch that wraps a request. */
  readonly isBatchLine?: (line: JsonObject) => boolean;
};

/** How a response is split into events or documents. */
export type Framing = {
  /** By media type. */
  readonly mediaTypes?: Readonly<Record<string, StreamKind>>;
  /** URL paths of methods that respond with a JSON array of pieces of one response. */
  readonly arrayMethod?: RegExp;
  /** Names in the first element of such an array, at its root or below one of `arrayEnvelopes`. */
  readonly arrayNames?: string;
  readonly arrayEnvelopes?: string;
  /** Names that start a response or event, in a body declared as plain text. */
  readonly firstNames?: string;
  /** The start of an event whose first name is ambiguous. */
  readonly opening?: RegExp;
  /** The line that ends a stream. */
  readonly terminator?: string;
  /** Documents after `)]}'`, each of which repeats the text so far. */
  readonly growingDocument?: RegExp;
  /** Events of the binary event stream that wrap another provider's event in base64. */
  readonly wrapped?: { readonly event: string; readonly member: string };
  /** Server-sent events inside messages: the members that contain them, and those that identify their stream. */
  readonly nested?: { readonly members: string; readonly scopes: string };
};

/** Which strings of an event are pieces of a text, and which are complete. */
export type Texts = {
  /** Pieces; the text so far only if there is much evidence. */
  readonly pieces?: readonly RegExp[];
  /** Pieces, or the text so far. */
  readonly maybePieces?: readonly RegExp[];
  /** The text so far in each event. */
  readonly cumulative?: readonly RegExp[];
  /** Types of events whose strings are complete. */
  readonly wholeTypes?: readonly RegExp[];
  /** Complete strings, by path. */
  readonly wholePaths?: readonly RegExp[];
  /** Root members of typed events that contain a complete object. */
  readonly wholeMembers?: string;
  /** Members that are never part of a text. */
  readonly ignored?: readonly RegExp[];
  /** Lists and objects with cited sources. */
  readonly citations?: string;
  /** True for an empty string that does not start a text. */
  readonly isPlaceholder?: (member: JsonMember) => boolean;
  /** Events that open a block. */
  readonly starts?: readonly Start[];
  /** The type of an event that replaces the text so far, and the type that continues it. */
  readonly replaces?: { readonly type: string; readonly continues: string };
};

/** An event that opens a block, and may contain the first piece of its text. */
export type Start = {
  readonly type: string;
  /** Path of the first piece. */
  readonly text: RegExp;
  /** The event that continues the piece at a pointer such as `item.content[0].text`. */
  readonly continued: (event: JsonObject, pointer: string) => Continued;
};

/** An event with an empty text, and the pointer to it. `name`: of the server-sent event, if that is not its type. */
export type Continued = { readonly event: JsonObject; readonly pointer: string; readonly name?: string };

/** What distinguishes the texts of a stream. */
export type Runs = {
  /** Index fields of an event. Ids alone are unreliable: one provider changes them in every event. */
  readonly indexes?: string;
  /** Last words of event types: `x.delta` and `x.done` belong to one family. */
  readonly lastWords?: string;
  /** Types of events whose `id` is an index, and those whose `item_id` is one. */
  readonly idTypes?: RegExp;
  readonly itemTypes?: RegExp;
  /** Types of events that repeat an item of the conversation in full: `item`, with `id` and `status`. */
  readonly itemCopies?: RegExp;
  /** Lists whose elements in one event continue each other. */
  readonly joinedLists?: string;
  /** Lists of strings that continue each other. */
  readonly joinedStrings?: string;
  /** A member that identifies the elements of a list. */
  readonly elementName?: string;
  /** Event types without their last word that are former names of another one. */
  readonly sameFamily?: Readonly<Record<string, string>>;
  /** Further data in an object that identifies the run of its text. */
  readonly detail?: (node: JsonNode) => string | undefined;
  /** True for a text that one event contains in full, in pieces: a copy of earlier pieces. */
  readonly isCopy?: (member: JsonMember) => boolean;
};

/** What ends texts. */
export type Ends = {
  /** Types of events that end all texts. */
  readonly all?: readonly RegExp[];
  /** Names of a complete response: `response.completed` ends all texts. */
  readonly answers?: string;
  /** The index of texts that a complete response does not end if it states another `id`. */
  readonly answerIndex?: string;
  /** Types that end the texts of their family with the same indexes. */
  readonly own?: readonly RegExp[];
  /** Types that end every text with the same indexes. */
  readonly block?: readonly RegExp[];
  /** Names of server-sent events that end the text if their data is not JSON. */
  readonly names?: string;
  /** Members with the reason why a response or choice ended. */
  readonly reasons?: string;
  /** Lower-case reasons that mean "not finished". */
  readonly noReasons?: string;
  /** Members, of the root or any object, that are true in the last event. */
  readonly flags?: string;
  readonly deepFlags?: string;
  /** True for any other member that ends all texts. */
  readonly isEnd?: (member: JsonMember, root: JsonNode) => boolean;
};

/** Tool arguments: tokens may have lost their brackets there, and nothing renders them. */
export type Tools = {
  /**
   * Paths of tool results: values, and strings with JSON. Numbers are restored as in arguments, but users may see a
   * result, so its links are guarded.
   */
  readonly results?: readonly RegExp[];
  readonly resultTexts?: readonly RegExp[];
  /** Members with arguments, as an object or as JSON in a string. */
  readonly containers?: string;
  /** Members with a piece of such a string. */
  readonly strings?: string;
  /** Paths below a container that continue in the next event. */
  readonly pieces?: string;
  /** Event types whose `delta` is a piece, and other names of such members. */
  readonly deltaTypes?: RegExp;
  readonly deltaNames?: string;
  /** True for the last piece of a string. */
  readonly isLastPiece?: (member: JsonMember) => boolean;
  /** A container without arguments, in documents with this root. */
  readonly except?: { readonly path: string; readonly isDocument: (root: JsonNode) => boolean };
  /** Prefixes of names and types of events that must be parsed even if no token can start in them; `?` is any byte. */
  readonly parsed?: string;
};

/** Reasoning that the provider verifies when it is sent back. */
export type Reasoning = {
  /** Types of parts that only the provider can read. */
  readonly opaqueTypes?: string;
  /** Members that are sent back unchanged although the signature comes later. */
  readonly signedMembers?: string;
  /** True for a piece of a text that is signed at its end. */
  readonly isSignedPiece?: (member: JsonMember) => boolean;
  /** Names of members with a signature. */
  readonly signatures?: string;
  /** The signature of a text in an object with such a member. `isVerified`: the provider rejects a changed text. */
  readonly signatureOf?: (
    member: JsonMember,
  ) => { readonly signature: JsonMember; readonly isVerified: boolean } | undefined;
};

/** Numbers that are offsets into a text. */
export type Offsets = {
  /** Lists and objects that cite a span of the answer by `start` and `end`. */
  readonly sources?: string;
  /** Keyed paths of texts whose offsets count UTF-8 bytes, and the paths of such offsets. */
  readonly bytePath?: RegExp;
  readonly byteOffset?: RegExp;
  /** Lists of token offsets, counted from the start of the prompt. */
  readonly tokenLists?: string;
  /** Types of objects whose `index` is an offset. */
  readonly indexTypes?: string;
  /** Types of events whose `index` does not refer to a text. */
  readonly numberedTypes?: RegExp;
  /** Lists of alternative answers. */
  readonly choices?: string;
  /** The member next to an offset with the number of its text. */
  readonly partNumber?: string;
  /** Offsets into documents of the request. */
  readonly documents?: {
    /** The type of the objects with them, or their name. */
    readonly type: string;
    readonly start: string;
    readonly end: string;
    readonly number: string;
    /** The texts of a request's documents in citation order; undefined for documents without text. */
    readonly textsOf: (request: JsonObject) => readonly (string | undefined)[];
  };
};

/** See {@link WireFormat.inserted}. */
export type Inserted = {
  /** Members that are removed, and those that become null. */
  readonly dropped?: string;
  readonly emptied?: string;
  /** A member's value in the inserted event; undefined if unchanged. */
  readonly changed?: (key: string, value: unknown, object: JsonObject) => unknown;
};

/** Paths (without a leading slash) of a document that events patch: `{"p": path, "o": operation, "v": value}`. */
export type Patches = {
  /** The name of the event that announces patches. */
  readonly announcement?: string;
  /** Strings to which a service appends, and lists to whose elements it appends. */
  readonly texts?: RegExp;
  readonly lists?: RegExp;
  /** The string that starts with "finished" once the text is complete. */
  readonly status?: RegExp;
  /** Paths in a first event that has neither path nor operation. */
  readonly document?: RegExp;
};
