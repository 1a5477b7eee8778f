/** The processes that share the store. */
import type { Replica } from '../../gateway/api/routes/replicas.ts';
import { html, type VNode } from '../shared/html.ts';
import { Badge } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { useFormat } from './format.ts';
import { useLoad } from './load.ts';
import { columnsOf, TableCard } from './table-card.ts';

const texts = {
  en: {
    title: 'Replicas',
    host: 'Machine',
    version: 'Version',
    started: 'Started',
    seen: 'Last seen',
    state: 'State',
    store: 'Store',
    live: 'Live',
    silent: 'Silent',
    self: 'This one',
    ready: 'Reachable',
    away: 'Unreachable',
  },
  ja: {
    title: 'レプリカ',
    host: 'マシン',
    version: 'バージョン',
    started: '起動',
    seen: '最終確認',
    state: '状態',
    store: 'ストア',
    live: '稼働中',
    silent: '応答なし',
    self: 'このプロセス',
    ready: '接続中',
    away: '接続できません',
  },
};

export function ReplicaList(): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const load = useLoad<{ readonly replicas: readonly Replica[] }>('/admin/replicas', { everyMs: 10_000 });
  const columns = columnsOf(words, {
    host: ({ host, id, is_self: isSelf }: Replica) =>
      html`<strong>${host}</strong> ${isSelf && html`<${Badge} tone="info">${words.self}</${Badge}>`}
        <div class="quiet-text mono">${id}</div>`,
    state: ({ state }) => html`<${Badge} tone=${state === 'live' ? 'good' : 'warn'}>${words[state]}</${Badge}>`,
    store: ({ store_ready: isReady }) => (isReady ? words.ready : html`<${Badge} tone="bad">${words.away}</${Badge}>`),
    version: ({ version }) => version,
    started: ({ started_at: at }) => format.relative(at),
    seen: ({ seen_at: at }) => format.relative(at),
  });
  return html`<${TableCard}
    load=${load}
    rows=${({ replicas }: { replicas: readonly Replica[] }) => replicas}
    caption=${words.title}
    columns=${columns}
    keyOf=${({ id }: Replica) => id}
  />`;
}
