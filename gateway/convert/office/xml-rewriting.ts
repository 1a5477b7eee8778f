/** Writes a part with new texts: only the runs touched by a change are edited. */
import { findTokens } from '../../../core/tokens/tokens.ts';
import { type Change, type Part, settledChanges } from '../settled-changes.ts';
import type { Edit, Run, Span, TextGroup } from './text-runs.ts';
import { encodeEscapes, encodeXml } from './xml-characters.ts';
import { markupOf } from './xml-markup.ts';

/**
 * Writes new texts by group index; undefined keeps a text.
 * @param places the replaced spans of each text, if known
 */
export function withTexts(
  xml: string,
  groups: readonly TextGroup[],
  newTexts: readonly (string | undefined)[],
  places: readonly (readonly Span[] | undefined)[] = [],
): string {
  const readAgain = new Set(groups.flatMap(({ reading, runs }) => (reading ? runs : [])));
  const alone: Change[] = [];
  const contested: Change[] = [];
  for (const [i, group] of groups.entries()) {
    const text = newTexts[i];
    if (text === undefined || text === group.text) continue;
    for (const change of changesOf(group, places[i] ?? replacedSpans(group.text, text), text, readAgain)) {
      (change.parts.some(({ run }) => readAgain.has(run)) ? contested : alone).push(change);
    }
  }
  const edits: Edit[] = [];
  const spans = new Map<Run, Span[]>();
  for (const change of [...alone, ...settledChanges(contested)]) {
    const at = change.before === undefined ? placeOf(change) : undefined;
    if (change.before !== undefined) edits.push(newElement(xml, change.before, change));
    for (const part of change.parts) {
      const own = spans.get(part.run) ?? [];
      own.push({ start: part.start, end: part.end, text: part === at ? change.text : '' });
      spans.set(part.run, own);
    }
  }
  for (const [run, own] of spans) for (const edit of runEdits(xml, run, own)) edits.push(edit);
  // A value that is both changed and removed is changed. A number cell's content (formula, comment) is separate text;
  // the edit of the complete cell precedes and contains its edits.
  edits.sort((a, b) => a.start - b.start || a.end - b.end || b.raw.length - a.raw.length);
  let result = '';
  let from = 0;
  for (const edit of edits) {
    if (edit.start < from) continue;
    result += xml.slice(from, edit.start) + edit.raw;
    from = edit.end;
  }
  return result + xml.slice(from);
}

/** The edits for a run with changed parts; a separator within a value is removed. */
function runEdits(xml: string, run: Run, spans: Span[]): readonly Edit[] {
  const { text, start, end, spaceAt, also = [] } = run;
  if (run.form === 'separator') return start < end ? [{ start, end, raw: '' }] : [];
  const newText = withSpans(
    text,
    spans.sort((a, b) => a.start - b.start),
  );
  const edits = [{ start, end, raw: rawText(xml, run, newText) }, ...also];
  if (spaceAt < 0 || newText === newText.trim() || hasSpace(xml, spaceAt)) return edits;
  return [{ start: spaceAt, end: spaceAt, raw: ' xml:space="preserve"' }, ...edits];
}

