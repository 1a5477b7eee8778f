/** The admin console: its views and their frame. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Overview } from '../../gateway/api/routes/overview.ts';
import { Button } from '../shared/button.ts';
import { html, useCallback, useEffect, useState, type VNode } from '../shared/html.ts';
import type { IconName } from '../shared/icon.ts';
import { EmptyState } from '../shared/notes.ts';
import { PageFrame, ViewHead } from '../shared/page-frame.ts';
import { useTexts } from '../shared/preferences.ts';
import { useRoute } from '../shared/route.ts';
import { useToast } from '../shared/toast.ts';
import { useLoad } from './load.ts';
import { OverviewView, type ViewProps } from './overview.ts';
import { useSession } from './session.ts';

const texts = inBoth({
  title: ['Admin console', '管理コンソール'],
  overview: ['Overview', '概要'],
  services: ['Services', 'サービス'],
  policy: ['Policy', 'ポリシー'],
  events: ['Events', 'イベント'],
  agents: ['Agents', 'エージェント'],
  discovery: ['Discovery', '検出'],
  requests: ['Exceptions', '例外の申請'],
  accounts: ['Accounts', 'アカウント'],
  system: ['System', 'システム'],
  signOut: ['Sign out', 'サインアウト'],
  stillIn: [
    'The gateway does not respond. You are still signed in.',
    'ゲートウェイが応答しないため、サインインしたままです。',
  ],
  test: ['Test console', 'テストコンソール'],
  api: ['API reference', 'API リファレンス（英語）'],
  loading: ['Loading…', '読み込み中…'],
  broken: ['This part of the page could not be loaded.', 'ページの一部を読み込めませんでした。'],
  reload: ['Load the page again', 'ページを再読み込み'],
});

type ViewComponent = (props: ViewProps) => VNode;
type View = { readonly icon: IconName; readonly load: () => Promise<ViewComponent> };

/** The views; all but the overview are loaded later. */
const views: Readonly<Record<string, View>> = {
  overview: { icon: 'chart', load: async () => OverviewView },
  services: { icon: 'globe', load: async () => (await import('./services.ts')).ServicesView },
  policy: { icon: 'rules', load: async () => (await import('./policy.ts')).PolicyView },
  events: { icon: 'list', load: async () => (await import('./events.ts')).EventsView },
  agents: { icon: 'code', load: async () => (await import('./agents.ts')).AgentsView },
  discovery: { icon: 'search', load: async () => (await import('./discovery.ts')).DiscoveryView },
  requests: { icon: 'chat', load: async () => (await import('./requests.ts')).RequestsView },
  accounts: { icon: 'users', load: async () => (await import('./accounts.ts')).AccountsView },
  system: { icon: 'certificate', load: async () => (await import('./system.ts')).SystemView },
};

const loaded = new Map<string, ViewComponent>([['overview', OverviewView]]);
const countsMs = 30_000;

export function App(): VNode {
  const words = useTexts(texts);
  const { signOut, name } = useSession();
  const toast = useToast();
  const leave = async (): Promise<void> => {
    const problem = await signOut();
    if (problem !== undefined) toast({ text: problem.message || words.stillIn, tone: 'bad' });
  };
  const { view, query } = useRoute('overview');
  /** The last filters of the events, with the range that the overview has shown since. */
  const [events, setEvents] = useState(new URLSearchParams());
  useEffect(() => {
    if (view === 'events') setEvents(query);
  }, [view, query]);
  const onRange = useCallback((from: string) => {
    setEvents((left) => {
      const { to: _, ...filters } = Object.fromEntries(left);
      return new URLSearchParams({ ...filters, from });
    });
  }, []);
  const current = view in views ? view : 'overview';
  const { body } = useLoad<Overview>('/admin/overview', { everyMs: countsMs });
  const counts: Readonly<Record<string, number | undefined>> = {
    discovery: body && body.discovery.proposed + body.pins.proposed,
    requests: body?.exceptions.open,
    system: body?.feeds.pending,
  };
  const nav = Object.entries(views).map(([id, { icon }]) => ({
    view: id,
    label: words[id as keyof typeof words],
    icon,
    count: counts[id],
    query: id === 'events' ? events : undefined,
  }));
  return html`<${PageFrame}
    title=${words.title}
    nav=${nav}
    current=${current}
    actions=${html`<span class="who quiet-text">${name}</span>
      <${Button} kind="quiet" icon="out" label=${words.signOut} onClick=${() => void leave()} />`}
    foot=${html`<ul>
      <li><a href="/console/">${words.test}</a></li>
      <li><a href="/docs/" target="_blank" rel="noreferrer">${words.api}</a></li>
    </ul>`}
  >
    <${Shown} key=${current} view=${current} onRange=${onRange} />
  </${PageFrame}>`;
}

function Shown({ view, onRange }: ViewProps & { readonly view: string }): VNode {
  const words = useTexts(texts);
  const [Component, setComponent] = useState<ViewComponent | undefined>(() => loaded.get(view));
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    loadView(view).then(
      (component) => setComponent(() => component),
      () => setBroken(true),
    );
    // Load the other views while idle, so that they work if the gateway becomes unreachable.
    const rest = setTimeout(() => {
      for (const id of Object.keys(views)) loadView(id).catch(() => {});
    }, 1_500);
    return () => clearTimeout(rest);
  }, [view]);
  if (Component !== undefined) return html`<${Component} onRange=${onRange} />`;
  if (!isBroken) return html`<p class="loading" role="status">${words.loading}</p>`;
  return html`<${ViewHead} title=${words[view as keyof typeof words]} /><${EmptyState} icon="warn" title=${words.broken}>
    <${Button} onClick=${() => location.reload()}>${words.reload}</${Button}>
  </${EmptyState}>`;
}

async function loadView(id: string): Promise<ViewComponent> {
  const known = loaded.get(id);
  if (known !== undefined) return known;
  const component = await (views[id] as View).load();
  loaded.set(id, component);
  return component;
}
