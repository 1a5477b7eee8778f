/**
 * Distinguishes structure from text in request JSON. Unknown strings are inspected: a list of text fields would miss
 * text that a provider moves to a new field. An exemption needs both a name (core/formats) and a matching value.
 */
import { isIbanChecksum } from '../checksums.ts';
import { wireFormats } from '../formats/index.ts';
import type { RequestRules, WireFormats } from '../formats/wire-formats.ts';
import { isObject } from '../parsing.ts';
import { anyOf } from '../patterns.ts';
import { codedWordsIn, dataUrlOf, isBase64, isDocument } from './base64.ts';
import type { JsonPath } from './json-path.ts';
import { type JsonMember, type JsonNode, rootOf } from './json-strings.ts';
import type { UninspectableKind } from './media.ts';
import { besideSignature } from './signed-url.ts';

// Ids of people are often e-mail addresses and therefore not exempt.
const ofPeople = anyOf(`
  user customer client employee patient member person account safety tax passport national citizen resident insurance
  licen[cs]e driver card payment bank iban vat wa whatsapp health student staff contact owner sender recipient subscriber
  e?mail phone mobile social`);
const personIds = new RegExp(`(?:^|_|[a-z](?=[A-Z]))${ofPeople}(?:_?identifier|_?ids?|_?uuid|_?name|_?number)?$`, 'i');
const idKey = new RegExp(
  `^${anyOf(`
    id prompt_cache_key uuid guid object conversation container seed nonce etag
    .*(?:_id|_ids|_uuid|Id|Ids|ID|Uuid)`)}$`,
);
/** Generic names of base64: `base64Source`, `Bytes`, `bytesBase64Encoded`. */
const binaryName = /base64|^bytes$/i;

// Some relays append signed reasoning to the ids of calls.
const identifier = /^[A-Za-z0-9_.:/+=~$-]{0,8192}$/;
/** A longer one is no id if it is text in base64 or hexadecimal. */
const plainIdMax = 512;
// Nine or more digits may be a phone or identity number.
const word = /^(?!(?:\D*\d){9})[A-Za-z0-9_.:/+$-]{0,128}$/;
/** Never the id of an object: phone, card and social security numbers in their usual form, and keys. */
const personal = new RegExp(
  `^${anyOf(String.raw`
    \+\d{8,15} 0\d{9,10} (?:sk|pk|rk)[-_]\S{16,} gh[pousr]_\S{30,}
    0\d{1,4}-\d{1,4}-\d{3,4} \d{3}-\d{3}-\d{4} \d{3}-\d{2}-\d{4} \d{4}-\d{4}-\d{4}-\d{4} \d{4}-\d{4}-\d{4}`)}$`,
);
const recordLists = anyOf(String.raw`
  metadatas payloads? vars _source fields instances
  (?:data|value|documents|objects|records|(?:upsert_)?rows)\[\]`);
/** Records of stores and indexes, where a number counts only if its name is personal. */
const recordZone = new RegExp(String.raw`(?:^|\.)(?:${recordLists}(?:\[\])*\.|properties\.[^.]+$)`);
const fetchedFile = String.raw`(?:images?|audio|videos?|files?|mask|frame)(?:_(?:input|reference|prompt))?(?:_?\d{1,2})?`;
/** URLs that the service fetches; other URLs are texts. */
const fetchedName = new RegExp(
  `^(?!source_?[uU]r[li]s?$)${anyOf(String.raw`
    ur[li]s? src speaker image_tail urlSource
    (?:\w*_)?(?:ur[li]s?|${fetchedFile}|input_reference)
    [a-z]\w*(?:Ur[li]s?|Image|Audio|Video|File)`)}$`,
);
const schemaKeys = anyOf(String.raw`
  properties parameters input_schema inputSchema schema \$defs definitions items anyOf oneOf allOf`);
const schemaZone = new RegExp(String.raw`(?:^|\.)${schemaKeys}(?:\[\])*\.`);
// "signature" may also name the closing of a letter; a provider's signature has no spaces.
const opaque = /^[A-Za-z0-9+/_=.:~-]*$/;

/**
 * Why the strings at a path are exempt, if their value matches: `opaque` is signed or encrypted, so is a long
 * `ciphertext`, `id` an id, `word` a setting, `relay` a relay's sign-in; `none` inspects everything. Links are texts,
 * because they may name people.
 */
