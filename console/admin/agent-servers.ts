/** MCP servers with the sets of their tools. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import type { McpServer } from '../../gateway/api/routes/agents.ts';
import { Button } from '../shared/button.ts';
import { html, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { Badge, EmptyState } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { usageCells } from './agent-tools.ts';
import { useFormat } from './format.ts';
import { useLoad, useSend } from './load.ts';
import { useApi } from './session.ts';
import { columnsOf, TableCard } from './table-card.ts';

const texts = inBoth({
  caption: ['MCP servers', 'MCP サーバー'],
  empty: ['No MCP server has been seen yet.', 'MCP サーバーはまだありません。'],
  emptyHow: [
    'Servers appear here when a program offers their tools to a model through the proxy.',
    'プログラムがプロキシ経由でモデルにツールを渡すと、そのサーバーがここに表示されます。',
  ],
  server: ['Server', 'サーバー'],
  kinds: {
    remote: ['Through the gateway', 'ゲートウェイ経由'],
    provider: ['From the provider', 'モデル提供元経由'],
    local: ['On the user’s machine', '端末内'],
    agent: ['Agent (A2A)', 'エージェント（A2A）'],
  } as Record<string, Text>,
  tools: ['Tools', 'ツール'],
  added: [(names: string) => `New: ${names}`, (names: string) => `追加：${names}`],
  users: ['Used by', 'ユーザー'],
  last: ['Last seen', '最終確認'],
  state: ['State', '状態'],
  states: { seen: ['Seen', '検出済み'], approved: ['Approved', '承認済み'], denied: ['Denied', '拒否'] } as Record<
    string,
    Text
  >,
  actions: ['Decide', '判断'],
  approve: ['Approve', '承認'],
  approveOf: [(name: string) => `Approve ${name} with its tools`, (name: string) => `${name} とそのツールを承認`],
  deny: ['Deny', '拒否'],
  denyOf: [(name: string) => `Deny ${name}`, (name: string) => `${name} を拒否`],
  done: [
    (name: string, state: string) => `${name} was ${state}`,
    (name: string, state: string) => `${name} を${state === 'approved' ? '承認' : '拒否'}しました`,
  ],
});

export function ServerList(): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const api = useApi();
  const load = useLoad<{ readonly servers: readonly McpServer[] }>('/admin/mcp-servers?limit=1000', {
    everyMs: 30_000,
  });
  const send = useSend(load.reload);
  const decide = (id: string, state: 'approved' | 'denied') =>
    send(api.post(`/admin/mcp-servers/${encodeURIComponent(id)}`, { state }), words.done(id, state));
  const columns = columnsOf(words, {
    server: ({ id, kind }: McpServer) => html`<strong class="mono"><${LongName} text=${id} /></strong>
      <div class="quiet-text">${words.kinds[kind] ?? kind}</div>`,
    tools: {
      align: 'end',
      show: ({ tools, added }) => html`<span title=${tools.join(', ')}>${format.number(tools.length)}</span>
        ${added.length > 0 && html`<div><${Badge} tone="warn">${words.added(format.few(added))}</${Badge}></div>`}`,
    },
    ...usageCells(words.states, format),
    actions: {
      isLabelHidden: true,
      show: ({ id, state, added }) => html`<span class="row tight">
        ${
          (state !== 'approved' || added.length > 0) &&
          html`<${Button}
            isSmall
            label=${words.approveOf(id)}
            onClick=${() => void decide(id, 'approved')}
          >${words.approve}</${Button}>`
        }
        ${
          state !== 'denied' &&
          html`<${Button}
            isSmall
            kind="quiet"
            label=${words.denyOf(id)}
            onClick=${() => void decide(id, 'denied')}
          >${words.deny}</${Button}>`
        }
      </span>`,
    },
  });
  return html`<${TableCard}
    load=${load}
    rows=${({ servers }: { servers: readonly McpServer[] }) => servers}
    caption=${words.caption}
    columns=${columns}
    keyOf=${({ id }: McpServer) => id}
    empty=${html`<${EmptyState} icon="code" title=${words.empty}><p>${words.emptyHow}</p></${EmptyState}>`}
  />`;
}
