/** Unregistered hosts that look like AI, with their signals, and buttons to register or dismiss each. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import type { FoundHost } from '../../gateway/api/routes/discovery.ts';
import { Button } from '../shared/button.ts';
import { Select } from '../shared/field.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { Badge, EmptyState } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { hrefOf } from '../shared/route.ts';
import { categories } from './answers.ts';
import { plural, useFormat } from './format.ts';
import { Loaded, useLoad, useSend } from './load.ts';
import { useApi } from './session.ts';
import { verdictTexts } from './verdict.ts';

const texts = inBoth({
  empty: ['No unregistered host looks like AI.', 'AI らしい未登録ホストは見つかっていません。'],
  emptyOpen: ['Nothing is waiting for a decision.', '判断待ちのホストはありません。'],
  emptyHow: [
    'Unregistered hosts appear here as soon as their traffic looks like AI.',
    '未登録ホストへの通信が AI らしいと判断されると、ここに表示されます。',
  ],
  confidence: ['Confidence', '確度'],
  signals: ['Why it looks like AI', 'AI と考えられる理由'],
  seen: [
    (first: string, last: string) => `first ${first}, last ${last}`,
    (first: string, last: string) => `初回 ${first}、最終 ${last}`,
  ],
  traffic: [
    (requests: string, subjects: string) => `${plural(requests, 'request')} by ${plural(subjects, 'user')}`,
    (requests: string, subjects: string) => `${subjects} 人から ${requests} 件のリクエスト`,
  ],
  category: [(host: string) => `Category of ${host}`, (host: string) => `${host} の区分`],
  register: ['Register', '登録'],
  dismiss: ['Dismiss', '却下'],
  again: ['Propose again', '再び提案'],
  events: ['events:', 'イベント：'],
  registered: [
    (host: string, category: string) => `${host} is registered as ${category}`,
    (host: string, category: string) => `${host} を「${category}」として登録しました`,
  ],
  dismissed: [(host: string) => `${host} was dismissed`, (host: string) => `${host} を却下しました`],
  reopened: [(host: string) => `${host} is proposed again`, (host: string) => `${host} を再び判断待ちにしました`],
  signalNames: {
    'host-tld-ai': ['Name ends in .ai', '名前が .ai で終わる'],
    'host-model-word': ['Name contains a model or product', '名前にモデル名や製品名を含む'],
    'host-risk-word': ['Name of a harmful image service', '有害な画像サービスの名前'],
    'host-token-ai': ['“ai” in the name', '名前に「ai」を含む'],
    'host-chat-word': ['Name contains a word for chat', '名前にチャットを表す語を含む'],
    'host-api-label': ['Name contains “api”', '名前に「api」を含む'],
    'host-lookalike': ['Imitates a registered name', '登録済みの名前に酷似'],
    'path-model-api': ['Paths of model APIs', 'モデル API のパス'],
    'path-model-list': ['Asks for a list of models', 'モデル一覧を取得'],
    'port-model-server': ['Port of a model server', 'モデルサーバーのポート'],
    'header-provider-key': ['Provider key sent', 'モデル提供元のキーを送信'],
    'header-provider': ['Header fields of a provider', 'モデル提供元のヘッダー'],
    'header-sdk': ['Header fields of an AI SDK', 'AI SDK のヘッダー'],
    'agent-sdk': ['Sent by an AI SDK', 'AI SDK からの送信'],
    'body-chat': ['Chat with a model', 'モデルとのチャット'],
    'body-prompt': ['Prompt in the body', '本文にプロンプト'],
    'answer-provider': ['Response of a provider', 'モデル提供元の応答'],
    'answer-gateway': ['Response of an AI gateway', 'AI ゲートウェイの応答'],
    'answer-token-limit': ['Response limits tokens', '応答にトークン上限'],
    'answer-stream': ['Event stream after JSON', 'JSON へのイベントストリーム'],
    'answer-events': ['Streams like a model', 'モデルに似たストリーム'],
    'answer-usage': ['Response counts tokens', '応答にトークン数'],
    'answer-error': ['Error of a model API', 'モデル API のエラー'],
  } as Record<string, Text>,
  states: {
    registered: ['Registered', '登録済み'],
    dismissed: ['Dismissed', '却下済み'],
    proposed: ['Proposed', '提案中'],
    seen: ['Too few signals', '兆候が少ない'],
  } as Record<string, Text>,
  levels: {
    weak: ['Weak', '弱い'],
    low: ['Low', '低い'],
    medium: ['Medium', '中程度'],
    high: ['High', '高い'],
  } as Record<string, Text>,
  imitates: [(name: string) => `Imitates ${name}`, (name: string) => `${name} に酷似`],
  show: ['Show', '表示'],
  open: [(n: number) => `To decide (${n})`, (n: number) => `判断待ち（${n}）`],
  all: [(n: number) => `All (${n})`, (n: number) => `すべて（${n}）`],
});

export function FoundHosts(): VNode {
  const words = useTexts(texts);
  const load = useLoad<{ readonly hosts: readonly FoundHost[] }>('/admin/discovery?limit=1000', { everyMs: 30_000 });
  const [isAll, setAll] = useState(false);
  return html`<${Loaded}
    load=${load}
    show=${({ hosts }: { hosts: readonly FoundHost[] }) => {
      const open = hosts.filter(({ state }) => state === 'proposed');
      const shown = isAll ? hosts : open;
      return html`<div class="stack">
        <div class="choice" role="group" aria-label=${words.show}>
          <button type="button" aria-pressed=${!isAll} onClick=${() => setAll(false)}>${words.open(open.length)}</button>
          <button type="button" aria-pressed=${isAll} onClick=${() => setAll(true)}>${words.all(hosts.length)}</button>
        </div>
        ${
          shown.length === 0 &&
          html`<${EmptyState} icon="check" title=${hosts.length === 0 ? words.empty : words.emptyOpen}>
            <p>${words.emptyHow}</p>
          </${EmptyState}>`
        }
        ${shown.map((host) => html`<${HostCard} key=${host.host} found=${host} reload=${load.reload} />`)}
      </div>`;
    }}
  />`;
}

const levels = ['weak', 'low', 'medium', 'high'];

function HostCard({ found, reload }: { readonly found: FoundHost; readonly reload: () => Promise<void> }): VNode {
  const words = useTexts(texts);
  const { categories: names } = useTexts(verdictTexts);
  const format = useFormat();
  const api = useApi();
  const send = useSend(reload);
  const [category, setCategory] = useState<string>(found.category_proposed);
  const [isBusy, setBusy] = useState(false);
  const { host, signals, state } = found;
  const decide = async (body: Record<string, unknown>, text: string): Promise<void> => {
    setBusy(true);
    await send(api.post(`/admin/discovery/${encodeURIComponent(host)}`, body), text);
    setBusy(false);
  };
  const register = () =>
    decide({ state: 'registered', service: { category } }, words.registered(host, names[category] ?? category));
  return html`<article class="card found">
    <div class="grow stack tight">
      <div class="row">
        <h2 class="mono">${host}</h2>
        ${state !== 'proposed' && html`<${Badge}>${words.states[state] ?? state}</${Badge}>`}
      </div>
      <p class="row tight">
        <span class="quiet-text">${words.confidence}</span>
        <meter min="0" max="3" value=${levels.indexOf(found.confidence)} aria-label=${words.confidence}></meter>
        <strong>${words.levels[found.confidence] ?? found.confidence}</strong>
        ${found.imitates && html`<${Badge} tone="bad">${words.imitates(found.imitates)}</${Badge}>`}
      </p>
      <ul class="row tight" aria-label=${words.signals}>
        ${signals.map(
          ({ signal, weight, count }) => html`<li key=${signal}>
            <${Badge} tone=${weight === 'A' ? 'bad' : weight === 'B' ? 'warn' : 'plain'}>
              ${words.signalNames[signal] ?? signal}
              ${count > 1 && html` <span class="number">× ${format.number(count)}</span>`}
            </${Badge}>
          </li>`,
        )}
      </ul>
      <p class="quiet-text">
        ${words.traffic(format.number(found.requests), format.number(found.subjects))} ·
        ${' '}${words.seen(format.relative(found.first_seen), format.relative(found.last_seen))} ·
        ${' '}${words.events}
        ${found.hosts.slice(0, 6).map((one) => html` <a key=${one} class="mono" href=${hrefOf('events', { host: one })}>${one}</a>`)}
      </p>
    </div>
    <div class="row end">
      ${
        state !== 'registered' &&
        html`<${Select}
          label=${words.category(host)}
          isLabelHidden
          value=${category}
          options=${categories.map((category) => [category, names[category]])}
          onChange=${setCategory}
        />
          <${Button}
            kind="primary"
            isBusy=${isBusy}
            onClick=${() => void register()}
          >${words.register}</${Button}>`
      }
      ${
        state === 'dismissed'
          ? html`<${Button}
            isBusy=${isBusy}
            onClick=${() => void decide({ state: 'seen' }, words.reopened(host))}
          >${words.again}</${Button}>`
          : state !== 'registered' &&
            html`<${Button}
              isBusy=${isBusy}
              onClick=${() => void decide({ state: 'dismissed' }, words.dismissed(host))}
            >${words.dismiss}</${Button}>`
      }
    </div>
  </article>`;
}
