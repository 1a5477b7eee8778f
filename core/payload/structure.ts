/**
 * What in a provider's JSON is machinery and not a person's text.
 * The default for an unknown string is to inspect it: a list of known text fields alone lets text through
 * that a provider has moved to a new field. Exemptions need a name that says so (core/formats) AND a value that looks
 * like it.
 */
import { isIbanChecksum } from '../checksums.ts';
import { isObject } from '../formats/format.ts';
import { wireFormats } from '../formats/index.ts';
import type { RequestRules, WireFormats } from '../formats/wire-formats.ts';
import { dataUrlOf, isBase64, isDocument } from './base64.ts';
import type { JsonPath } from './json-path.ts';
import { type JsonMember, type JsonNode, rootOf } from './json-strings.ts';
import type { UninspectableKind } from './media.ts';
import { besideSignature } from './signed-url.ts';

// Ids of people are not ids of things: they are often an e-mail address.
const personIds =
  /(?:^|_|[a-z](?=[A-Z]))(?:user|customer|client|employee|patient|member|person|account|safety|tax|passport|national|citizen|resident|insurance|licen[cs]e|driver|card|payment|bank|iban|vat|wa|whatsapp|health|student|staff|contact|owner|sender|recipient|subscriber|e?mail|phone|mobile|social)(?:_?identifier|_?ids?|_?uuid|_?name|_?number)?$/i;
const idKey =
  /^(?:id|prompt_cache_key|uuid|guid|object|conversation|container|seed|nonce|etag|.*(?:_id|_ids|_uuid|Id|Ids|ID|Uuid))$/;
/** Names of base64 wherever they come from: `base64Source`, `Bytes`, `bytesBase64Encoded`. */
const binaryName = /base64|^bytes$/i;

const identifier = /^[A-Za-z0-9_.:/+=~$-]{0,512}$/;
// Nine digits and more may be a telephone or an identity number.
const word = /^(?!(?:\D*\d){9})[A-Za-z0-9_.:/+$-]{0,128}$/;
/** No id of a thing is written so: telephones, cards and social security numbers with their signs, and keys. */
const personal =
  /^(?:\+\d{8,15}|0\d{9,10}|(?:sk|pk|rk)[-_]\S{16,}|gh[pousr]_\S{30,}|0\d{1,4}-\d{1,4}-\d{3,4}|\d{3}-\d{3}-\d{4}|\d{3}-\d{2}-\d{4}|\d{4}-\d{4}-\d{4}-\d{4}|\d{4}-\d{4}-\d{4})$/;
/** Records of stores and indexes, among settings and positions: only a name tells there that a number is a person's. */
const recordZone =
  /(?:^|\.)(?:(?:metadatas|payloads?|vars|_source|fields|instances|(?:data|value|documents|objects|records|(?:upsert_)?rows)\[\])(?:\[\])*\.|properties\.[^.]+$)/;
/** What a service is told to fetch; anywhere else an address is a text like any other. */
const fetchedName =
  /^(?!source_?[uU]r[li]s?$)(?:ur[li]s?|src|speaker|image_tail|urlSource|(?:\w*_)?(?:ur[li]s?|(?:images?|audio|videos?|files?|mask|frame)(?:_(?:input|reference|prompt))?(?:_?\d{1,2})?|input_reference)|[a-z]\w*(?:Ur[li]s?|Image|Audio|Video|File))$/;
const schemaZone =
  /(?:^|\.)(?:properties|parameters|input_schema|inputSchema|schema|\$defs|definitions|items|anyOf|oneOf|allOf)(?:\[\])*\./;
// A member named "signature" may be the end of a letter; what a provider has signed has no spaces.
const opaque = /^[A-Za-z0-9+/_=.:~-]*$/;

/**
 * What keeps strings at one place of a document from being looked into, if their value looks like it:
 * `opaque` what is signed or encrypted, `id`, `word` settings; `none` nothing. Links are texts: there may be anybody in one.
 */
type Exemption = {
  readonly kind: 'none' | 'opaque' | 'id' | 'word';
  /** The name says that base64 stands there. */
  readonly isBinary: boolean;
  /** The place says it, too, so that also a short value is taken for it. */
  readonly isBinaryPlace: boolean;
  readonly otherwise: UninspectableKind;
  /** Below arguments or results of tools, where also a number may be a person's. */
  readonly mayHoldNumbers: boolean;
  /** In a record, where a number may be a person's if it is called so. */
  readonly isRecord: boolean;
  /** The service itself may fetch what an address here names. */
  readonly isFetched: boolean;
  /** Secrets are for the service here. */
  readonly isCredential: boolean;
};

/** Exemptions by place, as they were asked for; also of a place below the arguments of a tool, where names mean nothing. */
type Known = { structured?: Exemption; data?: Exemption };
const knownOf = new WeakMap<WireFormats, WeakMap<JsonPath, Known>>();