type Exemption = {
  readonly kind: 'none' | 'relay' | 'opaque' | 'ciphertext' | 'id' | 'word';
  /** True if the name suggests base64. */
  readonly isBinary: boolean;
  /** True if the path suggests it too, so that short values count as well. */
  readonly isBinaryPlace: boolean;
  readonly otherwise: UninspectableKind;
  /** True in tool arguments or results, where a number may be personal. */
  readonly mayHoldNumbers: boolean;
  /** True in a record, where a number may be personal if its name is. */
  readonly isRecord: boolean;
  /** True if the service may fetch a URL here. */
  readonly isFetched: boolean;
  /** True if secrets here are meant for the service. */
  readonly isCredential: boolean;
};

/** Cached exemptions of a path: in a request, and in tool data, where names have no meaning. */
type Known = { readonly formats: WireFormats; structured?: Exemption; data?: Exemption };

function exemptionAt(where: JsonPath, hasStructure: boolean, formats: WireFormats): Exemption {
  let known = where.memo as Known | undefined;
  if (known?.formats !== formats) {
    known = { formats };
    where.memo = known;
  }
  if (hasStructure) {
    known.structured ??= exemptionOf(where.text, formats);
    return known.structured;
  }
  known.data ??= exemptionOf(`arguments.${where.text}`, formats);
  return known.data;
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
    isCredential: request.credentials.some((pattern) => pattern.test(inner)) && !request.data.test(inner),
  };
}

/** A call's sign-in to its relay (WebRTC `RTCIceServer`): a user name with a time in it, and its hash. */
const relayPlace = /(?:^|\.)ice_?[sS]ervers\[\]\.(?:username|credential)$/;

function kindOf(path: string, name: string, request: RequestRules): Exemption['kind'] {
  if (relayPlace.test(path)) return 'relay';
  if (request.opaque.has(name)) return 'opaque';
  if (request.ciphertexts.has(name)) return 'ciphertext';
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
    case 'relay':
      return true;
    case 'opaque':
      return opaque.test(value);
    case 'ciphertext':
      return isOpaqueText(value);
    case 'id':
      return identifier.test(value) && !isPersonal(value) && !isCodedText(value);
    default:
      return word.test(value) && !isPersonal(value);
  }
}

function isCodedText(value: string): boolean {
  return value.length > plainIdMax && codedWordsIn(value).length > 0;
}

const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

function isPersonal(value: string): boolean {
  return personal.test(value) || (iban.test(value) && isIbanChecksum(value));
}

/**
 * True for a structural, opaque or binary string of a request, which is not inspected. `path` has `[]` for positions. A
 * value that does not match its exemption (an e-mail address as an id) is text.
 */
export function isStructural(path: string, value: string, formats = wireFormats): boolean {
  if (value.length === 0) return true;
  const exemption = exemptionOf(path, formats);
  if (exemption.kind === 'opaque') return isExempt(exemption, value);
  return dataUrlOf(value) !== undefined || isBinaryText(exemption, value) || isExempt(exemption, value);
}

/** {@link isStructural} for a non-binary member; `hasStructure` is false in tool data, where names have no meaning. */
export function isStructuralMember(member: JsonMember, hasStructure: boolean, formats: WireFormats): boolean {
  return isExempt(exemptionAt(member.where, hasStructure, formats), member.value);
}

/** True if a number here may be personal: tool data rather than a setting. */
export function mayHoldNumbers(member: JsonMember, formats: WireFormats): boolean {
  return exemptionAt(member.where, true, formats).mayHoldNumbers;
}

/** True if a number here is part of a record, so its name decides. */
export function isInRecord(member: JsonMember, formats: WireFormats): boolean {
  return exemptionAt(member.where, true, formats).isRecord;
}

/**
 * True for credentials that the service presents to a third party, and in the message that opens a GraphQL connection
 * (graphql-ws, `connection_init`): such secrets are meant for the receiver.
 */
export function isCredential({ node, where }: JsonMember, formats: WireFormats): boolean {
  if (exemptionAt(where, true, formats).isCredential) return true;
  if (!where.text.startsWith('payload.')) return false;
  return /^connection_?init$/i.test(rootOf(node).member('type')?.value ?? '');
}

