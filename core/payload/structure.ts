/**
 * What in a provider's JSON is machinery and not a person's text.
 * The default for an unknown string is to inspect it: a list of known text fields alone lets text through
 * that a provider has moved to a new field. Exemptions need a name that says so AND a value that looks like it.
 */
import type { JsonMember, JsonNode } from './json-strings.ts';
import type { UninspectableKind } from './media.ts';

// Ids of people are not ids of things: they are often an e-mail address.
const personIds =
  /^(?:user|end_?user|customer|client|employee|patient|member|person|account|safety)(?:_?identifier|_?id|_?name)?$/i;
const idKey = /^(?:id|uuid|guid|object|conversation|container|seed|nonce|etag|.*(?:_id|_ids|_uuid|Id|Ids|ID|Uuid))$/;
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
    'system_fingerprint prompt_cache_key authorization_token'
  ).split(' '),
);
const binaryKeys = new Set(
  'data b64_json audio file_data bytes image images image_data imageBytes audioBytes blob base64 inlineData'.split(' '),
);
const linkKeys = new Set(['fileUri', 'file_uri', 'image_url', 'asset_pointer', 'server_url', '$schema', '$ref']);

const identifier = /^[A-Za-z0-9_.:/+=~$-]{0,512}$/;
const word = /^[A-Za-z0-9_.:/+$-]{0,128}$/;
const toolName =
  /(?:^|\.)(?:tools?|functions?|tool_calls|toolCalls|tool_choice|toolChoice|function_?[cC]all|function_?[dD]eclarations|function_?[rR]esponse|json_schema|toolUse|toolSpec|mcp_servers|content|input|output|item|parts|custom|allowedFunctionNames)(?:\[\])*\.(?:.*\.)?name$/;
// Arguments and results of tools, and free-form settings: nothing in there has a meaning that we know.
const userZone =
  /(?:^|\.)(?:input|arguments|args|partial_json|response|result|metadata|variables|labels|params|structuredContent|structured_content)(?:\[\])*\./;
const resultZone = /(?:^|\.)(?:input|arguments|args|response|result|structuredContent|structured_content)(?:\[\])*\./;
const schemaZone =
  /(?:^|\.)(?:properties|parameters|input_schema|inputSchema|schema|\$defs|definitions|items|anyOf|oneOf|allOf)(?:\[\])*\./;
// Only with base64 behind it: a text may begin with the word "data:".
const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[\w.+-]+)*;base64,[A-Za-z0-9+/_=\r\n-]*$/i;
const base64 = /^[A-Za-z0-9+/_-]{8,}={0,2}\s*$/;
// A member named "signature" may be the end of a letter; what a provider has signed has no spaces.
const opaque = /^[A-Za-z0-9+/_=.:~-]*$/;

/**
 * True when a string of a request is structure, opaque or binary and is not looked into.
 * `path` is the path with `[]` for positions, `key` the name of the member ('' for an element of an array).
 * Rule R2 of the wire format reference; a value that does not look like its exemption (an e-mail address as an id) is text.
 */
export function isStructural(path: string, key: string, value: string): boolean {
  if (value.length === 0) return true;
  const name = key === '' ? lastName(path) : key;
  if (!isExemptName(name) && !value.startsWith('data:')) return false;
  if (opaqueKeys.has(name)) return opaque.test(value);
  if (isBinaryText(path, name, value)) return true;
  if (inUserZone(path)) return false;
  if (name === 'type' || name === 'role' || name === 'object' || name === 'model') return identifier.test(value);
  if (idKey.test(name) && !personIds.test(name)) return identifier.test(value);
  if (enumKeys.has(name)) return word.test(value);
  if (name === 'name') return toolName.test(path) && word.test(value);
  if (name === 'required' || name === 'enum') return schemaZone.test(path) && word.test(value);
  if (linkKeys.has(name)) return !value.includes('@') && /^[a-z][\w+.-]*:/i.test(value) && !/\s/.test(value);
  if (name === 'url') return path.endsWith('image_url.url') && /^https?:/.test(value) && !/[@\s]/.test(value);
  return name === 'at' && path === 'at' && word.test(value);
}

