/** The merged declarations of all formats; lookups are cached by path and by event type. */
import { ownCopy } from '../own-copy.ts';
import type { JsonPath } from '../payload/json-path.ts';
import type { JsonMember, JsonNode } from '../payload/json-strings.ts';
import type { StreamKind } from '../stream/stream-part.ts';
import { AgentRules } from './agent-rules.ts';
import type {
  Ends,
  Framing,
  Inserted,
  Instructions,
  Offsets,
  Reasoning,
  RequestNames,
  Runs,
  Start,
  Texts,
  Tools,
  WireFormat,
} from './format.ts';
import { alternatives, anyOf, type Merged, merged, tester, union } from './merging.ts';
import { byteTable } from './quiet-names.ts';

/** The declared facts about an event type. */
export type TypeFacts = {
  /** The type without its last word. */
  readonly family: string;
  /** True if the type ends with a word such as `delta` or `done`. */
  readonly hasLastWord: boolean;
  /** True if the event's `id` is an index, or its `item_id`. */
  readonly isById: boolean;
  readonly isByItem: boolean;
  /** True if the event repeats an item of the conversation. */
  readonly copiesItem: boolean;
  readonly start: Start | undefined;
  /** True if the event's texts replace earlier ones. */
  readonly replaces: boolean;
  /** True if all strings of the event are complete. */
  readonly isWhole: boolean;
  /** True if `delta` is a piece of tool arguments. */
  readonly isToolDelta: boolean;
  readonly endsAll: boolean;
  readonly endsOwn: boolean;
  readonly endsBlock: boolean;
  /** True if the event's `index` does not refer to a text. */
  readonly isNumbered: boolean;
};

/** The declared facts about a path in an event or a body. */
export type PlaceFacts = {
  /** True if never part of a continued text. */
  readonly isIgnored: boolean;
  /** Complete in any event, and in typed events. */
  readonly isWhole: boolean;
  readonly isWholeTyped: boolean;
  readonly isPiece: boolean;
  readonly isMaybePiece: boolean;
  readonly isCumulative: boolean;
  /** True for tool arguments; `unlessCall` if {@link Tools.except} decides. */
  readonly isTool: boolean;
  readonly unlessCall: ((root: JsonNode) => boolean) | undefined;
  /** True in a tool's result, and for a string that may contain one as JSON. */
  readonly isResult: boolean;
  readonly isResultText: boolean;
  /** True for reasoning that is sent back unchanged. */
  readonly isSigned: boolean;
};

/** The merged names of requests. */
export type RequestRules = {
  readonly opaque: ReadonlySet<string>;
  readonly ciphertexts: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly binary: ReadonlySet<string>;
  readonly toolName: RegExp;
  /** Zones of tool data and free-form settings, and zones in which numbers may be personal. */
  readonly data: RegExp;
  readonly numbers: RegExp;
  readonly credentials: readonly RegExp[];
};

// Types are external input, so the cache is bounded.
const typesMax = 1000;
/** No service has longer ones. */
const typeLengthMax = 200;

/** All declarations, merged. */
export class WireFormats {
  /** Requests and calls of agents. */
  readonly agents: AgentRules;
  readonly instructions: readonly Instructions[];
  readonly request: RequestRules;
  readonly isBatchLine: (line: { readonly [name: string]: unknown }) => boolean;
  readonly framing: Merged<Framing>;
  readonly mediaTypes: ReadonlyMap<string, StreamKind>;
  readonly arrayMethod: RegExp;
  /** Matches the start of a response's JSON event. */
  readonly firstName: RegExp;
  readonly opening: RegExp;
  readonly growingDocument: RegExp;
  readonly nested: { readonly members: ReadonlySet<string>; readonly mark: RegExp; readonly scopes: readonly string[] };
  readonly runs: Merged<Runs>;
  /** Index fields of events. */
  readonly indexes: readonly string[];
  readonly elementNames: readonly string[];
  readonly isCopy: (member: JsonMember) => boolean;
  readonly isPlaceholder: (member: JsonMember) => boolean;
  readonly ends: Merged<Ends>;
  readonly isEnd: (member: JsonMember, root: JsonNode) => boolean;
  readonly tools: Merged<Tools>;
  readonly isLastPiece: (member: JsonMember) => boolean;
  readonly reasoning: Merged<Reasoning>;
  readonly isSignedPiece: (member: JsonMember) => boolean;
  readonly offsets: Merged<Offsets>;
  readonly sources: RegExp;
  /** Matches a document with a list of token offsets. */
  readonly tokenOffsets: RegExp;
  readonly choice: RegExp;
  readonly partNumbers: readonly string[];
  readonly inserted: Merged<Inserted>;
  /** Maps the type that replaces a text to the one that continues it. */
  readonly continues: ReadonlyMap<string, string>;
  readonly patches: { readonly announcements: ReadonlySet<string> } & Record<
    'texts' | 'lists' | 'status' | 'document',
    (path: string) => boolean
  >;
  /** See `isQuietEvent`. */
  readonly parsedNames: ReturnType<typeof byteTable>;
  readonly #types = new Map<string, TypeFacts>();
  readonly #places = new WeakMap<JsonPath, PlaceFacts>();
  readonly #typeFactsOf: (type: string) => TypeFacts;
  readonly #placeFactsOf: (path: string) => PlaceFacts;

