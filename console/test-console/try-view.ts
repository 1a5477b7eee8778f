/**
 * The first view: a text, what the model receives, and the restored answer as it streams. Uses the sandbox's stand-in
 * model, so it works without a key or network.
 */

import { inBoth } from '../../core/wording/in-both.ts';
import type { ChatShown } from '../../gateway/api/routes/chat.ts';
import { Button } from '../shared/button.ts';
import { TextArea } from '../shared/field.ts';
import { html, useEffect, useRef, useState, type VNode } from '../shared/html.ts';
import { inPageLanguage, type Problem } from '../shared/http.ts';
import { Note } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { usePreferences, useTexts } from '../shared/preferences.ts';
import { hrefOf } from '../shared/route.ts';
import { useAccess } from './access.ts';
import { CallProblem } from './call-problem.ts';
import { RestoredText, TokenText } from './detections.ts';
import { SampleChips } from './sample-chips.ts';
import { textSamples } from './samples.ts';
import { texts as common } from './texts.ts';

const texts = inBoth({
  you: ['You write', '入力'],
  model: ['The model receives', 'モデルに渡る内容'],
  read: ['You read', '表示される回答'],
  wrote: ['As the model wrote it', 'モデルの回答（復元前）'],
  send: ['Send to the model', 'モデルに送る'],
  stop: ['Stop', '中止'],
  gets: [
    'The same text, with a token in place of each piece of personal data.',
    '個人情報がトークンに置き換わった、同じ文章です。',
  ],
  reads: ['The answer with your values restored, as it streams.', '回答が届くそばから、元の値に戻して表示します。'],
  held: [
    (text: string) => `Held back, may become a token: ${text}`,
    (text: string) => `トークンの可能性があるため保留中：${text}`,
  ],
  done: [
    (n: number) =>
      n === 0
        ? 'No personal data was found. The model received the text as you wrote it.'
        : `Done. ${n} ${n === 1 ? 'value was' : 'values were'} replaced, and the model never saw ${n === 1 ? 'it' : 'them'}.`,
    (n: number) =>
      n === 0
        ? '個人情報は見つからなかったため、入力した文章がそのままモデルに渡りました。'
        : `完了しました。${n} 件の値を置き換えました。モデルはこれらの値を見ていません。`,
  ],
  length: [
    (length: string, max: string) => `${length} of ${max} characters`,
    (length: string, max: string) => `${length} / ${max} 文字`,
  ],
  tooLong: [(max: string) => `Up to ${max} characters here.`, (max: string) => `ここでは ${max} 文字までです。`],
  off: ['The sandbox is off on this gateway', 'このゲートウェイではサンドボックスが無効です'],
  offTodo: [
    'Enter a key and use “Mask and restore” or “Chat”.',
    'キーを入力して「マスキングと復元」または「チャット」をお使いください。',
  ],
  standIn: [
    'The model is a stand-in on this machine that answers with the tokens it receives. The gateway really masks and restores.',
    'このモデルは、受け取ったトークンを使って答えるだけの模擬モデルで、このマシンの中で動いています。マスキングと復元はゲートウェイの実際の処理です。',
  ],
  next: ['Next', '次にできること'],
  chat: ['Chat with your own model', '自分のモデルとチャットする'],
  mask: ['See why each value was found', '検出された理由を見る'],
  code: ['Call it from your program', 'プログラムから呼び出す'],
});

type StreamEvent = {
  readonly type: string;
  readonly text?: string;
  readonly held?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
} & Partial<ChatShown>;

/** An exchange in progress. */
type Exchange = {
  readonly shown: ChatShown;
  readonly wrote: string;
  readonly read: string;
  readonly held: string;
  readonly isDone: boolean;
};

