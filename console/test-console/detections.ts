/** Detections of a text, as marks and as a table. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Detection, TokenMap } from '../../gateway/api/fields.ts';
import { Button } from '../shared/button.ts';
import { html, useMemo, useState, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { type Language, labelled, usePreferences, useTexts } from '../shared/preferences.ts';
import { Table } from '../shared/table.ts';
import { type Mark, MarkedText } from './marked-text.ts';
import { typeHue, typeName, typeOfToken } from './pii-types.ts';
import { type Span, tokenSpans } from './spans.ts';
import { certaintyOf, whyFound } from './why.ts';

const texts = inBoth({
  found: ['Text with detections', '検出箇所を示したテキスト'],
  table: ['Detections', '検出結果'],
  all: [(n: number) => `Show all ${n}`, (n: number) => `${n} 件すべてを表示`],
  type: ['Type', '種類'],
  value: ['Value', '値'],
  score: ['Score', 'スコア'],
  recognizer: ['Recognizer', '認識器'],
  why: ['Why', '理由'],
  masked: ['Text with tokens', 'トークンに置き換えたテキスト'],
  standsFor: [(value: string) => `Value: ${value}`, (value: string) => `元の値：${value}`],
});

/** Marks of detections; those of one value form a group. */
function detectionSpans(
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
        labelled(language, words.recognizer, detection.recognizer),
        labelled(language, words.score, `${detection.score.toFixed(2)} (${certaintyOf(detection.score, language)})`),
        whyFound(detection, language),
      ],
      group: detection.value,
    },
  }));
}

export type HighlightedTextProps = {
  /** Replaces "Text with detections" if a page has several. */
  readonly label?: string;
  readonly text: string;
  readonly detections: readonly Detection[];
};

export function HighlightedText(props: HighlightedTextProps): VNode {
  const words = useTexts(texts);
  const { language } = usePreferences();
  const { detections } = props;
  const spans = useMemo(() => detectionSpans(detections, words, language), [detections, words, language]);
  return html`<${MarkedText} label=${props.label ?? words.found} text=${props.text} spans=${spans} />`;
}

/** Number of rows shown at first. */
const rowsMax = 100;

export function DetectionTable({ detections }: { readonly detections: readonly Detection[] }): VNode {
  const words = useTexts(texts);
  const { language } = usePreferences();
  const [showsAll, setShowsAll] = useState(false);
  const table = useMemo(
    () => html`<${Table}
      caption=${words.table}
      rows=${showsAll ? detections : detections.slice(0, rowsMax)}
      keyOf=${({ start, end, type }: Detection) => `${start}-${end}-${type}`}
      columns=${[
        { id: 'type', label: words.type, show: ({ type }: Detection) => html`<${TypeName} type=${type} />` },
        {
          id: 'value',
          label: words.value,
          show: ({ value }: Detection) => html`<code><${LongName} text=${value} /></code>`,
        },
        { id: 'score', label: words.score, align: 'end', show: ({ score }: Detection) => score.toFixed(2) },
        { id: 'why', label: words.why, show: (detection: Detection) => whyFound(detection, language) },
      ]}
    />`,
    [detections, showsAll, language],
  );
  return html`<div>
    ${table}
    ${
      detections.length > rowsMax &&
      !showsAll &&
      html`<${Button} isSmall onClick=${() => setShowsAll(true)}>${words.all(detections.length)}</${Button}>`
    }
  </div>`;
}

function TypeName({ type }: { readonly type: string }): VNode {
  const { language } = usePreferences();
  return html`<span class="type-name">
    <span class="dot" style=${{ '--hue': String(typeHue(type)) }} aria-hidden="true"></span>${typeName(type, language)}
  </span>`;
}

/** A masked text; each token shows its value. */
export function TokenText(props: {
  readonly text: string;
  readonly tokenMap: TokenMap;
  readonly label?: string;
}): VNode {
  const words = useTexts(texts);
  const { language } = usePreferences();
  const { text, tokenMap } = props;
  const spans = useMemo(
    () =>
      tokenSpans(text, Object.keys(tokenMap)).map(({ start, end, mark: token }) => {
        const value = tokenMap[token] ?? '';
        return { start, end, mark: tokenMark({ token, value, line: words.standsFor(value), language }) };
      }),
    [text, tokenMap, language],
  );
  return html`<${MarkedText} label=${props.label ?? words.masked} text=${text} spans=${spans} />`;
}

/** A restored text with its restored values marked. */
export function RestoredText(props: {
  readonly text: string;
  readonly tokenMap: TokenMap;
  readonly label: string;
}): VNode {
  const { language } = usePreferences();
  const { text, tokenMap } = props;
  const spans = useMemo(() => {
    const tokenOf = new Map(Object.entries(tokenMap).map(([token, value]) => [value, token]));
    return tokenSpans(text, [...tokenOf.keys()]).map(({ start, end, mark: value }) => {
      const token = tokenOf.get(value) ?? '';
      return { start, end, mark: tokenMark({ token, value, line: token, language }) };
    });
  }, [text, tokenMap, language]);
  return html`<${MarkedText} label=${props.label} text=${text} spans=${spans} />`;
}

type Pair = { readonly token: string; readonly value: string; readonly line: string; readonly language: Language };

function tokenMark({ token, value, line, language }: Pair): Mark {
  const type = typeOfToken(token);
  return { title: typeName(type, language), hue: typeHue(type), lines: [line], group: value };
}
