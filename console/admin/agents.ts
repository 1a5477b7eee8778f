/** MCP servers, tools and programs: what was seen, changed and approved. */
import { html, type VNode } from '../shared/html.ts';
import { useTexts } from '../shared/preferences.ts';
import { AgentList } from './agent-list.ts';
import { ServerList } from './agent-servers.ts';
import { ToolList } from './agent-tools.ts';
import { useTabView } from './tab-view.ts';

const texts = {
  en: {
    title: 'Agents',
    about: 'Tools and MCP servers that programs use through this gateway, with their pinned definitions.',
    parts: 'What was seen',
    review: 'To review',
    servers: 'MCP servers',
    tools: 'All tools',
    agents: 'Programs',
  },
  ja: {
    title: 'エージェント',
    about: 'プログラムがこのゲートウェイを通して使うツールと MCP サーバー、および固定された定義です。',
    parts: '表示する内容',
    review: '要確認',
    servers: 'MCP サーバー',
    tools: 'すべてのツール',
    agents: 'プログラム',
  },
};

export function AgentsView(): VNode {
  return useTabView('agents', useTexts(texts), {
    review: () => html`<${ToolList} key="review" isReview />`,
    servers: () => html`<${ServerList} />`,
    tools: () => html`<${ToolList} key="tools" />`,
    agents: () => html`<${AgentList} />`,
  });
}
