/**
 * What in a provider's JSON is machinery and not a person's text.
 * The default for an unknown string is to inspect it: a list of known text fields alone lets text through
 * that a provider has moved to a new field. Exemptions need a name that says so AND a value that looks like it.
 */
import { isIbanChecksum } from '../checksums.ts';
import { dataUrlOf, isBase64, isDocument } from './base64.ts';
import type { JsonPath } from './json-path.ts';
import type { JsonMember, JsonNode } from './json-strings.ts';
import type { UninspectableKind } from './media.ts';
import { besideSignature } from './signed-url.ts';

// Ids of people are not ids of things: they are often an e-mail address.
const personIds =
  /(?:^|_|[a-z](?=[A-Z]))(?:user|customer|client|employee|patient|member|person|account|safety|tax|passport|national|citizen|resident|insurance|licen[cs]e|driver|card|payment|bank|iban|vat|wa|whatsapp|health|student|staff|contact|owner|sender|recipient|subscriber|e?mail|phone|mobile|social)(?:_?identifier|_?ids?|_?uuid|_?name|_?number)?$/i;
const idKey =
  /^(?:id|prompt_cache_key|uuid|guid|object|conversation|container|seed|nonce|etag|.*(?:_id|_ids|_uuid|Id|Ids|ID|Uuid))$/;
const enumKeys = new Set(
  (
    'model type role object status effort reasoning_effort service_tier finish_reason stop_reason finishReason event op mode format encoding_format ' +
    'detail verbosity truncation mime_type mimeType media_type mediaType content_type language response_format voice quality size ' +
    'background moderation style purpose tool_choice toolChoice function_call modality responseMimeType anthropic_version keep_alive ' +
    'ttl phase execution strict scope visibility action timezone version locale output_format input_type truncate allowedFunctionNames allowed_function_names'
  ).split(' '),
);
const opaqueKeys = new Set(
  (
    'signature thoughtSignature thought_signature encrypted_content encrypted_index cachedContent cached_content obfuscation ' +
    'system_fingerprint authorization_token'
  ).split(' '),
);
const binaryKeys = new Set(
  'data b64_json audio file_data image images image_data imageBytes audioBytes blob inlineData contentBytes'.split(' '),
);
/** Names of base64 wherever they come from: `base64Source`, `Bytes`, `bytesBase64Encoded`. */
const binaryName = /base64|^bytes$/i;

const identifier = /^[A-Za-z0-9_.:/+=~$-]{0,512}$/;
// Nine digits and more may be a telephone or an identity number.
const word = /^(?!(?:\D*\d){9})[A-Za-z0-9_.:/+$-]{0,128}$/;
/** No id of a thing is written so: telephones, cards and social security numbers with their signs, and keys. */
const personal =
  /^(?:\+\d{8,15}|0\d{9,10}|(?:sk|pk|rk)[-_]\S{16,}|gh[pousr]_\S{30,}|0\d{1,4}-\d{1,4}-\d{3,4}|\d{3}-\d{3}-\d{4}|\d{3}-\d{2}-\d{4}|\d{4}-\d{4}-\d{4}-\d{4}|\d{4}-\d{4}-\d{4})$/;
const nameOfTool =
  /(?:^|\.)(?:tools?|functions?|tool_calls|toolCalls|tool_choice|toolChoice|function_?[cC]all|function_?[dD]eclarations|function_?[rR]esponse|json_schema|toolUse|toolSpec|mcp_servers|content|input|output|item|parts|custom|allowedFunctionNames)(?:\[\])*\.(?:.*\.)?name$/;
// Arguments and results of tools, and free-form settings: nothing in there has a meaning that we know.
const userZone =
  /(?:^|\.)(?:inputs?|arguments|args|partial_json|response|result|outputs|metadata|(?:[a-z]+_)?variables|[a-z]*[aA]ttributes|labels|params|content\[\]\.json|call\.parameters|(?:documents|[a-z_]*references)\[\]\.data|instances|structuredContent|structured_content)(?:\[\])*\./;
const resultZone =
  /(?:^|\.)(?:inputs?|arguments|args|response|result|outputs?|metadata|(?:[a-z]+_)?variables|[a-z]*[aA]ttributes|labels|content\[\]\.json|call\.parameters|(?:documents|[a-z_]*references)\[\]\.data|structuredContent|structured_content)(?:\[\])*\./;
/** Records of stores and indexes, among settings and positions: only a name tells there that a number is a person's. */
const recordZone =
  /(?:^|\.)(?:(?:metadatas|payloads?|vars|_source|fields|instances|(?:data|value|documents|objects|records|(?:upsert_)?rows)\[\])(?:\[\])*\.|properties\.[^.]+$)/;
/** Credentials a service needs for an MCP server or a data source: sent on unchanged. */
const credentialPlace =
  /(?:^|\.)(?:(?:tools|mcp_?[sS]ervers)\[\]\.(?:(?:mcp_?[sS]ervers?|\w*[tT]ransport)(?:\[\])*\.)*(?:authorization|(?:\w+_)?headers\.[^.]+)|data_?[sS]ources\[\]\.parameters\.authentication\..+)$/;
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
const known = new WeakMap<JsonPath, Known>();

function exemptionAt(where: JsonPath, hasStructure: boolean): Exemption {
  let entry = known.get(where);
  if (entry === undefined) {
    entry = {};
    known.set(where, entry);
  }
  if (hasStructure) {
    entry.structured ??= exemptionOf(where.text);
    return entry.structured;
  }
  entry.data ??= exemptionOf(`arguments.${where.text}`);
  return entry.data;
}