/** The unsigned parts of a presigned URL that the service fetches (see `besideSignature`); otherwise undefined. */
export function besideSignatureOf({ where, value }: JsonMember, formats: WireFormats): string | undefined {
  return exemptionAt(where, true, formats).isFetched ? besideSignature(value) : undefined;
}

/** The same for a form value. */
export function besideSignatureIn(name: string, value: string, formats = wireFormats): string | undefined {
  return exemptionOf(name, formats).isFetched ? besideSignature(value) : undefined;
}

/** The path without an envelope: `input[]` may be a list of messages, and batches wrap complete requests. */
function withoutEnvelope(path: string): string {
  return path.replace(/^(?:requests\[\]\.params\.|body\.|response\.)?(?:input\[\]\.)?/, '');
}

/** True for encrypted data: one long word without an e-mail address. */
export function isOpaqueText(value: string): boolean {
  return value.length >= 32 && opaque.test(value);
}

/** True for names of signed or encrypted values. */
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
  // Digits alone in a field named "data" may be a phone number.
  if (!/[A-Za-z]/.test(value.slice(0, 4096)) || !isBase64(value)) return false;
  return value.length >= 256 || exemption.isBinaryPlace;
}

const oneCase = /^(?:[a-z0-9+/_=\s-]*|[A-Z0-9+/_=\s-]*)$/;
/** Shorter text may use few different characters by chance. */
const signsLengthMin = 128;
const signsMin = 17;

/** True for hex digits, DNA sequences and the like; base64 mixes cases and uses many characters. */
function isPlainRun(value: string): boolean {
  return oneCase.test(value) || (value.length >= signsLengthMin && new Set(value.slice(0, 4096)).size < signsMin);
}

/** Metadata of base64 content. */
export type BinaryHints = { readonly mediaType?: string; readonly otherwise?: UninspectableKind };

/** The metadata of a base64 string; undefined if it is not binary content. */
export function binaryString(member: JsonMember, hasStructure: boolean, formats: WireFormats): BinaryHints | undefined {
  return binaryOf(member.value, exemptionAt(member.where, hasStructure, formats), () => siblingMediaType(member.node));
}

/** The same for a form value. */
export function binaryValue(name: string, value: string, formats = wireFormats): BinaryHints | undefined {
  return binaryOf(value, exemptionOf(name, formats), () => undefined);
}

function binaryOf(value: string, exemption: Exemption, declared: () => string | undefined): BinaryHints | undefined {
  if (value.length < 8) return undefined;
  const isSigned = exemption.kind === 'opaque' || exemption.kind === 'ciphertext';
  const url = isSigned ? undefined : dataUrlOf(value);
  if (url === undefined && (isSigned || !isBinaryText(exemption, value)))
    return isDocument(value) ? { otherwise: 'document' } : undefined;
  const { otherwise, mayHoldNumbers } = exemption;
  const mediaType = url?.mediaType ?? declared();
  if (mediaType === undefined && (mayHoldNumbers || otherwise === 'binary') && isPlainRun(value)) return undefined;
  return mediaType === undefined ? { otherwise } : { mediaType, otherwise };
}

const isListWith = (value: unknown, name: string): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((element) => isObject(element) && name in element);
/** Siblings of the messages of a training example or a saved request. */
const besideMessages = new RegExp(
  `^${anyOf(`messages contents tools functions parallel_tool_calls system system_?instruction model temperature max_tokens
    weight`)}$`,
  'i',
);

/** True for JSON made for a model (requests, batch lines, training examples): only there do names have a meaning. */
export function isModelRequest(value: unknown): boolean {
  if (Array.isArray(value))
    return value.length > 0 && value.every((element) => isObject(element) && isModelRequest(element));
  if (!isObject(value)) return false;
  if (wireFormats.isBatchLine(value)) return true;
  const isDialogue = isListWith(value.messages, 'role') || isListWith(value.contents, 'parts');
  return isDialogue && Object.keys(value).every((name) => besideMessages.test(name));
}

const typeName = /^(?:mime_?type|media_?type|content_?type)$/i;
/** Cached media type members of objects; null if there is none. */
const typeMembers = new WeakMap<JsonNode, JsonMember | null>();

function siblingMediaType(node: JsonNode): string | undefined {
  let member = typeMembers.get(node);
  if (member === undefined) {
    member = node.members?.find(({ isString, key }) => isString && typeName.test(key)) ?? null;
    typeMembers.set(node, member);
  }
  return member?.value;
}
