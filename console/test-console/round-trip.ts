/** Side by side: the original, the masked text, and the answer with restored values, at once or as a stream. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Detection, TokenMap } from '../../gateway/api/fields.ts';
import type { RestoreAnswer } from '../../gateway/api/routes/mask.ts';
import { Button } from '../shared/button.ts';
import { TextArea } from '../shared/field.ts';
import { html, useEffect, useRef, useState, type VNode } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import { Note } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { useAccess } from './access.ts';
import { CallProblem } from './call-problem.ts';
import { HighlightedText, RestoredText, TokenText } from './detections.ts';
import { StreamPlay } from './stream-play.ts';

const texts = inBoth({
  title: ['Round trip', '往復を確かめる'],
  original: ['Original', '元のテキスト'],
  sees: ['What the model sees', 'モデルに渡る内容'],
  restored: ['Restored answer', '復元された回答'],
  answer: ['Model answer', 'モデルの回答'],
  answerHint: [
    'Paste a model’s answer to the masked text, or use a sample answer. Its tokens are replaced by the original values.',
    'マスク済みテキストに対するモデルの回答を貼り付けるか、「回答例を作る」を押してください。トークンが元の値に戻ります。',
  ],
  madeUp: ['Sample answer', '回答例を作る'],
  restore: ['Restore', '復元する'],
  stream: ['Play as a stream', 'ストリームで再生'],
  count: [
    (n: number) => (n === 1 ? '1 token restored' : `${n} tokens restored`),
    (n: number) => `${n} 個のトークンを復元しました`,
  ],
  unresolved: [
    'Not restored, because they were not issued here or are inside a link:',
    '発行されていないか、URL の中にあるため、そのまま残したトークン：',
  ],
  waiting: [
    'Press “Restore” to see the answer with its values.',
    '「復元する」を押すと、元の値に戻した回答が表示されます。',
  ],
  say: [
    (tokens: readonly string[]) =>
      tokens.length === 0
        ? 'Thank you, I have read everything.'
        : `Thank you! I have noted: ${tokens.join(', ')}. Shall I write to ${tokens[0]} now?`,
    (tokens: readonly string[]) =>
      tokens.length === 0
        ? '内容を確認しました。'
        : `承知しました。${tokens.join('、')} を確認しました。${tokens[0]} へご連絡してもよろしいでしょうか。`,
  ],
});

export type RoundTripProps = {
  readonly text: string;
  readonly detections: readonly Detection[];
  readonly masked: string;
  readonly tokenMap: TokenMap;
  readonly sessionId: string;
};

export function RoundTrip({ text, detections, masked, tokenMap, sessionId }: RoundTripProps): VNode {
  const words = useTexts(texts);
  const access = useAccess();
  const [answer, setAnswer] = useState(() => words.say(Object.keys(tokenMap)));
  const [restored, setRestored] = useState<RestoreAnswer>();
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const [playing, setPlaying] = useState<string>();
  const isHere = useRef(true);
  useEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );

  const restore = async (asStream: boolean) => {
    if (isRunning) return;
    setRunning(true);
    setProblem(undefined);
    setPlaying(undefined);
    const outcome = await access.post<RestoreAnswer>('/restore', { text: answer, sessionId });
    if (!isHere.current) return;
    setRunning(false);
    if (!outcome.ok) return setProblem(outcome.problem);
    setRestored(outcome.body);
    if (asStream) setPlaying(answer);
  };

  return html`<section class="card stack" aria-label=${words.title}>
    <h2>${words.title}</h2>
    <div class="thirds">
      <div class="stack"><h3>${words.original}</h3>
        <${HighlightedText} label=${words.original} text=${text} detections=${detections} /></div>
      <div class="stack"><h3>${words.sees}</h3>
        <${TokenText} label=${words.sees} text=${masked} tokenMap=${tokenMap}  /></div>
      <div class="stack"><h3>${words.restored}</h3>
        ${
          restored === undefined
            ? html`<div class="marked waiting">${words.waiting}</div>`
            : playing === undefined
              ? html`<${RestoredText} label=${words.restored} text=${restored.restored} tokenMap=${tokenMap}  />`
              : html`<${StreamPlay}
                  answer=${playing}
                  tokenMap=${tokenMap}
                  label=${words.restored}
                  onEnd=${() => setPlaying(undefined)}
                />`
        }
        ${
          restored !== undefined &&
          playing === undefined &&
          html`<p class="quiet-text" role="status">${words.count(restored.restoredCount)}</p>`
        }
      </div>
    </div>
    ${
      restored !== undefined &&
      restored.unresolved.length > 0 &&
      html`<${Note} tone="warn"><p>${words.unresolved} <code>${restored.unresolved.join(' ')}</code></p></${Note}>`
    }
    ${problem && html`<${CallProblem} problem=${problem} onRetry=${() => restore(false)} />`}
    <${TextArea}
      label=${words.answer}
      hint=${words.answerHint}
      rows=${4}
      value=${answer}
      onInput=${setAnswer}
      onRun=${() => restore(false)}
    />
    <div class="row">
      <${Button} kind="primary" isBusy=${isRunning} isDisabled=${answer === ''} onClick=${() => restore(false)}>${words.restore}</${Button}>
      <${Button} icon="play" isDisabled=${answer === '' || isRunning} onClick=${() => restore(true)}>${words.stream}</${Button}>
      <${Button} kind="quiet" onClick=${() => setAnswer(words.say(Object.keys(tokenMap)))}>${words.madeUp}</${Button}>
    </div>
  </section>`;
}
