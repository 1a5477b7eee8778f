/** Mask and restore: detections, the masked text, and the restored answer. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Detection } from '../../gateway/api/fields.ts';
import type { MaskAnswer } from '../../gateway/api/routes/mask.ts';
import { Button } from '../shared/button.ts';
import { TextArea } from '../shared/field.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import { Badge, EmptyState, Note } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { usePreferences, useTexts } from '../shared/preferences.ts';
import { Tabs } from '../shared/tabs.ts';
import { useAccess } from './access.ts';
import { CallProblem } from './call-problem.ts';
import { CodeView } from './code-view.ts';
import { DetectionTable, HighlightedText, TokenText } from './detections.ts';
import { DictionaryState } from './dictionary-state.ts';
import { JsonBlock } from './json-block.ts';
import { RoundTrip } from './round-trip.ts';
import { SampleChips } from './sample-chips.ts';
import { textSamples } from './samples.ts';
import { useResultPlace } from './shown-result.ts';
import { texts as common } from './texts.ts';
import { fieldsOf, plainWish } from './wish.ts';
import { WishForm } from './wish-form.ts';

const texts = inBoth({
  mask: ['Mask', 'マスクする'],
  detect: ['Detect only', '検出だけ'],
  placeholder: [
    'Type or paste a text, or choose a sample.',
    'テキストを入力または貼り付けるか、サンプルを選んでください。',
  ],
  views: ['Ways to look at the result', '結果の表示方法'],
  highlighted: ['Highlighted', '強調表示'],
  masked: ['Masked', 'マスキング後'],
  emptyTitle: ['Nothing has run yet', 'まだ実行していません'],
  empty: [
    'Choose a sample or write something, then press the button.',
    'サンプルを選ぶか文章を入力して、ボタンを押してください。',
  ],
  nothing: ['No personal data was found', '個人情報は見つかりませんでした'],
  nothingTodo: ['The text would go to the model unchanged.', 'テキストはそのままモデルに渡ります。'],
  maskedNothing: [
    'Run “Mask” to see the text with tokens.',
    '「マスクする」を実行すると、トークンに置き換えたテキストが表示されます。',
  ],
  stale: ['The text has changed since then.', '実行後にテキストが変わっています。'],
  length: [
    (length: string, max: string) => `${length} of ${max} characters`,
    (length: string, max: string) => `${length} / ${max} 文字`,
  ],
  tooLong: [
    (max: string) => `The sandbox accepts up to ${max} characters. Shorten the text, or enter a key.`,
    (max: string) => `サンドボックスでは ${max} 文字までです。短くするか、キーを入力してください。`,
  ],
});

type View = 'highlighted' | 'masked' | 'json' | 'code';
type Result = {
  readonly text: string;
  readonly detections: readonly Detection[];
  readonly answer: Partial<MaskAnswer>;
  readonly raw: unknown;
  readonly tookMs: number;
};

export function MaskView(): VNode {
  const words = useTexts(texts);
  const shared = useTexts(common);
  const { language } = usePreferences();
  const access = useAccess();
  const isSandbox = access.key === undefined;
  const [text, setText] = useState(() => textSamples[language === 'ja' ? 1 : 0]?.text ?? '');
  const [wish, setWish] = useState(plainWish);
  const [result, setResult] = useState<Result>();
  const [problem, setProblem] = useState<Problem>();
  const [running, setRunning] = useState<'mask' | 'detect'>();
  const [view, setView] = useState<View>('highlighted');
  const place = useResultPlace(result, problem);
  const sessionId = result?.answer.sessionId;

  const bodyOf = (isMask: boolean) => ({
    text,
    ...fieldsOf(wish, { isMask, isSandbox, sessionId, entries: access.entries }),
  });
  const run = async (what: 'mask' | 'detect') => {
    if (running !== undefined) return;
    setRunning(what);
    setProblem(undefined);
    const isMask = what === 'mask';
    const outcome = await access.post<MaskAnswer>(isMask ? '/mask' : '/detect', {
      ...bodyOf(isMask),
      explain: true,
    });
    setRunning(undefined);
    if (!outcome.ok) return setProblem(outcome.problem);
    const { body, tookMs } = outcome;
    setResult({ text, detections: body.detections, answer: body, raw: body, tookMs });
    setView((before) => (before === 'masked' && !isMask ? 'highlighted' : before));
  };
  const count = new Intl.NumberFormat(language);
  const lengthMax = access.settings?.demo.textLengthMax ?? 2_000;
  const isTooLong = isSandbox && text.length > lengthMax;
  const { tokenMap, masked } = result?.answer ?? {};
  return html`<${ViewHead} title=${shared.nav.mask} about=${shared.about.mask} />
    <div class="halves">
      <section class="card stack" aria-label=${shared.text}>
        <${SampleChips} samples=${textSamples} current=${text} onChoose=${setText} />
        <${TextArea}
          label=${shared.text}
          rows=${11}
          value=${text}
          placeholder=${words.placeholder}
          onInput=${setText}
          onRun=${() => run('mask')}
          hint=${isSandbox ? words.length(count.format(text.length), count.format(lengthMax)) : undefined}
          error=${isTooLong ? words.tooLong(count.format(lengthMax)) : undefined}
        />
        <${DictionaryState} />
        <${WishForm} wish=${wish} isMask onChange=${setWish} />
        <div class="row">
          <${Button}
            kind="primary"
            icon="mask"
            isBusy=${running === 'mask'}
            isDisabled=${text === '' || isTooLong}
            onClick=${() => run('mask')}
          >${words.mask}</${Button}>
          <${Button}
            icon="search"
            isBusy=${running === 'detect'}
            isDisabled=${text === '' || isTooLong}
            onClick=${() => run('detect')}
          >${words.detect}</${Button}>
          <${Button} kind="quiet" isDisabled=${text === ''} onClick=${() => setText('')}>${shared.clear}</${Button}>
          <kbd class="quiet-text">${shared.runHint}</kbd>
        </div>
      </section>
      <section class="card stack outcome" aria-label=${shared.result} ref=${place} aria-busy=${running !== undefined}>
        ${problem && html`<${CallProblem} problem=${problem} onRetry=${() => run('mask')} />`}
        <${Tabs}
          label=${words.views}
          current=${view}
          onSelect=${setView}
          tabs=${[
            { id: 'highlighted', label: words.highlighted, ...(result ? { count: result.detections.length } : {}) },
            { id: 'masked', label: words.masked },
            { id: 'json', label: shared.json },
            { id: 'code', label: shared.code },
          ]}
        >
          ${
            view === 'code'
              ? html`<${CodeView} path="/mask" body=${bodyOf(true)} prompt=${text} />`
              : result === undefined
                ? html`<${EmptyState} icon="mask" title=${words.emptyTitle}><p>${words.empty}</p></${EmptyState}>`
                : html`<div class="stack">
                    <div class="row">
                      <${Badge}>${shared.took(Math.round(result.tookMs))}</${Badge}>
                      ${result.text !== text && html`<${Badge} tone="warn">${words.stale}</${Badge}>`}
                    </div>
                    ${
                      result.detections.length === 0 &&
                      view !== 'json' &&
                      html`<${Note} tone="good" title=${words.nothing}><p>${words.nothingTodo}</p></${Note}>`
                    }
                    ${
                      view === 'highlighted' &&
                      html`<${HighlightedText} text=${result.text} detections=${result.detections}  />
                        ${result.detections.length > 0 && html`<${DetectionTable} detections=${result.detections} />`}`
                    }
                    ${
                      view === 'masked' &&
                      (masked === undefined || tokenMap === undefined
                        ? html`<${Note}><p>${words.maskedNothing}</p></${Note}>`
                        : html`<${TokenText} text=${masked} tokenMap=${tokenMap}  />`)
                    }
                    ${view === 'json' && html`<${JsonBlock} value=${result.raw} />`}
                  </div>`
          }
        </${Tabs}>
      </section>
    </div>
    ${
      masked !== undefined &&
      tokenMap !== undefined &&
      sessionId !== undefined &&
      html`<${RoundTrip}
        key=${`${sessionId} ${masked}`}
        text=${result?.text}
        detections=${result?.detections}
        masked=${masked}
        tokenMap=${tokenMap}
        sessionId=${sessionId}
      />`
    }`;
}
