/** Near misses of structure: which members of a request count as human text, by path and value. */
import { type Findings, JsonDocument } from '../../../core/payload/document.ts';
import type { Made } from './recognizers.ts';

const run = 'no sense at all, and more of it. ';
const base64 = (text: string) => btoa(text);

/** One sign for each in a row of the golden file, in this order. */
const values: readonly (string | number)[] = [
  '',
  'word',
  'two words',
  'in_1-2:3/x.y+$z',
  'jo@x.example',
  '12345678',
  '123456789',
  '1-2-3-4-5-6-7-8-9',
  'a'.repeat(128),
  'a'.repeat(129),
  'a'.repeat(513),
  'a=b~c',
  '#/$defs/x',
  'https://x.example/a.png',
  'https://jo@x.example/a',
  'https://x.example/a b',
  'ftp://x.example/a',
  'x-y.z:1',
  'data:image/png;base64,iVBORw0KGgo=',
  'data:text/plain;base64,aGVsbG8gd29ybGQ=',
  'data:text/plain,hello',
  'data: hello',
  'data:;base64,',
  base64('%PDF-1.7'),
  base64(`%PDF-1.7 ${run.repeat(3)}`),
  base64(`PK\u0003\u0004${run.repeat(3)}`),
  base64(run.repeat(10)),
  base64(run.repeat(5)).replace(/=+$/, ''),
  base64('\u0089PNG\r\n\u001a\n'.repeat(40)),
  `${base64(run.repeat(10))} and text`,
  '9'.repeat(300),
  '9'.repeat(11),
  4155550132,
  -415555013212,
  415555013212,
];

const memberNames =
  'id uuid object conversation seed nonce etag x_id x_ids xId xIds xID x_uuid xUuid type model role status finish_reason event op mode format detail ' +
  'language voice quality size purpose tool_choice keep_alive ttl scope action timezone version required enum name url image_url fileUri file_uri asset_pointer ' +
  'server_url $schema $ref signature thought_signature encrypted_content cached_content prompt_cache_key authorization_token data b64_json audio file_data bytes ' +
  'image images image_data audioBytes blob base64 inlineData content text title at ' +
  'user_id userId user customer_id client_uuid employeeId patient_number memberName account_id safety_identifier tax_id passportId license_id licence_id driver_id ' +
  'card_id healthId student_ids staff_name contact_id owner_id sender_id recipientId subscriber_id email_id mail_id phone_id mobileId social_id superuser_id discard_id';

const parents: readonly string[] = [
  '',
  'tool_calls[].function.',
  'tool_calls[].function.arguments.',
  'parts[].inline_data.',
];

/** The document with the value at a path. */
function documentOf(place: string, value: string | number): string {
  const parts = place.split('.').toReversed();
  return JSON.stringify(
    parts.reduce<unknown>((inner, part) => {
      const key = part.replace('[]', '');
      return { [key]: part.endsWith('[]') ? [inner] : inner };
    }, value),
  );
}

/** `t` text, `s` signed text, `i a d b` image, audio, document, other bytes, `.` nothing. */
function signOf(place: string, value: string | number): string {
  const findings: Findings = { leaves: [], sealed: [], uninspectable: [] };
  new JsonDocument(documentOf(place, value), findings, { level: 0, hasStructure: true });
  if (findings.sealed.length > 0) return 's';
  if (findings.uninspectable.length > 0) return findings.uninspectable[0]?.kind[0] ?? '?';
  if (findings.leaves.includes(String(value))) return 't';
  return findings.leaves.length > 0 ? 'o' : '.';
}

/** For each path, rows of names with one sign per value; names with equal rows are grouped. */
export function memberBlocks(): Made[] {
  return parents.map((parent) => {
    const head = `request: ${parent || '(top)'}`;
    const make = () => {
      const groups = new Map<string, string[]>();
      for (const name of memberNames.split(' ')) {
        const signs = values.map((value) => signOf(parent + name, value)).join('');
        groups.set(signs, [...(groups.get(signs) ?? []), name]);
      }
      return [head, ...[...groups].map(([signs, equal]) => `${signs} ${equal.join(' ')}`)].join('\n');
    };
    return { name: head, make };
  });
}
