/** Chat through the gateway: the message, what the model received and answered, and the restored answer. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import type { ChatAnswer, ChatShown } from '../../gateway/api/routes/chat.ts';
import { Button } from '../shared/button.ts';
import { Checkbox, Select, TextArea, TextField } from '../shared/field.ts';
import { html, useEffect, useRef, useState, type VNode } from '../shared/html.ts';
import { inPageLanguage, type Problem } from '../shared/http.ts';
import { Badge, EmptyState, Note } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { usePreferences, useTexts } from '../shared/preferences.ts';
import { useAccess } from './access.ts';
import { CallProblem } from './call-problem.ts';
import { CodeView } from './code-view.ts';
import { RestoredText, TokenText } from './detections.ts';
import { textSamples } from './samples.ts';
import { useResultPlace } from './shown-result.ts';
import { texts as common } from './texts.ts';

const texts = inBoth({
  message: ['Message', 'メッセージ'],
  provider: ['Model provider', 'モデル提供元'],
  first: ['The first one configured', '設定済みの先頭'],
  all: ['Several at once', '複数に同時に聞く'],
  which: ['Providers to ask', '質問する提供元'],
  model: ['Model', 'モデル'],
  modelHint: [
    'Leave empty for a small model of the provider.',
    '空欄の場合は、モデル提供元の小規模なモデルを使います。',
  ],
  stream: ['Stream the answer', 'ストリームで受け取る'],
  ask: ['Ask', '質問する'],
  stop: ['Stop', '中止'],
  standIn: [
    'Without a key, a stand-in model on this gateway answers. Enter a key to use the configured models.',
    'キーがない場合は、このゲートウェイの模擬モデルが答えます。設定済みのモデルに聞くには、キーを入力してください。',
  ],
  sent: ['What the model received', 'モデルに渡った内容'],
  said: ['What the model answered', 'モデルの回答'],
  read: ['What you read', '表示される回答'],
  empty: [
    'The answer appears here, together with what the model received.',
    '回答と、モデルに渡った内容がここに表示されます。',
  ],
  failed: [
    (provider: string) => `${provider} did not answer`,
    (provider: string) => `${provider} は回答しませんでした`,
  ],
  injection: ['If the message contains a prompt injection', 'プロンプトインジェクションを検出した場合'],
  injections: {
    block: ['Reject it', '拒否する'],
    warn: ['Send it with a warning', '警告して送る'],
    off: ['Do not check', '検査しない'],
  },
  standInName: ['Stand-in model', '模擬モデル'],
  roles: {
    user: ['User', 'ユーザー'],
    assistant: ['Assistant', 'アシスタント'],
    system: ['System', 'システム'],
  } as Record<string, Text>,
});

const providers = { openai: 'OpenAI', anthropic: 'Anthropic', gemini: 'Gemini', custom: 'Custom' } as const;
type Provider = keyof typeof providers;
const nameOf = (provider: string): string => providers[provider as Provider] ?? provider;
const providerNames = Object.keys(providers) as Provider[];
/** The stand-in of the sandbox answers in the place of a provider. */
type ChatResult = Omit<ChatAnswer, 'provider' | keyof ChatShown | 'creditsUsed'> & { readonly provider: string };
type Failure = { readonly provider: string; readonly error: { readonly code: string; readonly message: string } };
type MultiResult = ChatResult | Failure;
type Shown = { readonly results: readonly MultiResult[]; readonly call: Partial<ChatShown> };
type StreamEvent = {
  readonly type: string;
  readonly text?: string;
  readonly masked?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
} & Partial<ChatShown & ChatResult>;