export function TryView(): VNode {
  const words = useTexts(texts);
  const shared = useTexts(common);
  const { language } = usePreferences();
  const access = useAccess();
  const [text, setText] = useState(() => textSamples[language === 'ja' ? 1 : 0]?.text ?? '');
  const [exchange, setExchange] = useState<Exchange>();
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const stopper = useRef<AbortController>(undefined);
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => () => stopper.current?.abort(), []);

  const run = async () => {
    if (isRunning || text.trim() === '') return;
    const controller = new AbortController();
    stopper.current = controller;
    setRunning(true);
    setProblem(undefined);
    setExchange(undefined);
    let now: Exchange | undefined;
    const problem = await access.client.stream('POST', '/demo/chat', {
      json: { message: text, injection: 'warn', stream: true },
      signal: controller.signal,
      onData(data) {
        const event = data as StreamEvent;
        if (event.type === 'start') {
          now = { shown: event as ChatShown, wrote: '', read: '', held: '', isDone: false };
          if (matchMedia('(max-width: 900px)').matches) outcome.current?.scrollIntoView({ block: 'start' });
        }
        if (now === undefined) return;
        const { text: piece = '' } = event;
        if (event.type === 'model') now = { ...now, wrote: now.wrote + piece, held: event.held ?? '' };
        if (event.type === 'delta') now = { ...now, read: now.read + piece };
        if (event.type === 'end') now = { ...now, held: '', isDone: true };
        if (event.type === 'error' && event.error !== undefined)
          void inPageLanguage({ kind: 'unavailable', status: 200, ...event.error } as const).then(setProblem);
        setExchange(now);
      },
    });
    setRunning(false);
    access.noteAnswer(undefined);
    if (problem !== undefined) setProblem(problem);
  };

  const { demo } = access.settings ?? {};
  const lengthMax = demo?.textLengthMax ?? 2_000;
  const count = new Intl.NumberFormat(language);
  const isTooLong = text.length > lengthMax;
  const { shown, wrote = '', read = '', held = '', isDone = false } = exchange ?? {};
  const map = shown?.tokenMap ?? {};
  return html`<${ViewHead} title=${shared.nav.try} about=${shared.about.try} />
    ${demo?.isOn === false && html`<${Note} tone="warn" title=${words.off}><p>${words.offTodo}</p></${Note}>`}
    <div class="thirds steps">
      <div class="card stack">
        <h2 class="step">${words.you}</h2>
        <${SampleChips} samples=${textSamples} current=${text} onChoose=${setText} />
        <${TextArea}
          label=${shared.text}
          rows=${9}
          value=${text}
          onInput=${setText}
          onRun=${run}
          hint=${words.length(count.format(text.length), count.format(lengthMax))}
          error=${isTooLong ? words.tooLong(count.format(lengthMax)) : undefined}
        />
        <div class="row">
          <${Button} kind="primary" icon="play" isBusy=${isRunning}
            isDisabled=${text.trim() === '' || isTooLong || demo?.isOn === false} onClick=${run}>${words.send}</${Button}>
          ${isRunning && html`<${Button} onClick=${() => stopper.current?.abort()}>${words.stop}</${Button}>`}
        </div>
        ${problem && html`<${CallProblem} problem=${problem} onRetry=${run} />`}
      </div>
      <div class="card stack outcome" ref=${outcome}>
        <h2 class="step">${words.model}</h2>
        ${
          shown === undefined
            ? html`<p class="marked waiting">${words.gets}</p>`
            : html`<${TokenText} label=${words.model} text=${shown.sent[0]?.content ?? ''} tokenMap=${map} />`
        }
        ${
          shown !== undefined &&
          html`<h3>${words.wrote}</h3>
            <${TokenText} label=${words.wrote} text=${wrote} tokenMap=${map} />`
        }
      </div>
      <div class="card stack outcome">
        <h2 class="step">${words.read}</h2>
        ${
          shown === undefined
            ? html`<p class="marked waiting">${words.reads}</p>`
            : html`<${RestoredText} label=${words.read} text=${read} tokenMap=${map} />`
        }
        <p class="quiet-text" role="status">${
          isDone ? words.done(Object.keys(map).length) : held !== '' ? words.held(held) : ''
        }</p>
      </div>
    </div>
    <p class="quiet-text">${words.standIn}</p>
    ${
      isDone &&
      html`<nav class="row" aria-label=${words.next}>
        <a href=${hrefOf('mask')}>${words.mask}</a>
        <a href=${hrefOf('chat')}>${words.chat}</a>
        <a href="/docs/">${words.code}</a>
      </nav>`
    }`;
}
