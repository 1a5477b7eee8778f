/** The merged declarations of all formats; lookups are cached by path and by event type. */
import type { JsonPath } from '../payload/json-path.ts';
import type { JsonMember, JsonNode } from '../payload/json-strings.ts';
import type { StreamKind } from '../stream/stream-part.ts';
import type {
  Ends,
  Framing,
  Inserted,
  Instructions,
  Offsets,
  Patches,
  Reasoning,
  RequestNames,
  Runs,
  Start,
  Texts,
  Tools,
  WireFormat,
} from './format.ts';
import { alternatives, anyOf, given, tester, union, words } from './merging.ts';
import { byteTable } from './quiet-names.ts';

/** The declared facts about an event type. */
export type TypeFacts = {
  /** The type without its last word. */
  readonly family: string;
  /** True if the type ends with a word such as `delta` or `done`. */
  readonly hasLastWord: boolean;
  /** True if the event's `id` is an index. */
  readonly isById: boolean;
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
  /** True for reasoning that is sent back unchanged. */
  readonly isSigned: boolean;
};

/** The merged names of requests. */
export type RequestRules = {
  readonly opaque: ReadonlySet<string>;
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

/** All declarations, merged. */
export class WireFormats {
  readonly instructions: readonly Instructions[];
  readonly request: RequestRules;
  readonly isBatchLine: (line: { readonly [name: string]: unknown }) => boolean;
  readonly mediaTypes: ReadonlyMap<string, StreamKind>;
  readonly arrayMethod: RegExp;
  readonly arrayNames: ReadonlySet<string>;
  readonly arrayEnvelopes: readonly string[];
  /** Matches the start of a response's JSON event. */
  readonly firstName: RegExp;
  readonly opening: RegExp;
  readonly growingDocument: RegExp;
  readonly wrapped: readonly NonNullable<Framing['wrapped']>[];
  readonly nested: { readonly members: ReadonlySet<string>; readonly mark: RegExp; readonly scopes: readonly string[] };
  /** Index fields of events. */
  readonly indexes: readonly string[];
  readonly joinedLists: ReadonlySet<string>;
  readonly joinedStrings: ReadonlySet<string>;
  readonly elementNames: readonly string[];
  readonly samePaths: ReadonlyMap<string, string>;
  readonly details: readonly ((node: JsonNode) => string | undefined)[];
  readonly isCopy: (member: JsonMember) => boolean;
  readonly isPlaceholder: (member: JsonMember) => boolean;
  /** Names of events that end texts if their data is not JSON. */
  readonly endNames: ReadonlySet<string>;
  readonly reasons: ReadonlySet<string>;
  readonly noReasons: ReadonlySet<string>;
  readonly flags: ReadonlySet<string>;
  readonly deepFlags: ReadonlySet<string>;
  readonly isEnd: (member: JsonMember, root: JsonNode) => boolean;
  readonly toolDeltaNames: ReadonlySet<string>;
  readonly isLastPiece: (member: JsonMember) => boolean;
  readonly isSignedPiece: (member: JsonMember) => boolean;
  readonly opaqueTypes: ReadonlySet<string>;
  readonly #signatureNames: ReadonlySet<string>;
  readonly #signatures: readonly NonNullable<Reasoning['signatureOf']>[];
  readonly sources: RegExp;
  readonly tokenLists: ReadonlySet<string>;
  /** Matches a document with such a list. */
  readonly tokenOffsets: RegExp;
  readonly indexTypes: ReadonlySet<string>;
  readonly choice: RegExp;
  readonly partNumbers: readonly string[];
  readonly documents: readonly NonNullable<Offsets['documents']>[];
  readonly dropped: ReadonlySet<string>;
  readonly emptied: ReadonlySet<string>;
  readonly changed: readonly NonNullable<Inserted['changed']>[];
  /** Maps the type that replaces a text to the one that continues it. */
  readonly continues: ReadonlyMap<string, string>;
  readonly patches: { readonly announcements: ReadonlySet<string> } & Record<
    'texts' | 'lists' | 'status' | 'document',
    (path: string) => boolean
  >;
  /** See `isQuietEvent`. */
  readonly parsedNames: ReturnType<typeof byteTable>;
  readonly #terminators: readonly string[];
  readonly #byteNames: readonly RegExp[];
  readonly #bytePaths: readonly RegExp[];
  readonly #types = new Map<string, TypeFacts>();
  readonly #places = new WeakMap<JsonPath, PlaceFacts>();
  readonly #typeFactsOf: (type: string) => TypeFacts;
  readonly #placeFactsOf: (path: string) => PlaceFacts;

  constructor(formats: readonly WireFormat[]) {
    const pick = <K extends keyof WireFormat>(part: K) =>
      formats.flatMap((format) => (format[part] === undefined ? [] : [format[part] as NonNullable<WireFormat[K]>]));
    this.instructions = pick('instructions').flat();
    const requests = pick('request') as RequestNames[];
    this.request = requestRules(requests);
    this.isBatchLine = anyOf(given(requests, 'isBatchLine'));

    const framings = pick('framing') as Framing[];
    this.mediaTypes = new Map(framings.flatMap(({ mediaTypes }) => Object.entries(mediaTypes ?? {})));
    this.arrayMethod = union(given(framings, 'arrayMethod'));
    this.arrayNames = words(framings, 'arrayNames');
    this.arrayEnvelopes = [...words(framings, 'arrayEnvelopes')];
    this.firstName = new RegExp(`^\\{\\s*"(?:${alternatives(framings, 'firstNames')})"\\s*:`);
    this.opening = union(given(framings, 'opening'));
    this.#terminators = given(framings, 'terminator');
    this.growingDocument = union(given(framings, 'growingDocument'));
    this.wrapped = given(framings, 'wrapped');
    const nested = given(framings, 'nested');
    this.nested = {
      members: words(nested, 'members'),
      mark: new RegExp(`"(?:${alternatives(nested, 'members')})"`),
      scopes: [...words(nested, 'scopes')],
    };

    const runs = pick('runs') as Runs[];
    this.indexes = [...words(runs, 'indexes')];
    this.joinedLists = words(runs, 'joinedLists');
    this.joinedStrings = words(runs, 'joinedStrings');
    this.elementNames = given(runs, 'elementName');
    this.samePaths = new Map(given(runs, 'samePath'));
    this.details = given(runs, 'detail');
    this.isCopy = anyOf(given(runs, 'isCopy'));

    const texts = pick('texts') as Texts[];
    this.isPlaceholder = anyOf(given(texts, 'isPlaceholder'));
    this.continues = new Map(given(texts, 'replaces').map(({ type, continues }) => [type, continues]));

    const ends = pick('ends') as Ends[];
    this.endNames = words(ends, 'names');
    this.reasons = words(ends, 'reasons');
    this.noReasons = words(ends, 'noReasons');
    this.flags = words(ends, 'flags');
    this.deepFlags = words(ends, 'deepFlags');
    this.isEnd = anyOf(given(ends, 'isEnd'));

    const tools = pick('tools') as Tools[];
    this.toolDeltaNames = words(tools, 'deltaNames');
    this.isLastPiece = anyOf(given(tools, 'isLastPiece'));
    this.parsedNames = byteTable([...words(tools, 'parsed')]);

    const reasoning = pick('reasoning') as Reasoning[];
    this.isSignedPiece = anyOf(given(reasoning, 'isSignedPiece'));
    this.opaqueTypes = words(reasoning, 'opaqueTypes');
    this.#signatureNames = words(reasoning, 'signatures');
    this.#signatures = given(reasoning, 'signatureOf');

    const offsets = pick('offsets') as Offsets[];
    this.sources = new RegExp(`(?:^|[._])(?:${alternatives(offsets, 'sources')})(?:\\[\\])*(?:\\.|$)`, 'i');
    this.tokenLists = words(offsets, 'tokenLists');
    this.tokenOffsets = new RegExp(`"(?:${alternatives(offsets, 'tokenLists')})"`);
    this.indexTypes = words(offsets, 'indexTypes');
    this.choice = new RegExp(`^\\.(?:${alternatives(offsets, 'choices')})\\[\\d+\\]`);
    this.partNumbers = given(offsets, 'partNumber');
    this.documents = given(offsets, 'documents');
    this.#byteNames = given(offsets, 'byteName');
    this.#bytePaths = given(offsets, 'bytePath');

    const inserted = pick('inserted') as Inserted[];
    this.dropped = words(inserted, 'dropped');
    this.emptied = words(inserted, 'emptied');
    this.changed = given(inserted, 'changed');

    const patches = pick('patches') as Patches[];
    this.patches = {
      announcements: new Set(given(patches, 'announcement')),
      texts: tester(given(patches, 'texts')),
      lists: tester(given(patches, 'lists')),
      status: tester(given(patches, 'status')),
      document: tester(given(patches, 'document')),
    };
    this.#typeFactsOf = typeReader({ texts, runs, ends, tools, offsets });
    this.#placeFactsOf = placeReader({ texts, tools, reasoning });
  }

  /** The facts about a type of event. */
  type(type: string): TypeFacts {
    let facts = this.#types.get(type);
    if (facts === undefined) {
      if (this.#types.size >= typesMax) this.#types.clear();
      facts = this.#typeFactsOf(type);
      this.#types.set(type, facts);
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
      if (!this.#signatureNames.has((members[i] as JsonMember).key)) continue;
      for (const signatureOf of this.#signatures) {
        const found = signatureOf(member);
        if (found) return found;
      }
    }
    return undefined;
  }

  /** True for data that ends a stream. */
  isTerminator(data: string): boolean {
    const text = data.trim();
    return this.#terminators.some((terminator) => terminator === text);
  }

  /** True for the name of an offset that counts UTF-8 bytes. */
  isByteOffset(name: string): boolean {
    return this.#byteNames.some((pattern) => pattern.test(name));
  }

  /** True for the keyed path of a text whose offsets count UTF-8 bytes. */
  countsBytes(path: string): boolean {
    return this.#bytePaths.some((pattern) => pattern.test(path));
  }
}

type Parts = {
  readonly texts: readonly Texts[];
  readonly runs: readonly Runs[];
  readonly ends: readonly Ends[];
  readonly tools: readonly Tools[];
  readonly offsets: readonly Offsets[];
  readonly reasoning: readonly Reasoning[];
};

function typeReader({ texts, runs, ends, tools, offsets }: Omit<Parts, 'reasoning'>): (type: string) => TypeFacts {
  const lastWord = new RegExp(`[._-](?:${alternatives(runs, 'lastWords')})$`);
  const answer = new RegExp(
    `^(?:\\w+\\.)*(?:${alternatives(ends, 'answers')})\\.(?:completed?|incomplete|failed|done|error|cancelled|expired)$`,
  );
  const replaces = given(texts, 'replaces');
  const starts = given(texts, 'starts').flat();
  const isById = tester(given(runs, 'idTypes'));
  const isWhole = tester(given(texts, 'wholeTypes').flat());
  const isToolDelta = tester(given(tools, 'deltaTypes'));
  const endsAll = tester([...given(ends, 'all').flat(), answer]);
  const endsOwn = tester(given(ends, 'own').flat());
  const endsBlock = tester(given(ends, 'block').flat());
  const isNumbered = tester(given(offsets, 'numberedTypes'));
  return (type) => {
    const replaced = replaces.find((rule) => rule.type === type);
    return {
      family: replaced ? replaced.continues : type.replace(lastWord, ''),
      hasLastWord: lastWord.test(type),
      isById: isById(type),
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
  const containers = alternatives(tools, 'containers');
  const below = (names: string) => new RegExp(`(?:^|\\.)(?:${names})(?:\\[\\])*(?:\\.|$)`);
  const argument = below([containers, alternatives(tools, 'strings')].join('|'));
  const completeArgument = new RegExp(`(?:^|\\.)(?:${containers})(?:\\[\\])*\\.(?!${alternatives(tools, 'pieces')})`);
  const wholeTyped = new RegExp(`^(?:${alternatives(texts, 'wholeMembers')})\\.`);
  const signed = below(alternatives(reasoning, 'signedMembers'));
  const isWhole = tester([
    below(alternatives(texts, 'citations')),
    ...given(texts, 'wholePaths').flat(),
    completeArgument,
  ]);
  const isIgnored = tester(given(texts, 'ignored').flat());
  const isPiece = tester(given(texts, 'pieces').flat());
  const isMaybePiece = tester(given(texts, 'maybePieces').flat());
  const isCumulative = tester(given(texts, 'cumulative').flat());
  const exceptions = given(tools, 'except');
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
      isSigned: signed.test(path),
    };
  };
}

function requestRules(requests: readonly RequestNames[]): RequestRules {
  const zone = (...fields: ('data' | 'settings' | 'results')[]) =>
    new RegExp(`(?:^|\\.)(?:${fields.map((field) => alternatives(requests, field)).join('|')})(?:\\[\\])*\\.`);
  return {
    opaque: words(requests, 'opaque'),
    words: words(requests, 'words'),
    binary: words(requests, 'binary'),
    toolName: new RegExp(`(?:^|\\.)(?:${alternatives(requests, 'namesTool')})(?:\\[\\])*\\.(?:.*\\.)?name$`),
    data: zone('data', 'settings'),
    numbers: zone('data', 'results'),
    credentials: given(requests, 'credentials').flat(),
  };
}
