/** Decides between overlapping detections, and merges those of two readings of a text. */
import type { Detection } from '../recognizer.ts';
import type { Decoded } from './escapes.ts';

/** Ranking of overlapping detections. Dictionary terms come first, unless they are part of a larger value ({@link isWhole}). */
const order = [
  ...['PRIVATE_KEY', 'JWT', 'SEED_PHRASE', 'MRZ', 'SESSION_TOKEN', 'API_KEY', 'CRYPTO_ADDRESS', 'PASSWORD'],
  ...['EMAIL', 'IBAN', 'CREDIT_CARD'],
];
const lateOrder = ['IP_ADDRESS', 'MAC_ADDRESS', 'PHONE', 'ADDRESS', 'DATE_OF_BIRTH', 'COMPANY_NAME_JP', 'NAME'];
const contextRank = order.length;
const checksumRank = contextRank + 1;
const otherRank = checksumRank + 1;
const lastRank = otherRank + 1 + lateOrder.length;

function rankOf(detection: Detection): number {
  if (detection.recognizer === 'dictionary') return -1;
  // Recognizers of a form know the boundaries better than a heading does, except for names and addresses.
  if (detection.recognizer === 'heading' && detection.type !== 'NAME' && detection.type !== 'ADDRESS') return lastRank;
  const early = order.indexOf(detection.type);
  if (early >= 0) return early;
  const late = lateOrder.indexOf(detection.type);
  // A long MAC address is also a valid IPv6 address; only a label decides.
  if (late >= 0 && (detection.type !== 'MAC_ADDRESS' || detection.context === undefined)) return otherRank + 1 + late;
  if (detection.context !== undefined) return contextRank;
  return detection.checksum ? checksumRank : otherRank;
}

/** One detection per character: by rank, then the longer, then the more certain, then the earlier. */
export function withoutOverlaps(found: Detection[]): Detection[] {
  found.sort((a, b) => a.start - b.start);
  const kept: Detection[] = [];
  for (let i = 0; i < found.length; ) {
    const first = found[i] as Detection;
    const group = [first];
    let end = first.end;
    for (i++; i < found.length && (found[i] as Detection).start < end; i++) {
      const next = found[i] as Detection;
      group.push(next);
      end = Math.max(end, next.end);
    }
    if (group.length === 1) kept.push(first);
    else for (const detection of best(group, first.start, end)) kept.push(detection);
  }
  return kept;
}

/**
 * True when a dictionary term inside must not split it: the rest of an address at a listed company would stay readable. Names
 * are guesses, which the user's term corrects.
 */
function isWhole({ recognizer, type }: Detection): boolean {
  return recognizer !== 'dictionary' && type !== 'NAME' && type !== 'COMPANY_NAME_JP';
}

/** The best of a group; dictionary terms inside a larger value count only where that value does not win. */
function best(group: Detection[], start: number, end: number): Detection[] {
  const parts = partsIn(group);
  if (parts.size === 0) return bestOf(group, start, end);
  const kept = bestOf(
    group.filter((detection) => !parts.has(detection)),
    start,
    end,
  );
  const covered = new Uint8Array(end - start);
  for (const detection of kept) covered.fill(1, detection.start - start, detection.end - start);
  const open = [...parts].filter((part) => !covered.subarray(part.start - start, part.end - start).includes(1));
  return open.length === 0 ? kept : [...kept, ...bestOf(open, start, end)].sort((a, b) => a.start - b.start);
}

/** The dictionary terms inside a larger value. The group is sorted by start. */
function partsIn(group: readonly Detection[]): Set<Detection> {
  const parts = new Set<Detection>();
  if (!group.some(({ recognizer }) => recognizer === 'dictionary')) return parts;
  const wholes = group.filter(isWhole);
  let next = 0;
  let endBefore = 0;
  let endHere = 0;
  let here = -1;
  for (const detection of group) {
    if (detection.recognizer !== 'dictionary') continue;
    if (detection.start !== here) {
      endBefore = Math.max(endBefore, endHere);
      endHere = 0;
      here = detection.start;
    }
    for (; next < wholes.length && (wholes[next] as Detection).start <= here; next++) {
      const { start, end } = wholes[next] as Detection;
      if (start < here) endBefore = Math.max(endBefore, end);
      else endHere = Math.max(endHere, end);
    }
    if (endBefore >= detection.end || endHere > detection.end) parts.add(detection);
  }
  return parts;
}

function bestOf(group: Detection[], start: number, end: number): Detection[] {
  group.sort(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      isOneOfMany(a, b) - isOneOfMany(b, a) ||
      b.end - b.start - (a.end - a.start) ||
      b.score - a.score ||
      a.start - b.start,
  );
  return firstComeFirstServed(group, start, end).sort((a, b) => a.start - b.start);
}

/** 1 for an identifier next to a detection of a dedicated recognizer, which knows the boundaries. */
function isOneOfMany(a: Detection, b: Detection): number {
  return a.type === b.type && a.recognizer === 'identifier' && b.recognizer !== 'identifier' ? 1 : 0;
}

/** Keeps each detection that overlaps none of higher rank. */
function firstComeFirstServed(group: readonly Detection[], start: number, end: number): Detection[] {
  const covered = new Uint8Array(end - start);
  return group.filter((detection) => {
    const from = detection.start - start;
    const to = detection.end - start;
    if (covered.subarray(from, to).includes(1)) return false;
    covered.fill(1, from, to);
    return true;
  });
}

/** Merges the detections of a text with those of its decoded form, which alone finds values with escapes. */
export function withDecoded(
  text: string,
  found: Detection[],
  inDecoded: Detection[],
  { starts, ends }: Decoded,
): Detection[] {
  const placed = inDecoded.map((one) => {
    const start = starts[one.start] as number;
    const last = one.end - 1;
    const end = ends?.[last] ?? (starts[last] as number) + 1;
    return { ...one, start, end, value: text.slice(start, end), isEscaped: end - start > one.end - one.start };
  });
  const escaped: Detection[] = [];
  const plain: Detection[] = [];
  for (const { isEscaped, ...one } of placed) (isEscaped ? escaped : plain).push(one);
  const inOrder = (all: Detection[]) => all.sort((a, b) => a.start - b.start);
  const kept = inOrder([...escaped, ...apartFrom(found, escaped)]);
  inOrder(plain);
  const whole = wholesOf(plain, kept);
  const others = whole.length === 0 ? kept : inOrder([...whole, ...apartFrom(kept, whole)]);
  return inOrder([...others, ...apartFrom(plain, others)]);
}

/** Detections that are larger than all the others inside them. Both lists are sorted and have no overlaps. */
function wholesOf(list: readonly Detection[], others: readonly Detection[]): Detection[] {
  let next = 0;
  return list.filter(({ start, end }) => {
    while (next < others.length && (others[next] as Detection).end <= start) next++;
    let covered = 0;
    let i = next;
    for (; i < others.length && (others[i] as Detection).start < end; i++) {
      const other = others[i] as Detection;
      if (other.start < start || other.end > end || other.recognizer === 'dictionary') return false;
      covered += other.end - other.start;
    }
    return i > next && covered < end - start;
  });
}

/** Detections that overlap none of the others. Both lists are sorted and have no overlaps. */
function apartFrom(list: readonly Detection[], others: readonly Detection[]): Detection[] {
  let next = 0;
  return list.filter(({ start, end }) => {
    while (next < others.length && (others[next] as Detection).end <= start) next++;
    return next === others.length || (others[next] as Detection).start >= end;
  });
}
