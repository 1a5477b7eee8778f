/** Programs that use tools, by the name they send. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Agent } from '../../gateway/api/routes/agents.ts';
import { html, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { EmptyState } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { useFormat } from './format.ts';
import { useLabels } from './labels.ts';
import { useLoad } from './load.ts';
import { columnsOf, TableCard } from './table-card.ts';

const texts = inBoth({
  caption: ['Programs', 'プログラム'],
  empty: ['No program has used a tool yet.', 'ツールを使ったプログラムはまだありません。'],
  emptyHow: [
    'Programs appear here when they offer tools or MCP servers to a model through the proxy.',
    'プロキシ経由でモデルにツールや MCP サーバーを渡したプログラムが、ここに表示されます。',
  ],
  agent: ['Program', 'プログラム'],
  users: ['Users', 'ユーザー'],
  services: ['Services', 'サービス'],
  servers: ['MCP servers', 'MCP サーバー'],
  requests: ['Requests', 'リクエスト'],
  last: ['Last seen', '最終確認'],
});

export function AgentList(): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const labels = useLabels();
  const load = useLoad<{ readonly agents: readonly Agent[] }>('/admin/agents?limit=1000', { everyMs: 30_000 });
  const columns = columnsOf(words, {
    agent: ({ agent }: Agent) => html`<strong class="mono"><${LongName} text=${agent} /></strong>`,
    users: ({ users }) => html`<${LongName} text=${format.few(users)} />`,
    services: ({ services }) => format.list(services.map(labels.service)),
    servers: ({ servers }) => html`<span class="mono"><${LongName} text=${format.few(servers)} /></span>`,
    requests: { align: 'end', show: ({ requests }) => format.number(requests) },
    last: ({ last_seen: last }) => format.relative(last),
  });
  return html`<${TableCard}
    load=${load}
    rows=${({ agents }: { agents: readonly Agent[] }) => agents}
    caption=${words.caption}
    columns=${columns}
    keyOf=${({ agent }: Agent) => agent}
    empty=${html`<${EmptyState} icon="code" title=${words.empty}><p>${words.emptyHow}</p></${EmptyState}>`}
  />`;
}