/** Encodes a new text as raw text of the part. */
function rawText(xml: string, run: Run, newText: string): string {
  if (run.as === 'number') return '0';
  const changed = run.as === 'escaped' ? encodeEscapes(newText) : withReferences(run.as, newText);
  if (run.form === 'raw') return changed;
  if (run.form === 'cdata') return changed.replaceAll(']]>', ']]]]><![CDATA[>');
  const encoded = encodeXml(changed);
  if (run.form === 'attribute') {
    const quoted = encoded.replaceAll('"', '&quot;').replaceAll("'", '&apos;');
    const prefix = xml.slice(run.start, xml.indexOf(':', run.start) + 1);
    return run.as === 'cell-value' ? `${prefix}string-value="${quoted}"` : quoted;
  }
  if (run.form !== 'number') return encoded;
  const tag = markupOf(xml.slice(run.start, run.end)).next().value;
  const name = tag?.name ?? 'c';
  const p = name.slice(0, name.indexOf(':') + 1);
  const kept = (tag?.inside ?? '').replace(/(?<!\s)\s+t\s*=\s*(?:"[^"]*"|'[^']*')/, '');
  return `<${name}${kept} t="inlineStr"><${p}is><${p}t>${encoded}</${p}t></${p}is></${name}>`;
}

/**
 * Writes tokens in the form allowed in sheet names (no brackets) and other names (only letters, digits and
 * underscores). In a formula, quoted text is a string or sheet, and text before a `!` is a sheet.
 */
function withReferences(as: Run['as'], text: string): string {
  if (as !== 'sheet' && as !== 'name' && as !== 'formula') return text;
  let result = '';
  let from = 0;
  for (const { start, end } of findTokens(text)) {
    const token = text.slice(start, end);
    const sheet = token.replaceAll('[', '(').replaceAll(']', ')');
    result += text.slice(from, start);
    const isQuoted = /["']/.test(result.replaceAll(/"[^"]*"|'[^']*'/g, ''));
    if (as === 'sheet' || isQuoted) result += sheet;
    else if (as === 'formula' && text[end] === '!') result += `'${sheet}'`;
    else result += token.replaceAll(/\W/g, '_');
    from = end;
  }
  return result + text.slice(from);
}

function hasSpace(xml: string, tagEnd: number): boolean {
  return /\bxml:space\s*=/.test(xml.slice(xml.lastIndexOf('<', tagEnd), tagEnd));
}

function withSpans(text: string, spans: readonly Span[]): string {
  let result = '';
  let from = 0;
  for (const span of spans) {
    result += text.slice(from, span.start) + span.text;
    from = span.end;
  }
  return result + text.slice(from);
}

/** The part that gets a change's new text, preferably in a run that no tracked change removes. */
function placeOf({ parts, isApart = false }: Change): Part | undefined {
  const texts = parts.filter(({ run }) => run.form !== 'separator');
  return texts.find(({ run }) => (run.change !== undefined) === isApart) ?? texts[0];
}

/** Writes a new text as a tracked change of its own, before another one. */
function newElement(xml: string, at: number, { text, isFormer }: Change): Edit {
  const w = xml.slice(at + 1, xml.indexOf(':', at) + 1);
  const [element, words] = isFormer ? ['del', 'delText'] : ['ins', 't'];
  const inside = `<${w}r><${w}${words} xml:space="preserve">${encodeXml(text)}</${w}${words}></${w}r>`;
  const raw = `<${w}${element} ${w}id="0" ${w}author="">${inside}</${w}${element}>`;
  return { start: at, end: at, raw };
}

/** The replacements in the runs of a group. */
function changesOf(
  { runs, reading }: TextGroup,
  spans: readonly Span[],
  newText: string,
  readAgain: ReadonlySet<Run>,
): Change[] {
  const isFormer = reading === 'former' || runs.some(({ change }) => change === 'deleted');
  const [only] = runs;
  if (runs.length === 1 && only && !readAgain.has(only)) {
    return [
      {
        parts: [{ run: only, start: 0, end: only.text.length }],
        text: newText,
        isFormer,
        hasGaps: false,
        from: 0,
        to: 0,
      },
    ];
  }
  const changes: Change[] = [];
  let first = 0;
  let firstStart = 0;
  for (const { start, end, text } of spans) {
    for (let run = runs[first]; run && firstStart + run.text.length <= start; run = runs[++first]) {
      firstStart += run.text.length;
    }
    const parts: Part[] = [];
    let next = first;
    for (let at = firstStart; next < runs.length && at < end; next++) {
      const run = runs[next] as Run;
      parts.push({ run, start: Math.max(0, start - at), end: Math.min(run.text.length, end - at) });
      at += run.text.length;
    }
    const [head, tail] = [parts[0], parts.at(-1)];
    if (head === undefined || tail === undefined) continue;
    const from = head.start > 0 ? head.run.start : (runs[first - 1]?.end ?? 0);
    const to = tail.end < tail.run.text.length ? tail.run.start : (runs[next]?.start ?? Number.POSITIVE_INFINITY);
    changes.push({ parts, text, isFormer, hasGaps: reading === 'apart', from, to });
  }
  return changes;
}

/** The replaced spans of the old text: finds the text between the new text's tokens in the old one. */
function replacedSpans(oldText: string, newText: string): Span[] {
  let prefix = 0;
  while (prefix < oldText.length && prefix < newText.length && oldText[prefix] === newText[prefix]) prefix++;
  let suffix = 0;
  const suffixMax = Math.min(oldText.length, newText.length) - prefix;
  while (suffix < suffixMax && oldText.at(-1 - suffix) === newText.at(-1 - suffix)) suffix++;
  const whole: Span = {
    start: prefix,
    end: oldText.length - suffix,
    text: newText.slice(prefix, newText.length - suffix),
  };
  const spans: Span[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const token of findTokens(newText)) {
    const between = newText.slice(newAt, token.start);
    const text = newText.slice(token.start, token.end);
    const last = spans.at(-1);
    newAt = token.end;
    // Adjacent values are replaced as one.
    if (last && between === '') {
      spans[spans.length - 1] = { ...last, text: last.text + text };
      continue;
    }
    const found = last ? oldText.indexOf(between, oldAt) : oldText.startsWith(between) ? 0 : -1;
    if (found < 0) return [whole];
    if (last) spans[spans.length - 1] = { ...last, end: found };
    oldAt = found + between.length;
    spans.push({ start: oldAt, end: oldAt, text });
  }
  const tail = newText.slice(newAt);
  const last = spans.at(-1);
  if (!last || !oldText.endsWith(tail) || oldText.length - tail.length < last.start) return [whole];
  spans[spans.length - 1] = { ...last, end: oldText.length - tail.length };
  return spans.filter((span) => oldText.slice(span.start, span.end) !== span.text);
}