  constructor(formats: readonly WireFormat[]) {
    type Parts = Omit<WireFormat, 'name' | 'instructions'>;
    const pick = <K extends keyof Parts>(part: K) =>
      merged<NonNullable<Parts[K]>>(formats.flatMap((format) => (format[part] as NonNullable<Parts[K]>) ?? []));
    this.agents = new AgentRules(pick('conversation'), pick('offers'), pick('calls'));
    this.instructions = formats.flatMap(({ instructions = [] }) => instructions);
    const request = pick('request');
    this.request = requestRules(request);
    this.isBatchLine = anyOf(request.isBatchLine);

    const framing = pick('framing');
    this.framing = framing;
    this.mediaTypes = new Map(framing.mediaTypes.flatMap((types) => Object.entries(types)));
    this.arrayMethod = union(framing.arrayMethod);
    this.firstName = new RegExp(`^\\{\\s*"(?:${alternatives(framing.firstNames)})"\\s*:`);
    this.opening = union(framing.opening);
    this.growingDocument = union(framing.growingDocument);
    const { members, scopes } = merged(framing.nested);
    this.nested = { members, mark: new RegExp(`"(?:${alternatives(members)})"`), scopes: [...scopes] };

    const runs = pick('runs');
    this.runs = runs;
    this.indexes = [...runs.indexes];
    this.elementNames = [...runs.elementName];
    this.isCopy = anyOf(runs.isCopy);

    const texts = pick('texts');
    this.isPlaceholder = anyOf(texts.isPlaceholder);
    this.continues = new Map(texts.replaces.map(({ type, continues }) => [type, continues]));

    const ends = pick('ends');
    this.ends = ends;
    this.isEnd = anyOf(ends.isEnd);

    const tools = pick('tools');
    this.tools = tools;
    this.isLastPiece = anyOf(tools.isLastPiece);
    this.parsedNames = byteTable([...tools.parsed]);

    const reasoning = pick('reasoning');
    this.reasoning = reasoning;
    this.isSignedPiece = anyOf(reasoning.isSignedPiece);

    const offsets = pick('offsets');
    this.offsets = offsets;
    this.sources = new RegExp(`(?:^|[._])(?:${alternatives(offsets.sources)})(?:\\[\\])*(?:\\.|$)`, 'i');
    this.tokenOffsets = new RegExp(`"(?:${alternatives(offsets.tokenLists)})"`);
    this.choice = new RegExp(`^\\.(?:${alternatives(offsets.choices)})\\[\\d+\\]`);
    this.partNumbers = [...offsets.partNumber];

    this.inserted = pick('inserted');
    const patches = pick('patches');
    this.patches = {
      announcements: patches.announcement,
      texts: tester(patches.texts),
      lists: tester(patches.lists),
      status: tester(patches.status),
      document: tester(patches.document),
    };
    this.#typeFactsOf = typeReader({ texts, runs, ends, tools, offsets });
    this.#placeFactsOf = placeReader({ texts, tools, reasoning });
  }