function exemptionAt(where: JsonPath, hasStructure: boolean, formats: WireFormats): Exemption {
  let known = knownOf.get(formats);
  if (known === undefined) {
    known = new WeakMap();
    knownOf.set(formats, known);
  }
  let entry = known.get(where);
  if (entry === undefined) {
    entry = {};
    known.set(where, entry);
  }
  if (hasStructure) {
    entry.structured ??= exemptionOf(where.text, formats);
    return entry.structured;
  }
  entry.data ??= exemptionOf(`arguments.${where.text}`, formats);
  return entry.data;
}

const binaryPlace = /(?:source|inline_?[dD]ata|input_audio|audio|images?|file|document|blob)(?:\[\])?(?:\.|$)/;

function exemptionOf(path: string, { request }: WireFormats): Exemption {
  const name = lastName(path);
  const inner = withoutEnvelope(path);
  return {
    kind: kindOf(path, name, request),
    isBinary: request.binary.has(name) || binaryName.test(name),
    isBinaryPlace: binaryPlace.test(path),
    otherwise: /audio/i.test(path)
      ? 'audio'
      : /image/i.test(path)
        ? 'image'
        : /file|document/i.test(path)
          ? 'document'
          : 'binary',
    mayHoldNumbers: request.numbers.test(inner),
    isRecord: recordZone.test(inner) && !(idKey.test(name) && !personIds.test(name)),
    isFetched:
      inner === 'source_url' ||
      (fetchedName.test(name) && !recordZone.test(inner) && (!request.data.test(inner) || /^input\./.test(inner))),
    isCredential: request.credentials.some((one) => one.test(inner)) && !request.data.test(inner),
  };
}

function kindOf(path: string, name: string, request: RequestRules): Exemption['kind'] {
  if (request.opaque.has(name)) return 'opaque';
  if (request.data.test(withoutEnvelope(path))) return 'none';
  if (name === 'type' || name === 'role' || name === 'object' || name === 'model') return 'id';
  if (idKey.test(name) && !personIds.test(name)) return 'id';
  if (request.words.has(name)) return 'word';
  if (name === 'name') return request.toolName.test(path) ? 'word' : 'none';
  if (name === 'required' || name === 'enum') return schemaZone.test(path) ? 'word' : 'none';
  return path === 'at' ? 'word' : 'none';
}

function isExempt(exemption: Exemption, value: string): boolean {
  switch (exemption.kind) {
    case 'none':
      return false;
    case 'opaque':
      return opaque.test(value);
    case 'id':
      return identifier.test(value) && !isPersonal(value);
    default:
      return word.test(value) && !isPersonal(value);
  }
}

const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

function isPersonal(value: string): boolean {
  return personal.test(value) || (iban.test(value) && isIbanChecksum(value));
}

/**
 * True when a string of a request is structure, opaque or binary and is not looked into.
 * `path` is the path with `[]` for positions. Rule R2 of the wire format reference; a value that does not look like its
 * exemption (an e-mail address as an id) is text.
 */
export function isStructural(path: string, value: string, formats = wireFormats): boolean {
  if (value.length === 0) return true;
  const exemption = exemptionOf(path, formats);
  if (exemption.kind === 'opaque') return isExempt(exemption, value);
  return dataUrlOf(value) !== undefined || isBinaryText(exemption, value) || isExempt(exemption, value);
}

/** {@link isStructural} for a member that is not binary; below arguments of a tool (`hasStructure` false) names mean nothing. */
export function isStructuralMember(member: JsonMember, hasStructure: boolean, formats: WireFormats): boolean {
  return isExempt(exemptionAt(member.where, hasStructure, formats), member.value);
}

/** True for a number of a member that may be a person's: data for tools, no setting. */
export function mayHoldNumbers(member: JsonMember, formats: WireFormats): boolean {
  return exemptionAt(member.where, true, formats).mayHoldNumbers;
}

/** True for a number of a record, which may be a person's where its name says so. */
export function isInRecord(member: JsonMember, formats: WireFormats): boolean {
  return exemptionAt(member.where, true, formats).isRecord;
}

/**
 * True for what the service presents to somebody else, and for what opens a connection of GraphQL
 * (graphql-ws, `connection_init`): secrets in it are for the receiver.
 */
export function isCredential({ node, where }: JsonMember, formats: WireFormats): boolean {
  if (exemptionAt(where, true, formats).isCredential) return true;
  if (!where.text.startsWith('payload.')) return false;
  return /^connection_?init$/i.test(rootOf(node).member('type')?.value ?? '');
}

/**
 * What of a presigned URL that the service is to fetch is no part of the signature: see `besideSignature`. Undefined for
 * any other value, and where the address is a text for the model.
 */
