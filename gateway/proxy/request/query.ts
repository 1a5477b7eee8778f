/** Query strings of requests and WebSocket upgrades: some services take the prompt there. */
import { percentDecoded } from '../../../core/payload/percent.ts';
import type { BodyMasker, MaskingInput } from '../body/masking.ts';
import type { RequestRecord } from './record.ts';

/**
 * Parameters that authenticate the client, if the value looks like a credential: masking would only break the request.
 * Other values under these names are inspected, because `code` may be a program.
 */
const credentialNames = /^(?:key|api[-_]?key|access_token|token|code|state|sig|signature|x-(?:amz|goog)-[^=]*)$/;
const credentialValue = /^(?=.*[a-z])(?:[\w.~=/-]|%2f|%2b|%3d){12,}$/i;

function isCredential(part: string): boolean {
  const equals = part.indexOf('=');
  if (equals === -1 || !credentialValue.test(part.slice(equals + 1))) return false;
  return credentialNames.test(parameterName(part.slice(0, equals)));
}

/** How often a name is decoded: chained servers may each decode it once. */
const decodingsMax = 3;

/** A parameter name as servers read it: decoded, trimmed, in lower case. */
export function parameterName(encoded: string): string {
  let name = encoded;
  for (let i = 0; i < decodingsMax && name.includes('%'); i++) name = percentDecoded(name);
  return name.replaceAll('+', ' ').trim().toLowerCase();
}

/** Masks names and values in the target's query; the path is unchanged. Adds counts to the record. */
export async function maskQuery(
  masker: BodyMasker,
  common: Omit<MaskingInput, 'body' | 'contentType' | 'contentEncoding'>,
  path: string,
  record: Pick<RequestRecord, 'piiTypes' | 'masked'>,
): Promise<string> {
  const mark = path.indexOf('?');
  if (mark === -1 || mark === path.length - 1) return path;
  const parts = path.slice(mark + 1).split('&');
  // Shorter text is never PII, except a dictionary term.
  const shortest = masker.options.dictionary.length > 0 ? 1 : 6;
  let changed = false;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    if (part.length < shortest || isCredential(part)) continue;
    const result = await masker.maskText(
      { ...common, body: Buffer.alloc(0), contentType: 'application/x-www-form-urlencoded' },
      part,
    );
    record.piiTypes = mergeCounts(record.piiTypes, result.counts);
    if (!result.changed) continue;
    parts[i] = result.body.toString('utf8');
    record.masked += result.masked;
    changed = true;
  }
  return changed ? `${path.slice(0, mark)}?${parts.join('&')}` : path;
}

/** Adds two sets of counts by PII type. */
export function mergeCounts(
  a: Record<string, number> | undefined,
  b: Record<string, number> | undefined,
): Record<string, number> | undefined {
  if (!a || !b) return a ?? b;
  const merged = { ...a };
  for (const [type, count] of Object.entries(b)) merged[type] = (merged[type] ?? 0) + count;
  return merged;
}