export function ChatView(): VNode {
  const words = useTexts(texts);
  const shared = useTexts(common);
  const access = useAccess();
  const { language } = usePreferences();
  const [message, setMessage] = useState(() => textSamples[language === 'ja' ? 1 : 0]?.text ?? '');
  const [provider, setProvider] = useState('');
  const [several, setSeveral] = useState<readonly Provider[]>(['openai', 'anthropic']);
  const [model, setModel] = useState('');
  const [isStream, setStream] = useState(false);
  const [injection, setInjection] = useState('block');
  const [shown, setShown] = useState<Shown>();
  // Once per answer, not with each piece of a stream.
  const place = useResultPlace(shown === undefined ? undefined : true);
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const stopper = useRef<AbortController>(undefined);
  // Stop the answer when the view is left.
  useEffect(() => () => stopper.current?.abort(), []);

  const isSandbox = access.key === undefined;
  const isMulti = provider === 'all' && !isSandbox;
  const path = isMulti ? '/chat-multi' : '/chat';
  const body = {
    message,
    ...(isSandbox ? {} : isMulti ? { providers: several } : provider === '' ? {} : { provider }),
    ...(isSandbox || isMulti || model.trim() === '' ? {} : { model: model.trim() }),
    ...(injection === 'block' ? {} : { injection }),
    ...(access.entries.length === 0 ? {} : { dictionary: access.entries }),
  };
  const streamed = async (signal: AbortSignal) => {
    let call: Partial<ChatShown> = {};
    let result: ChatResult = {
      provider: isSandbox ? 'stand-in' : provider || 'openai',
      model,
      text: '',
      masked: '',
      unresolved: [],
    };
    const problem = await access.client.stream('POST', access.pathOf(path), {
      json: { ...body, stream: true },
      signal,
      onData(data) {
        const event = data as StreamEvent;
        if (event.type === 'start') call = event as ChatShown;
        if (event.type === 'delta') result = { ...result, text: result.text + (event.text ?? '') };
        if (event.type === 'end') result = { ...result, ...(event as Partial<ChatResult>), text: result.text };
        if (event.type === 'error' && event.error !== undefined) {
          void inPageLanguage({ kind: 'unavailable', status: 200, ...event.error } as const).then(setProblem);
        }
        setShown({ results: [result], call });
      },
    });
    access.noteAnswer(undefined);
    if (problem !== undefined) setProblem(problem);
  };
  const whole = async (signal: AbortSignal) => {
    const outcome = await access.post<ChatShown & ChatResult & { readonly results?: readonly MultiResult[] }>(
      path,
      body,
      { signal },
    );
    if (!outcome.ok) return setProblem(outcome.problem);
    const results = (outcome.body.results ?? [outcome.body]).map(async (result) =>
      'error' in result ? { ...result, error: await inPageLanguage(result.error) } : result,
    );
    setShown({ results: await Promise.all(results), call: outcome.body });
  };
  const run = async () => {
    if (isRunning) return;
    stopper.current = new AbortController();
    setRunning(true);
    setProblem(undefined);
    setShown(undefined);
    await (isStream && !isMulti ? streamed : whole)(stopper.current.signal);
    setRunning(false);
  };
  const map = shown?.call.tokenMap ?? {};
  const modelOf = ({ provider, model }: ChatResult) =>
    provider === 'stand-in' ? words.standInName : `${nameOf(provider)} ${model}`;
  return html`<${ViewHead} title=${shared.nav.chat} about=${shared.about.chat} />
    <div class="halves">
      <section class="card stack">
        <${TextArea} label=${words.message} rows=${9} value=${message} onInput=${setMessage} onRun=${run} />
        ${
          isSandbox
            ? html`<p class="quiet-text">${words.standIn}</p>`
            : html`<div class="columns">
          <${Select} label=${words.provider} value=${provider} onChange=${setProvider} options=${[
            ['', words.first],
            ...Object.entries(providers),
            ['all', words.all],
          ]} />
          ${
            isMulti
              ? html`<div class="field" role="group" aria-label=${words.which}>
                  <span class="label">${words.which}</span>
                  <div class="row">${providerNames.map(
                    (name) => html`<${Checkbox}
                      key=${name}
                      label=${providers[name]}
                      isChecked=${several.includes(name)}
                      onChange=${(isChecked: boolean) =>
                        setSeveral(
                          providerNames.filter((other) => (other === name ? isChecked : several.includes(other))),
                        )}
                    />`,
                  )}</div>
                </div>`
              : html`<${TextField} label=${words.model} hint=${words.modelHint} value=${model} onInput=${setModel} />`
          }
        </div>`
        }
        <${Select} label=${words.injection} value=${injection} onChange=${setInjection} options=${Object.entries(words.injections)} />
        ${!isMulti && html`<${Checkbox} label=${words.stream} isChecked=${isStream} onChange=${setStream} />`}
        <div class="row">
          <${Button}
            kind="primary"
            icon="chat"
            isBusy=${isRunning}
            isDisabled=${message === '' || (isMulti && several.length === 0)}
            onClick=${run}
          >${words.ask}</${Button}>
          ${isRunning && html`<${Button} onClick=${() => stopper.current?.abort()}>${words.stop}</${Button}>`}
        </div>
        ${problem && html`<${CallProblem} problem=${problem} onRetry=${run} />`}
        <details class="section"><summary>${shared.code}</summary><${CodeView} path=${path} body=${body} prompt=${message} /></details>
      </section>
      <section class="card stack outcome" aria-label=${shared.result} ref=${place} aria-busy=${isRunning}>
        <h2 class="unseen">${shared.result}</h2>
        ${shown === undefined && html`<${EmptyState} icon="chat" title=${words.empty} />`}
        ${
          shown?.call.sent &&
          html`<h3>${words.sent}</h3>
          ${shown.call.sent.map(
            (
              { role, content },
              i,
            ) => html`<div key=${i} class="stack tight"><p class="row"><${Badge}>${words.roles[role] ?? role}</${Badge}></p>
              <${TokenText} label=${words.sent} text=${content} tokenMap=${map} /></div>`,
          )}`
        }
        ${shown?.results.map((result, i) =>
          'error' in result
            ? html`<${Note} key=${i} tone="bad" title=${words.failed(nameOf(result.provider))}><p>${result.error.message}</p></${Note}>`
            : html`<div key=${i} class="stack">
                <p class="row"><${Badge} tone="info">${modelOf(result)}</${Badge}></p>
                ${
                  result.masked !== '' &&
                  html`<h3>${words.said}</h3><${TokenText}
                    label=${words.said}
                    text=${result.masked}
                    tokenMap=${map}
                  />`
                }
                <h3>${words.read}</h3>
                <${RestoredText} label=${words.read} text=${result.text} tokenMap=${map} />
              </div>`,
        )}
      </section>
    </div>`;
}