export function besideSignatureOf({ where, value }: JsonMember, formats: WireFormats): string | undefined {
  return exemptionAt(where, true, formats).isFetched ? besideSignature(value) : undefined;
}

/** The same of the value of a form. */
export function besideSignatureIn(name: string, value: string, formats = wireFormats): string | undefined {
  return exemptionOf(name, formats).isFetched ? besideSignature(value) : undefined;
}

/** `input[]` may be a list of messages, and batches wrap whole requests. */
function withoutEnvelope(path: string): string {
  return path.replace(/^(?:requests\[\]\.params\.|body\.|response\.)?(?:input\[\]\.)?/, '');
}

/** True for what a provider has encrypted: one long word without an address in it. */
export function isOpaqueText(value: string): boolean {
  return value.length >= 32 && opaque.test(value);
}

/** True for members whose value a provider has signed or encrypted. */
export function isOpaqueName(key: string, { request }: WireFormats = wireFormats): boolean {
  return request.opaque.has(key);
}

function lastName(path: string): string {
  let end = path.length;
  while (path.endsWith('[]', end)) end -= 2;
  return path.slice(path.lastIndexOf('.', end - 1) + 1, end);
}

function isBinaryText(exemption: Exemption, value: string): boolean {
  if (!exemption.isBinary || value.length < 8) return false;
  // Digits alone may be a telephone number in a field named "data".
  if (!/[A-Za-z]/.test(value.slice(0, 4096)) || !isBase64(value)) return false;
  return value.length >= 256 || exemption.isBinaryPlace;
}

const oneCase = /^(?:[a-z0-9+/_=\s-]*|[A-Z0-9+/_=\s-]*)$/;
/** What is shorter may have few signs by chance. */
const signsLengthMin = 128;
const signsMin = 17;

/** True for hexadecimal digits, sequences of bases and the like: bytes in base64 have letters of both cases, and many signs. */
function isPlainRun(value: string): boolean {
  return oneCase.test(value) || (value.length >= signsLengthMin && new Set(value.slice(0, 4096)).size < signsMin);
}

/** What is known of content in base64. */
export type BinaryHints = { readonly mediaType?: string; readonly otherwise?: UninspectableKind };

/** What is known of a string of a JSON body that is base64; undefined when it is no binary content. */
export function binaryString(member: JsonMember, hasStructure: boolean, formats: WireFormats): BinaryHints | undefined {
  return binaryOf(member.value, exemptionAt(member.where, hasStructure, formats), () => siblingMediaType(member.node));
}

/** The same of the value of a form. */
export function binaryValue(name: string, value: string, formats = wireFormats): BinaryHints | undefined {
  return binaryOf(value, exemptionOf(name, formats), () => undefined);
}

function binaryOf(value: string, exemption: Exemption, declared: () => string | undefined): BinaryHints | undefined {
  if (value.length < 8) return undefined;
  const isSigned = exemption.kind === 'opaque';
  const url = isSigned ? undefined : dataUrlOf(value);
  if (url === undefined && (isSigned || !isBinaryText(exemption, value)))
    return isDocument(value) ? { otherwise: 'document' } : undefined;
  const { otherwise, mayHoldNumbers } = exemption;
  const mediaType = url?.mediaType ?? declared();
  if (mediaType === undefined && (mayHoldNumbers || otherwise === 'binary') && isPlainRun(value)) return undefined;
  return mediaType === undefined ? { otherwise } : { mediaType, otherwise };
}

const isListWith = (value: unknown, name: string): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one) && name in one);
/** What stands beside the messages of an example, and of a request that somebody has kept. */
const besideMessages =
  /^(?:messages|contents|tools|functions|parallel_tool_calls|system|system_?instruction|model|temperature|max_tokens|weight)$/i;

/**
 * True for JSON that is made for a model, one request or several: a line of a batch or an example to train with. In a file only there names mean what they mean in a body.
 */
export function isModelRequest(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isObject(one) && isModelRequest(one));
  if (!isObject(value)) return false;
  if (wireFormats.isBatchLine(value)) return true;
  const isDialogue = isListWith(value.messages, 'role') || isListWith(value.contents, 'parts');
  return isDialogue && Object.keys(value).every((name) => besideMessages.test(name));
}

const typeName = /^(?:mime_?type|media_?type|content_?type)$/i;
/** Members with the media type of their object, as they were asked for; null where there is none. */
const typeMembers = new WeakMap<JsonNode, JsonMember | null>();

function siblingMediaType(node: JsonNode): string | undefined {
  let member = typeMembers.get(node);
  if (member === undefined) {
    member = node.members?.find(({ isString, key }) => isString && typeName.test(key)) ?? null;
    typeMembers.set(node, member);
  }
  return member?.value;
}
