/** Wallet addresses and keys, verified by their checksums. */

import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import type { ScanText } from '../detect/scan.ts';
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { labelsOf } from './label-words.ts';

const { labelled } = patternsOf('crypto-address');

const name = 'crypto-address';
const base58check = createBase58check(sha256);

type Kind = { readonly form: RegExp; readonly check: (address: string) => boolean };

const kinds: readonly Kind[] = [
  // Bitcoin, Litecoin, Dogecoin, Tron, wallet import keys and extended keys: base58check.
  { form: /^(?:[13LMD]|T(?=.{33}$))[1-9A-HJ-NP-Za-km-z]{25,34}$/, check: isBase58 },
  { form: /^(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})$/, check: isBase58 },
  { form: /^[xyz](?:pub|prv)[1-9A-HJ-NP-Za-km-z]{107}$/, check: isBase58 },
  // BIP 173 and BIP 350.
  { form: /^(?:bc|tb|ltc)1[02-9ac-hj-np-z]{38,87}$/i, check: isSegwit },
  { form: /^addr1[02-9ac-hj-np-z]{53,98}$/, check: (address) => isDecoded(() => bech32.decode(address as 'a1', 120)) },
  // Ethereum and compatible chains: EIP-55.
  { form: /^0x[0-9a-fA-F]{40}$/, check: isEthereum },
  // Monero: by its length and alphabet.
  { form: /^[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93}$/, check: () => true },
];

const labelReach = 40;

/** Checks long words. */
export const cryptoAddress: Recognizer = {
  name,
  type: 'CRYPTO_ADDRESS',
  labels: labelsOf(name),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const labels = text.keywords.labels(name);
    let next = 0;
    for (const word of text.longWords) {
      if (!word.hasDigit || word.end - word.start < 26 || word.end - word.start > 120) continue;
      const address = text.shadow.slice(word.start, word.end);
      const isChecked = kinds.some(({ form, check }) => form.test(address) && check(address));
      while (next < labels.length && (labels[next]?.end ?? 0) < word.start - labelReach) next++;
      const label = labels[next];
      const isLabelled =
        label !== undefined &&
        label.end <= word.start &&
        labelled.test(address) &&
        /[a-z]/.test(address) &&
        /[A-Z0-9]/.test(address);
      if (!isChecked && !isLabelled) continue;
      const context = isLabelled ? text.shadow.slice(label.start, label.end).toLowerCase() : undefined;
      const score = isChecked ? 0.95 : 0.7;
      found.push(
        detectionAt(text, word.start, word.end, {
          type: 'CRYPTO_ADDRESS',
          score,
          recognizer: name,
          context,
          checksum: isChecked,
        }),
      );
    }
    return found;
  },
};

function isDecoded(decode: () => unknown): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}

function isBase58(address: string): boolean {
  return isDecoded(() => base58check.decode(address));
}

function isSegwit(address: string): boolean {
  const version = address.charAt(address.toLowerCase().indexOf('1') + 1).toLowerCase();
  const code = version === 'q' ? bech32 : bech32m;
  return isDecoded(() => code.decode(address as 'a1', 100));
}

/** EIP-55: a letter is upper case where the hash nibble is 8 or more. An address in one case carries no check. */
function isEthereum(address: string): boolean {
  const hex = address.slice(2);
  const lower = hex.toLowerCase();
  if (hex === lower || hex === hex.toUpperCase()) return false;
  const hash = keccak_256(utf8ToBytes(lower));
  return [...hex].every((c, i) => {
    const nibble = ((hash[i >> 1] as number) >> (i % 2 === 0 ? 4 : 0)) & 15;
    return c === (nibble >= 8 ? c.toUpperCase() : c.toLowerCase());
  });
}
