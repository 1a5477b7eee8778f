/** The processes that share the store. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Replica } from '../../gateway/api/routes/replicas.ts';
import { html, type VNode } from '../shared/html.ts';
import { Badge } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { useFormat } from './format.ts';
import { useLoad } from './load.ts';
import { columnsOf, TableCard } from './table-card.ts';

const texts = inBoth({
  title: ['Replicas', 'レプリカ'],
  host: ['Machine', 'マシン'],
  version: ['Version', 'バージョン'],
  started: ['Started', '起動'],
  seen: ['Last seen', '最終確認'],
  state: ['State', '状態'],
  store: ['Store', 'ストア'],
  live: ['Live', '稼働中'],
  silent: ['Silent', '応答なし'],
  self: ['This one', 'このプロセス'],
  ready: ['Reachable', '接続中'],
  away: ['Unreachable', '接続できません'],
});

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
