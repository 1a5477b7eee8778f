/** Keys of AI services, clouds and code hosts, by their published prefixes; other secrets by the name that is given them. */
import { entropyOf } from '../checksums.ts';
import type { Detection, Recognizer } from '../recognizer.ts';
import { matchesIn, type ScanText } from '../shadow.ts';

const left = '(?<![A-Za-z0-9_])';
const right = '(?![A-Za-z0-9_])';
const families = new RegExp(
  `${left}(?:${[
    'sk-ant-(?:api|admin|sid|oat)[0-9]{2}-[A-Za-z0-9_-]{80,200}',
    'sk-(?:proj|svcacct|admin|or-v1|lf)-[A-Za-z0-9_-]{20,200}',
    'sk-[A-Za-z0-9]{20,100}',
    'AIzaSy[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])',
    'hf_[A-Za-z0-9]{30,60}',
    'gsk_[A-Za-z0-9]{40,80}',
    'pplx-[A-Za-z0-9]{40,80}',
    'r8_[A-Za-z0-9]{37,40}',
    'xai-[A-Za-z0-9]{60,100}',
    '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}',
    'gh[pousr]_[A-Za-z0-9]{36,255}',
    'github_pat_[A-Za-z0-9_]{82}',
    '[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,99}',
    'whsec_[A-Za-z0-9+/]{32,44}=?',
    'xox[abeoprs]-[A-Za-z0-9-]{10,200}',
    'xapp-[0-9]-[A-Z0-9]{5,20}-[0-9]{5,20}-[a-z0-9]{20,80}',
    'gl(?:pat|dt|rt|ptt|oas|ft)-[A-Za-z0-9_.-]{20,60}',
    'npm_[A-Za-z0-9]{36}',
    'SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}',
    'do[opr]_v1_[a-f0-9]{64}',
    'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}',
    'ya29\\.[A-Za-z0-9_-]{20,500}',
    'pypi-AgE[A-Za-z0-9_-]{50,500}',
    'dckr_pat_[A-Za-z0-9_-]{27}',
    'hvs\\.[A-Za-z0-9_-]{24,200}',
    'key-[a-f0-9]{32}',
    'lin_api_[A-Za-z0-9]{40}',
    'nvapi-[A-Za-z0-9_-]{60,80}',
  ].join('|')})${right}`,
  'g',
);
const named = new RegExp(
  '(?:api|access|secret|auth|account|private|client|app|bearer|signing|encryption)[_. -]?(?:key|token|secret)s?(?:[_-]?id)?' +
    '["\'`\\])]{0,2}[ \\t]{0,4}(?:[:=]|:=|=>|は|：)[ \\t]{0,4}["\'`]?([A-Za-z0-9_+/.~-]{20,200}={0,2})(?![A-Za-z0-9_+/(.[-])',
  'gi',
);
/** Families whose short keys may have no digit by chance. */
const withoutDigits = /sk-|hf_|AKIA|ASIA|[sr]k_/;
const nameLengthMax = 48;
const placeholder = /example|your[-_]?|placeholder|dummy|changeme|xxxx|0{8}|1234567890|abcdefgh|redacted|\.\.\./i;
const twilio = new RegExp(`${left}SK[a-f0-9]{32}${right}`, 'g');

/** Looks at long runs of key characters. */
export const apiKey: Recognizer = {
  name: 'api-key',
  type: 'API_KEY',
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    let done = 0;
    const add = (start: number, end: number, score: number) => {
      const value = text.original.slice(start, end);
      found.push({ type: 'API_KEY', value, start, end, score, recognizer: 'api-key' });
      done = Math.max(done, end);
    };
    for (const word of text.longWords) {
      if (word.end <= done) continue;
      const range = { start: Math.max(done, word.start - 8), end: word.end, before: 1, after: 260 };
      if (word.hasDigit || withoutDigits.test(text.shadow.slice(range.start, word.end))) {
        for (const { start, end, groups } of matchesIn(text.shadow, families, range)) {
          if (isKeyBody(groups[0])) add(start, end, 1);
        }
      }
      if (word.end <= done || !word.hasDigit) continue;
      const wide = { start: Math.max(done, word.start - nameLengthMax), end: word.end, before: 1, after: 200 };
      for (const { end, groups } of matchesIn(text.shadow, named, wide)) {
        const secret = groups[1] ?? '';
        if (end > done && end > word.start && isSecret(secret)) add(end - secret.length, end, 0.8);
      }
      for (const { start, end } of matchesIn(text.shadow, twilio, range)) {
        if (start >= done && /twilio/i.test(text.shadow.slice(Math.max(0, start - 40), start))) add(start, end, 0.9);
      }
    }
    return found;
  },
  samples: {
    match: [
      ['key: sk-proj-' + 'aB3dE5fG7hJ9kL1mN2pQ4rS6', 'sk-proj-aB3dE5fG7hJ9kL1mN2pQ4rS6'],
      ['AKIA' + 'QYLPMN5HFIQR7XYA is out', 'AKIAQYLPMN5HFIQR7XYA'],
      ['token ghp_' + 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8', 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'],
      ['api_key = "' + 'q8Zr2Lw9Xc4Vb7Nm1Kj5Hg3F"', 'q8Zr2Lw9Xc4Vb7Nm1Kj5Hg3F'],
      ['STRIPE=sk_live_' + '4eC39HqLyjWDarjtT1', 'sk_live_4eC39HqLyjWDarjtT1'],
    ],
    noMatch: [
      'sk-your-key-here-your-key-here',
      'AKIAIOSFODNN7EXAMPLE',
      'task_test_abcdefghijklmnop1234',
      'hf_requiredCharacteristicOfTheThing',
      'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'api_key = process.env.SERVICE_API_KEY_NAME',
      'd670460b4b4aece5915caf5c68d12f560a9fe3e4',
      '550e8400-e29b-41d4-a716-446655440000',
    ],
  },
};

function isKeyBody(key: string): boolean {
  if (placeholder.test(key)) return false;
  const body = key.replace(/^[A-Za-z0-9]+[-_.](?:(?:live|test|prod|proj|pat|v1|api)[-_])?/, '');
  // `hf_` also starts identifiers: no digit and no two capitals side by side is camel case.
  if (key.startsWith('hf_') && !/[0-9]/.test(body) && !/[A-Z]{2}.*[a-z]/.test(body)) return false;
  return entropyOf(body) >= 3;
}

/** A value that somebody named a key: letters and digits, and no word, path or identifier. */
function isSecret(secret: string): boolean {
  if (placeholder.test(secret) || !/[0-9]/.test(secret) || !/[A-Za-z]/.test(secret)) return false;
  return entropyOf(secret) >= 3.5;
}
