/** Accounts of the API with their keys, users of the proxy, and live sessions. */
import { html, type VNode } from '../shared/html.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { useTexts } from '../shared/preferences.ts';
import { goTo, useRoute } from '../shared/route.ts';
import { Tabs } from '../shared/tabs.ts';
import { KeyList } from './keys.ts';
import { SessionList } from './sessions.ts';
import { TenantList } from './tenants.ts';
import { UserList } from './users.ts';

const texts = {
  en: {
    title: 'Accounts',
    about: 'Who may use the API and the proxy.',
    parts: 'Access',
    tenants: 'Accounts',
    keys: 'Keys',
    users: 'Proxy users',
    sessions: 'Sessions',
  },
  ja: {
    title: 'アカウント',
    about: 'API とプロキシを利用できる人とプログラムです。',
    parts: 'アクセスの種類',
    tenants: 'アカウント',
    keys: 'キー',
    users: 'プロキシユーザー',
    sessions: 'セッション',
  },
};

const tabs = { tenants: TenantList, keys: KeyList, users: UserList, sessions: SessionList } as const;
type TabId = keyof typeof tabs;

export function AccountsView(): VNode {
  const words = useTexts(texts);
  const { query } = useRoute('accounts');
  const asked = query.get('tab') ?? '';
  const current: TabId = asked in tabs ? (asked as TabId) : 'tenants';
  return html`<${ViewHead} title=${words.title} about=${words.about} />
    <${Tabs}
      label=${words.parts}
      current=${current}
      onSelect=${(id: string) => goTo('accounts', { tab: id })}
      tabs=${(Object.keys(tabs) as TabId[]).map((id) => ({ id, label: words[id] }))}
    ><${tabs[current]} key=${current} tenant=${query.get('tenant') ?? ''} /></${Tabs}>`;
}
