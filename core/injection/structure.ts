import type { PromptCategory } from './result.ts';

/** A finding based on form, not words: forged turns, hidden markup. */
export type StructureHit = {
  readonly rule: string;
  readonly category: PromptCategory;
  readonly start: number;
  readonly end: number;
  readonly weight: number;
  readonly strong: boolean;
};

/** Markup that a browser does not display. */
export type HiddenPart = { readonly start: number; readonly end: number };

/** Marks that model servers put between turns (ChatML, Llama 2 and 3, Gemma, Mistral, Phi); rare in users' texts. */
const turnMark = new RegExp(
  [
    String.raw`<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|begin_of_text|`,
    String.raw`end_of_text|endofprompt|end|im_sep)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:start_of_turn|end_of_turn)>|\[system\]\(#\w+\)`,
  ].join(''),
  'gi',
);

/** A line that pretends to come from an authority: "### SYSTEM:", "[admin message]". */
const claimedLine = new RegExp(
  [
    String.raw`^[ \t]{0,8}[#=*_<[({-]{0,12}[ \t]?(?:(?:new|urgent|important|critical|begin|end|start|updated) )?(?:of )?`,
    '(?:system|admin|administrator|developer|root|security)[ _-]',
    String.raw`(?:message|notice|override|update|alert|prompt|note|instructions?|policy|command|mode)s?\b`,
  ].join(''),
  'gim',
);

/** A line that pretends the untrusted text has ended. */
const claimedEnd = new RegExp(
  [
    String.raw`^[ \t]{0,8}[#=*_<[({"'\u201c-]{2,60}[ \t]?(?:end|stop|begin|start)\b(?: of)?`,
    '(?: (?:the|user|new|all|admin|untrusted|original|input|system)){0,2}',
    '(?: (?:input|prompt|instructions?|context|document|data|query|text|message|email|session|section|conversation))?',
    String.raw`[ \t]{0,2}[\])}>#=*_.:-]{0,60}`,
  ].join(''),
  'gim',
);

const roleAfter = /^\s{0,4}(?:system|developer)\b/i;

/** Finds forged structure; each pattern is anchored on literal marks and costs one native scan. */
export function structureHits(text: string): StructureHit[] {
  const hits: StructureHit[] = [];
  const add = (rule: string, match: RegExpExecArray, weight: number): void => {
    hits.push({
      rule,
      category: 'role_override',
      start: match.index,
      end: match.index + match[0].length,
      weight,
      strong: weight >= 3,
    });
  };
  if (text.includes('<|') || /\[\/?INST\]|<<\/?SYS>>|_of_turn>|\]\(#/i.test(text)) {
    let marks = 0;
    let best = 0;
    let first: RegExpExecArray | undefined;
    for (const match of text.matchAll(turnMark)) {
      marks++;
      first ??= match;
      const atLine = isLineStart(text, match.index);
      const isSystem =
        /SYS|system/i.test(match[0]) ||
        roleAfter.test(text.slice(match.index + match[0].length, match.index + match[0].length + 16));
      best = Math.max(best, atLine && isSystem ? 3 : atLine ? 1.5 : isSystem ? 1.5 : 1);
      if (marks >= 32) break;
    }
    if (first !== undefined) add('turn-mark', first, marks > 2 && best < 3 ? best + 1 : best);
  }
  const claimed = first(claimedLine, text);
  if (claimed !== undefined)
    add(
      'claimed-line',
      claimed,
      /[#=*<[({-]/.test(claimed[0].slice(0, 6)) || claimed[0] === claimed[0].toUpperCase() ? 2 : 0.8,
    );
  const ended = first(claimedEnd, text);
  if (ended !== undefined && ended[0].replace(/[^a-z]/gi, '').length > 2) {
    add(
      'claimed-end',
      ended,
      ended[0] === ended[0].toUpperCase() || / of | (?:input|prompt|instruction)/i.test(ended[0]) ? 2 : 1,
    );
  }
  return hits;
}

function first(pattern: RegExp, text: string): RegExpExecArray | undefined {
  pattern.lastIndex = 0;
  const found = pattern.exec(text) ?? undefined;
  pattern.lastIndex = 0;
  return found;
}

function isLineStart(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && i >= at - 4; i--) {
    const code = text.charCodeAt(i);
    if (code === 0x0a) return true;
    if (code !== 0x20 && code !== 0x09) return false;
  }
  return at < 4;
}

/** Styles that make text invisible. */
const hiddenStyle = new RegExp(
  [
    String.raw`display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?[01](?:px|pt|em)?\b(?!\.)|`,
    String.raw`opacity\s?:\s?0(?:\.0)?\b(?!\.[1-9])|[^-]color\s?:\s?(?:#fff(?:fff)?\b|white\b|transparent)|`,
    String.raw`text-indent\s?:\s?-\d{3,}|\bhidden\s{0,2}>|aria-hidden="true"`,
  ].join(''),
  'gi',
);

const hiddenPartsMax = 64;

/** The content of HTML comments, Markdown comments and invisibly styled elements. */
export function hiddenParts(text: string): HiddenPart[] {
  const parts: HiddenPart[] = [];
  if (text.includes('<!--')) {
    for (let at = text.indexOf('<!--'); at >= 0 && parts.length < hiddenPartsMax; at = text.indexOf('<!--', at + 4)) {
      const close = text.indexOf('-->', at + 4);
      const end = close < 0 ? text.length : close;
      parts.push({ start: at + 4, end });
      if (close < 0) break;
      at = close;
    }
  }
  if (text.includes('[//]: #')) {
    for (
      let at = text.indexOf('[//]: #');
      at >= 0 && parts.length < hiddenPartsMax;
      at = text.indexOf('[//]: #', at + 7)
    ) {
      const line = text.indexOf('\n', at);
      parts.push({ start: at + 7, end: line < 0 ? text.length : line });
    }
  }
  if (text.includes('<') && text.includes('>')) {
    hiddenStyle.lastIndex = 0;
    for (const match of text.matchAll(hiddenStyle)) {
      if (parts.length >= hiddenPartsMax) break;
      const end = match.index + match[0].length;
      const open = match[0].endsWith('>') ? end - 1 : text.indexOf('>', end);
      if (open < 0) break;
      const close = text.indexOf('<', open);
      parts.push({ start: open + 1, end: close < 0 ? text.length : close });
    }
  }
  return parts;
}
