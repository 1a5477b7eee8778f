/** Detections of a text: as marks in it, and as a table. */
import { html, type VNode } from '../shared/html.ts';
import { type Language, usePreferences, useTexts } from '../shared/preferences.ts';
import { Table } from '../shared/table.ts';
import type { Detection, TokenMap } from './answers.ts';
import { type Mark, MarkedText } from './marked-text.ts';
import { typeHue, typeName, typeOfToken } from './pii-types.ts';
import { type Span, tokenSpans } from './spans.ts';
import { certaintyOf, whyFound } from './why.ts';

const texts = {
  en: {
    found: 'Text with what was found',
    table: 'Detections',
    type: 'Type',
    value: 'Value',
    score: 'Score',
    recognizer: 'Recognizer',
    why: 'Why',
    masked: 'Text with tokens',
    standsFor: (value: string) => `Stands for: ${value}`,
  },
  ja: {
    found: '検出箇所を示したテキスト',
    table: '検出結果',
    type: '種類',
    value: '値',
    score: 'スコア',
    recognizer: '認識器',
    why: '理由',
    masked: 'トークンに置き換えたテキスト',
    standsFor: (value: string) => `元の値: ${value}`,
  },
};

/** Marks of detections; those of one value form a group. */
export function detectionSpans(
  detections: readonly Detection[],
  words: (typeof texts)['en'],
  language: Language,
): Span<Mark>[] {
  return detections.map((detection) => ({
    start: detection.start,
    end: detection.end,
    mark: {
      title: typeName(detection.type, language),
      hue: typeHue(detection.type),
      lines: [
        `${words.recognizer}: ${detection.recognizer}`,
        `${words.score}: ${detection.score.toFixed(2)} (${certaintyOf(detection.score, language)})`,
        whyFound(detection, language),
      ],
      group: detection.value,
    },
  }));
}

type Grouped = { readonly group?: string | undefined; readonly onGroup?: (group: string | undefined) => void };

export function HighlightedText(
  props: Grouped & { readonly text: string; readonly detections: readonly Detection[] },
): VNode {
  const words = useTexts(texts);
  const { language } = usePreferences();
  const spans = detectionSpans(props.detections, words, language);
  return html`<${MarkedText} label=${words.found} text=${props.text} spans=${spans} group=${props.group} onGroup=${props.onGroup} />`;
}

export function DetectionTable({ detections }: { readonly detections: readonly Detection[] }): VNode {
  const words = useTexts(texts);
  const { language } = usePreferences();
  return html`<${Table}
    caption=${words.table}
    rows=${detections}
    keyOf=${({ start, end, type }: Detection) => `${start}-${end}-${type}`}
    columns=${[
      {
        id: 'type',
        label: words.type,
        show: ({ type }: Detection) =>
          html`<span class="type-name"><span class="dot" style=${{ '--hue': String(typeHue(type)) }} aria-hidden="true"></span>${typeName(type, language)}</span>`,
      },
      { id: 'value', label: words.value, show: ({ value }: Detection) => html`<code>${value}</code>` },
      { id: 'score', label: words.score, align: 'end', show: ({ score }: Detection) => score.toFixed(2) },
      { id: 'recognizer', label: words.recognizer, show: ({ recognizer }: Detection) => recognizer },
      { id: 'why', label: words.why, show: (detection: Detection) => whyFound(detection, language) },
    ]}
  />`;
}

/** A masked text; each token tells its value. */
export function TokenText(
  props: Grouped & { readonly text: string; readonly tokenMap: TokenMap; readonly label?: string },
): VNode {
  const words = useTexts(texts);
  const { language } = usePreferences();
  const { text, tokenMap } = props;
  const spans = tokenSpans(text, Object.keys(tokenMap)).map(({ start, end, mark: token }) => {
    const type = typeOfToken(token);
    const value = tokenMap[token] ?? '';
    const mark: Mark = {
      title: typeName(type, language),
      hue: typeHue(type),
      lines: [words.standsFor(value)],
      group: value,
    };
    return { start, end, mark };
  });
  return html`<${MarkedText} label=${props.label ?? words.masked} text=${text} spans=${spans} group=${props.group} onGroup=${props.onGroup} />`;
}

/** A restored text; the values that were put back are marked. */
export function RestoredText(
  props: Grouped & { readonly text: string; readonly tokenMap: TokenMap; readonly label: string },
): VNode {
  const { language } = usePreferences();
  const byValue = new Map(Object.entries(props.tokenMap).map(([token, value]) => [value, token]));
  const spans = tokenSpans(
    props.text,
    [...byValue.keys()].filter((value) => value !== ''),
  ).map(({ start, end, mark: value }) => {
    const type = typeOfToken(byValue.get(value) ?? '');
    const mark: Mark = {
      title: typeName(type, language),
      hue: typeHue(type),
      lines: [byValue.get(value) ?? ''],
      group: value,
    };
    return { start, end, mark };
  });
  return html`<${MarkedText} label=${props.label} text=${props.text} spans=${spans} group=${props.group} onGroup=${props.onGroup} />`;
}