  /** The facts about a type of event. */
  type(type: string): TypeFacts {
    let facts = this.#types.get(type);
    if (facts === undefined) {
      if (type.length > typeLengthMax) return this.type('');
      if (this.#types.size >= typesMax) this.#types.clear();
      const own = ownCopy(type);
      facts = this.#typeFactsOf(own);
      this.#types.set(own, facts);
    }
    return facts;
  }

  /** The declared facts about a path. */
  place(where: JsonPath): PlaceFacts {
    let facts = this.#places.get(where);
    if (facts === undefined) {
      facts = this.#placeFactsOf(where.text);
      this.#places.set(where, facts);
    }
    return facts;
  }

  /** The signature of a reasoning text; undefined for other text. */
  signatureOf(member: JsonMember): ReturnType<NonNullable<Reasoning['signatureOf']>> {
    const { members = [] } = member.node;
    for (let i = 0; i < members.length; i++) {
      if (!this.reasoning.signatures.has((members[i] as JsonMember).key)) continue;
      for (const signatureOf of this.reasoning.signatureOf) {
        const found = signatureOf(member);
        if (found) return found;
      }
    }
    return undefined;
  }

  /** True for data that ends a stream. */
  isTerminator(data: string): boolean {
    return this.framing.terminator.has(data.trim());
  }

  /** True for the path of an offset that counts UTF-8 bytes. */
  isByteOffset(path: string): boolean {
    return this.offsets.byteOffset.some((pattern) => pattern.test(path));
  }

  /** True for the keyed path of a text whose offsets count UTF-8 bytes. */
  countsBytes(path: string): boolean {
    return this.offsets.bytePath.some((pattern) => pattern.test(path));
  }
}

type Parts = {
  readonly texts: Merged<Texts>;
  readonly runs: Merged<Runs>;
  readonly ends: Merged<Ends>;
  readonly tools: Merged<Tools>;
  readonly offsets: Merged<Offsets>;
  readonly reasoning: Merged<Reasoning>;
};

function typeReader({ texts, runs, ends, tools, offsets }: Omit<Parts, 'reasoning'>): (type: string) => TypeFacts {
  const lastWord = new RegExp(`[._-](?:${alternatives(runs.lastWords)})$`);
  const answer = new RegExp(
    `^(?:\\w+\\.)*(?:${alternatives(ends.answers)})\\.(?:completed?|incomplete|failed|done|error|cancelled|expired)$`,
  );
  const replaces = texts.replaces;
  const starts = texts.starts;
  const sameFamily = new Map(runs.sameFamily.flatMap((names) => Object.entries(names)));
  const isById = tester(runs.idTypes);
  const isByItem = tester(runs.itemTypes);
  const copiesItem = tester(runs.itemCopies);
  const isWhole = tester(texts.wholeTypes);
  const isToolDelta = tester(tools.deltaTypes);
  const endsAll = tester([...ends.all, answer]);
  const endsOwn = tester(ends.own);
  const endsBlock = tester(ends.block);
  const isNumbered = tester(offsets.numberedTypes);
  return (type) => {
    const replaced = replaces.find((rule) => rule.type === type);
    const family = type.replace(lastWord, '');
    return {
      family: replaced ? replaced.continues : (sameFamily.get(family) ?? family),
      hasLastWord: lastWord.test(type),
      isById: isById(type),
      isByItem: isByItem(type),
      copiesItem: copiesItem(type),
      start: starts.find((start) => start.type === type),
      replaces: replaced !== undefined,
      isWhole: isWhole(type),
      isToolDelta: isToolDelta(type),
      endsAll: endsAll(type),
      endsOwn: endsOwn(type),
      endsBlock: endsBlock(type),
      isNumbered: isNumbered(type),
    };
  };
}

function placeReader({
  texts,
  tools,
  reasoning,
}: Pick<Parts, 'texts' | 'tools' | 'reasoning'>): (path: string) => PlaceFacts {
  const containers = alternatives(tools.containers);
  const below = (names: string) => new RegExp(`(?:^|\\.)(?:${names})(?:\\[\\])*(?:\\.|$)`);
  const argument = below([containers, alternatives(tools.strings)].join('|'));
  const completeArgument = new RegExp(`(?:^|\\.)(?:${containers})(?:\\[\\])*\\.(?!${alternatives(tools.pieces)})`);
  const wholeTyped = new RegExp(`^(?:${alternatives(texts.wholeMembers)})\\.`);
  const signed = below(alternatives(reasoning.signedMembers));
  const isWhole = tester([
    below(alternatives(texts.citations)),
    ...texts.wholePaths,
    completeArgument,
    ...tools.results,
  ]);
  const isIgnored = tester(texts.ignored);
  const isPiece = tester(texts.pieces);
  const isMaybePiece = tester(texts.maybePieces);
  const isCumulative = tester(texts.cumulative);
  const exceptions = tools.except;
  const isResult = tester(tools.results);
  const isResultText = tester(tools.resultTexts);
  return (path) => {
    const exception = exceptions.find((rule) => path.startsWith(rule.path));
    const isTool = argument.test(path);
    return {
      isIgnored: isIgnored(path),
      isWhole: isWhole(path),
      isWholeTyped: wholeTyped.test(path),
      isPiece: isPiece(path),
      isMaybePiece: isMaybePiece(path),
      isCumulative: isCumulative(path),
      isTool,
      unlessCall: exception && !argument.test(path.slice(exception.path.length)) ? exception.isDocument : undefined,
      isResult: isResult(path),
      isResultText: isResultText(path),
      isSigned: signed.test(path),
    };
  };
}

function requestRules(request: Merged<RequestNames>): RequestRules {
  const zone = (...fields: ('data' | 'settings' | 'results')[]) =>
    new RegExp(`(?:^|\\.)(?:${fields.map((field) => alternatives(request[field])).join('|')})(?:\\[\\])*\\.`);
  return {
    opaque: request.opaque,
    ciphertexts: request.ciphertexts,
    words: request.words,
    binary: request.binary,
    toolName: new RegExp(`(?:^|\\.)(?:${alternatives(request.namesTool)})(?:\\[\\])*\\.(?:.*\\.)?name$`),
    data: zone('data', 'settings'),
    numbers: zone('data', 'results'),
    credentials: request.credentials,
  };
}
