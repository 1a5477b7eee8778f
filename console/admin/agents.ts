/** MCP servers, tools and programs: what was seen, changed and approved. */
import { html, type VNode } from '../shared/html.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { useTexts } from '../shared/preferences.ts';
import { goTo, useRoute } from '../shared/route.ts';
import { Tabs } from '../shared/tabs.ts';
import { AgentList } from './agent-list.ts';
import { ServerList } from './agent-servers.ts';
import { ToolList } from './agent-tools.ts';

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

const tabs = { review: ToReview, servers: ServerList, tools: ToolList, agents: AgentList } as const;
type TabId = keyof typeof tabs;

export function AgentsView(): VNode {
  const words = useTexts(texts);
  const { query } = useRoute('agents');
  const asked = query.get('tab') ?? '';
  const current: TabId = asked in tabs ? (asked as TabId) : 'review';
  return html`<${ViewHead} title=${words.title} about=${words.about} />
    <${Tabs}
      label=${words.parts}
      current=${current}
      onSelect=${(id: string) => goTo('agents', { tab: id })}
      tabs=${(Object.keys(tabs) as TabId[]).map((id) => ({ id, label: words[id] }))}
    ><${tabs[current]} key=${current} /></${Tabs}>`;
}

function ToReview(): VNode {
  return html`<${ToolList} isReview />`;
}
