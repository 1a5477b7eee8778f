/**
 * The speed of masking documents for retrieval on one core: `node bench/rag.ts`. Names off, all other types on. Limit: at
 * least 5 MB/s for prose.
 */
import { builtinTypes, Detector } from '../core/detect/detector.ts';
import { ragIngest } from '../core/rag/index.ts';
import { MemoryVault } from '../core/vault.ts';

const sizeMin = 4_000_000;
const rounds = 3;

const english = [
  'The quarterly review took place on Tuesday, and the team agreed on three measures for the coming months.',
  'Support wrote to maria.k@example.com about ticket 48-1123; the reply is expected within five working days.',
  'Please call 415-555-0132 before noon, or leave a message for the night shift.\n\n',
  'Version 2.13.4 of the firmware fixes the drift of the sensor (part BB-0532/2) that customers had reported.',
  'The transfer to GB82 WEST 1234 5698 7654 32 was booked twice; card 4111 1111 1111 1111 is not affected.',
].join(' ');
const japanese = [
  '四半期の会議は火曜日に開かれ、今後数か月の対策について合意した。',
  '担当者は maria.k@example.com に連絡し、五営業日以内の返信を求めた。',
  '電話は03-5555-0123まで。型番はBB-0532/2、版は2.13.4である。\n\n',
  '住所は東京都渋谷区架空町1-2-3、支払いは普通預金で行われる予定だ。',
].join('');

const detector = new Detector({ types: builtinTypes.filter((type) => type !== 'NAME') });

async function measure(name: string, paragraph: string): Promise<void> {
  const text = paragraph.repeat(Math.ceil(sizeMin / Buffer.byteLength(paragraph)));
  const megabytes = Buffer.byteLength(text) / 1e6;
  let best = Number.POSITIVE_INFINITY;
  let chunks = 0;
  let tokens = 0;
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage();
    const result = await ragIngest(text, { detector, vault: new MemoryVault(), sessionId: 'bench' });
    const used = process.cpuUsage(start);
    best = Math.min(best, (used.user + used.system) / 1e6);
    chunks = result.chunks.length;
    tokens = Object.keys(result.tokenMap).length;
  }
  const speed = (megabytes / best).toFixed(1);
  process.stdout.write(`${name.padEnd(24)} ${speed.padStart(8)} MB/s   ${chunks} chunks, ${tokens} values\n`);
}

await measure('English, few values', english);
await measure('Japanese, few values', japanese);
await measure(
  'e-mails, all different',
  Array.from({ length: 2_000 }, (_, i) => `Row ${i}: user${i}@example.com wrote again. `).join(''),
);
