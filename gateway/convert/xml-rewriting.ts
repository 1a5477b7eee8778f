/** A part with other texts: a change is put into the runs that it touches, everything else keeps its bytes. */
import { findTokens } from '../../core/tokens.ts';
import type { Edit, Run, TextGroup } from './text-runs.ts';
import { encodeEscapes, encodeXml } from './xml-characters.ts';
import { markupOf } from './xml-markup.ts';

/** A part of a text, and what stands there in the new one. */
type Span = { readonly start: number; readonly end: number; readonly text: string };

/** The part with new texts, by position of the groups; undefined keeps a text. */
export function withTexts(
  xml: string,
  groups: readonly TextGroup[],
  newTexts: readonly (string | undefined)[],
): string {
  const readAgain = new Set(groups.flatMap(({ reading, runs }) => (reading ? runs : [])));
  const changes = new Map<Run, Span[]>();
  for (const [i, group] of groups.entries()) {
    const text = newTexts[i];
    if (text === undefined || text === group.text) continue;
    for (const [run, spans] of changedRuns(group, text, readAgain)) {
      changes.set(run, [...(changes.get(run) ?? []), ...spans]);
    }
  }
  const edits: Edit[] = [];
  for (const [run, spans] of changes) {
    const newText = withSpans(run.text, readAgain.has(run) ? disjoint(spans) : spans);
    if (run.spaceAt >= 0 && newText !== newText.trim() && !hasSpace(xml, run.spaceAt)) {
      edits.push({ start: run.spaceAt, end: run.spaceAt, raw: ' xml:space="preserve"' });
    }
    edits.push({ start: run.start, end: run.end, raw: rawText(xml, run, newText) }, ...(run.also ?? []));
  }
  // Where a value is both changed and taken out, it is changed. What stands in a number cell (a formula, a comment) is a
  // text of its own; the edit of the whole cell comes before theirs and holds them.
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

/** A new text as it stands in the part. */
function rawText(xml: string, run: Run, newText: string): string {
  if (run.as === 'number') return '0';
  const changed = run.as === 'escaped' ? encodeEscapes(newText) : withReferences(run.as, newText);
  if (run.form === 'raw') return changed;
  if (run.form === 'cdata') return changed.replaceAll(']]>', ']]]]><![CDATA[>');
  const encoded = encodeXml(changed);
  if (run.form === 'attribute') {
    const quoted = encoded.replaceAll('"', '&quot;').replaceAll("'", '&apos;');
    return run.as === 'cell-value' ? `office:string-value="${quoted}"` : quoted;
  }
  if (run.form !== 'number') return encoded;
  const tag = markupOf(xml.slice(run.start, run.end)).next().value;
  const name = tag?.name ?? 'c';
  const p = name.slice(0, name.indexOf(':') + 1);
  const kept = (tag?.inside ?? '').replace(/(?<!\s)\s+t\s*=\s*(?:"[^"]*"|'[^']*')/, '');
  return `<${name}${kept} t="inlineStr"><${p}is><${p}t>${encoded}</${p}t></${p}is></${name}>`;
}

/**
 * Tokens as they may stand in names of sheets, which hold no brackets, and in other names, which hold only letters,
 * digits and underscores. In a formula what stands in quotes is a text or a sheet, what stands before a `!` is a sheet.
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

/** Spans of several readings of a run, in order; where they overlap, all of both is replaced. */
function disjoint(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else result[result.length - 1] = { ...last, end: Math.max(last.end, span.end), text: last.text || span.text };
  }
  return result;
}

/** What is replaced in the runs of a group; a value that goes on in other runs has its new text in the first one. */
function changedRuns(group: TextGroup, newText: string, readAgain: ReadonlySet<Run>): [Run, Span[]][] {
  const only = group.runs[0];
  if (group.runs.length === 1 && only && !readAgain.has(only)) {
    return [[only, [{ start: 0, end: only.text.length, text: newText }]]];
  }
  const replacements = replacedSpans(group.text, newText);
  const changed: [Run, Span[]][] = [];
  let runStart = 0;
  let first = 0;
  const placed = new Set<number>();
  for (const run of group.runs) {
    const runEnd = runStart + run.text.length;
    const spans: Span[] = [];
    while ((replacements[first]?.end ?? Number.POSITIVE_INFINITY) <= runStart) first++;
    for (let i = first; i < replacements.length; i++) {
      const span = replacements[i] as Span;
      if (span.start >= runEnd) break;
      if (run.form === 'separator') continue;
      const start = Math.max(0, span.start - runStart);
      const end = Math.min(run.text.length, span.end - runStart);
      spans.push({ start, end, text: placed.has(i) ? '' : span.text });
      placed.add(i);
    }
    if (spans.length > 0) changed.push([run, spans]);
    runStart = runEnd;
  }
  return changed;
}

/** Which spans of the old text were replaced: what stands between the tokens of the new text is found in the old one. */
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
    // Values without anything between them are one to replace.
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