/** {@link isStructural} for a member; below arguments of a tool (`hasStructure` false) names mean nothing. */
export function isStructuralMember(member: JsonMember, hasStructure: boolean): boolean {
  // Most strings stand in members whose name exempts nothing; their path is never built.
  if (!isExemptName(nameOf(member)) && !member.value.startsWith('data:')) return member.value.length === 0;
  return isStructural(hasStructure ? member.path : `arguments.${member.path}`, member.key, member.value);
}

const exemptNames = new Map<string, boolean>();

/** True when a member of that name may be exempt, depending on its path and value. */
function isExemptName(name: string): boolean {
  let exempt = exemptNames.get(name);
  if (exempt === undefined) {
    exempt =
      opaqueKeys.has(name) ||
      binaryKeys.has(name) ||
      enumKeys.has(name) ||
      linkKeys.has(name) ||
      idKey.test(name) ||
      /^(?:name|required|enum|url|at)$/.test(name);
    // Names come from outside, so what is remembered is bounded.
    if (exemptNames.size < 2000) exemptNames.set(name, exempt);
  }
  return exempt;
}

/** Name of a member, for an element of an array that of the array. */
function nameOf(member: JsonMember): string {
  let { key } = member;
  for (let node: JsonNode | undefined = member.node; key === '' && node; node = node.parent) key = node.key;
  return key;
}

/** True for a path below arguments, results or free-form settings, where names like `id` say nothing. */
export function inUserZone(path: string): boolean {
  // `input[]` of OpenAI Responses is a list of messages, and batches wrap whole requests.
  return userZone.test(path.replace(/^(?:requests\[\]\.params\.|body\.|response\.)?(?:input\[\]\.)?/, ''));
}

/** True for a path below arguments or results of tools, where also a number may be a person's. */
export function inResultZone(path: string): boolean {
  return resultZone.test(path.replace(/^(?:requests\[\]\.params\.|body\.|response\.)?(?:input\[\]\.)?/, ''));
}

/** True for a name of a member as protocols and schemas have them; any other name (an e-mail address) is text. */
export function isStructuralKey(key: string): boolean {
  return /^(?:[A-Za-z_$][\w$./:-]{0,63}|\d{1,6})$/.test(key);
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

function isBinaryText(path: string, name: string, value: string): boolean {
  if (value.startsWith('data:') && dataUrl.test(value)) return true;
  if (!binaryKeys.has(name) || value.length < 8) return false;
  // Digits alone may be a telephone number in a field named "data".
  if (!/[A-Za-z]/.test(value.slice(0, 4096)) || !base64.test(value)) return false;
  if (value.length >= 256) return true;
  return /(?:source|inline_?[dD]ata|input_audio|audio|images?|file|document|blob)(?:\[\])?(?:\.|$)/.test(path);
}

/** What is known of a string of a JSON body that is base64; undefined when it is no binary content. */
export function binaryString(
  leaf: JsonMember,
): { readonly mediaType?: string; readonly otherwise?: UninspectableKind } | undefined {
  const value = leaf.value;
  if (value.length < 8) return undefined;
  const name = nameOf(leaf);
  if (opaqueKeys.has(name) || (!binaryKeys.has(name) && !value.startsWith('data:'))) return undefined;
  const path = leaf.path;
  if (!isBinaryText(path, name, value)) return undefined;
  const url = value.startsWith('data:') ? dataUrl.exec(value) : null;
  const mediaType = url?.[1] ?? siblingMediaType(leaf.node);
  const otherwise = /audio/i.test(path)
    ? 'audio'
    : /image/i.test(path)
      ? 'image'
      : /file|document/i.test(path)
        ? 'document'
        : 'binary';
  return mediaType === undefined ? { otherwise } : { mediaType, otherwise };
}

function siblingMediaType(node: JsonNode): string | undefined {
  for (const member of node.members ?? []) {
    if (member.isString && /^(?:mime_?type|media_?type|content_?type)$/i.test(member.key)) return member.value;
  }
  return undefined;
}