const binaryPlace = /(?:source|inline_?[dD]ata|input_audio|audio|images?|file|document|blob)(?:\[\])?(?:\.|$)/;

function exemptionOf(path: string): Exemption {
  const name = lastName(path);
  const inner = withoutEnvelope(path);
  return {
    kind: kindOf(path, name),
    isBinary: binaryKeys.has(name) || binaryName.test(name),
    isBinaryPlace: binaryPlace.test(path),
    otherwise: /audio/i.test(path)
      ? 'audio'
      : /image/i.test(path)
        ? 'image'
        : /file|document/i.test(path)
          ? 'document'
          : 'binary',
    mayHoldNumbers: resultZone.test(inner),
    isRecord: recordZone.test(inner) && !(idKey.test(name) && !personIds.test(name)),
    isFetched:
      inner === 'source_url' ||
      (fetchedName.test(name) && !recordZone.test(inner) && (!userZone.test(inner) || /^input\./.test(inner))),
    isCredential: credentialPlace.test(inner) && !userZone.test(inner),
  };
}

function kindOf(path: string, name: string): Exemption['kind'] {
  if (opaqueKeys.has(name)) return 'opaque';
  if (userZone.test(withoutEnvelope(path))) return 'none';
  if (name === 'type' || name === 'role' || name === 'object' || name === 'model') return 'id';
  if (idKey.test(name) && !personIds.test(name)) return 'id';
  if (enumKeys.has(name)) return 'word';
  if (name === 'name') return nameOfTool.test(path) ? 'word' : 'none';
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
export function isStructural(path: string, value: string): boolean {
  if (value.length === 0) return true;
  const exemption = exemptionOf(path);
  if (exemption.kind === 'opaque') return isExempt(exemption, value);
  return dataUrlOf(value) !== undefined || isBinaryText(exemption, value) || isExempt(exemption, value);
}

/** {@link isStructural} for a member that is not binary; below arguments of a tool (`hasStructure` false) names mean nothing. */
export function isStructuralMember(member: JsonMember, hasStructure: boolean): boolean {
  return isExempt(exemptionAt(member.where, hasStructure), member.value);
}

/** True for a number of a member that may be a person's: data for tools, no setting. */
export function mayHoldNumbers(member: JsonMember): boolean {
  return exemptionAt(member.where, true).mayHoldNumbers;
}

/** True for a number of a record, which may be a person's where its name says so. */
export function isInRecord(member: JsonMember): boolean {
  return exemptionAt(member.where, true).isRecord;
}

/**
 * True for what the service presents to somebody else, and for what opens a connection of GraphQL
 * (graphql-ws, `connection_init`): secrets in it are for the receiver.
 */
export function isCredential({ node, where }: JsonMember): boolean {
  if (exemptionAt(where, true).isCredential) return true;
  if (!where.text.startsWith('payload.')) return false;
  let top = node;
  while (top.parent?.parent) top = top.parent;
  return /^connection_?init$/i.test(top.member('type')?.value ?? '');
}

/**
 * What of a presigned URL that the service is to fetch is no part of the signature: see `besideSignature`. Undefined for
 * any other value, and where the address is a text for the model.
 */
export function besideSignatureOf({ where, value }: JsonMember): string | undefined {
  return exemptionAt(where, true).isFetched ? besideSignature(value) : undefined;
}

/** The same of the value of a form. */
export function besideSignatureIn(name: string, value: string): string | undefined {
  return exemptionOf(name).isFetched ? besideSignature(value) : undefined;
}

/** `input[]` of OpenAI Responses is a list of messages, and batches wrap whole requests. */
function withoutEnvelope(path: string): string {
  return path.replace(/^(?:requests\[\]\.params\.|body\.|response\.)?(?:input\[\]\.)?/, '');
}

/** True for what a provider has encrypted: one long word without an address in it. */
export function isOpaqueText(value: string): boolean {
  return value.length >= 32 && opaque.test(value);
}

/** True for members whose value a provider has signed or encrypted. */
export function isOpaqueName(key: string): boolean {
  return opaqueKeys.has(key);
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
export function binaryString(member: JsonMember, hasStructure: boolean): BinaryHints | undefined {
  return binaryOf(member.value, exemptionAt(member.where, hasStructure), () => siblingMediaType(member.node));
}

/** The same of the value of a form. */
export function binaryValue(name: string, value: string): BinaryHints | undefined {
  return binaryOf(value, exemptionOf(name), () => undefined);
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

type Json = { readonly [name: string]: unknown };
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isListWith = (value: unknown, name: string): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one) && name in one);
/** What stands beside the messages of an example, and of a request that somebody has kept. */
const besideMessages =
  /^(?:messages|contents|tools|functions|parallel_tool_calls|system|system_?instruction|model|temperature|max_tokens|weight)$/i;

/**
 * True for JSON that is made for a model, one request or several: a line of a batch (OpenAI, Anthropic, Gemini, Bedrock) or
 * an example to train with. In a file only there names mean what they mean in a body.
 */
export function isModelRequest(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isObject(one) && isModelRequest(one));
  if (!isObject(value)) return false;
  if ('custom_id' in value) return isObject(value.body) || isObject(value.params);
  if (isObject(value.modelInput) || (isObject(value.request) && 'contents' in value.request)) return true;
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
