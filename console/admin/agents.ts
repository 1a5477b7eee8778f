/** MCP servers, tools and programs: what was seen, changed and approved. */

import { inBoth } from '../../core/wording/in-both.ts';
import { html, type VNode } from '../shared/html.ts';
import { useTexts } from '../shared/preferences.ts';
import { AgentList } from './agent-list.ts';
import { ServerList } from './agent-servers.ts';
import { ToolList } from './agent-tools.ts';
import { useTabView } from './tab-view.ts';

const texts = inBoth({
  title: ['Agents', 'エージェント'],
  about: [
    'Tools and MCP servers that programs use through this gateway, with their pinned definitions.',
    'プログラムがこのゲートウェイを通して使うツールと MCP サーバー、および固定された定義です。',
  ],
  parts: ['What was seen', '表示する内容'],
  review: ['To review', '要確認'],
  servers: ['MCP servers', 'MCP サーバー'],
  tools: ['All tools', 'すべてのツール'],
  agents: ['Programs', 'プログラム'],
});

export function AgentsView(): VNode {
  return useTabView('agents', useTexts(texts), {
    review: () => html`<${ToolList} key="review" isReview />`,
    servers: () => html`<${ServerList} />`,
    tools: () => html`<${ToolList} key="tools" />`,
    agents: () => html`<${AgentList} />`,
  });
}
