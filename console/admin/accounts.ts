/** Accounts of the API with their keys, users of the proxy, and live sessions. */

import { inBoth } from '../../core/wording/in-both.ts';
import { html, type VNode } from '../shared/html.ts';
import { useTexts } from '../shared/preferences.ts';
import { KeyList } from './keys.ts';
import { SessionList } from './sessions.ts';
import { useTabView } from './tab-view.ts';
import { TenantList } from './tenants.ts';
import { UserList } from './users.ts';

const texts = inBoth({
  title: ['Accounts', 'アカウント'],
  about: ['Who may use the API and the proxy.', 'API とプロキシを利用できる人とプログラムです。'],
  parts: ['Access', 'アクセスの種類'],
  tenants: ['Accounts', 'アカウント'],
  keys: ['Keys', 'キー'],
  users: ['Proxy users', 'プロキシユーザー'],
  sessions: ['Sessions', 'セッション'],
});

export function AccountsView(): VNode {
  return useTabView('accounts', useTexts(texts), {
    tenants: () => html`<${TenantList} />`,
    keys: (query) => html`<${KeyList} tenant=${query.get('tenant') ?? ''} />`,
    users: () => html`<${UserList} />`,
    sessions: () => html`<${SessionList} />`,
  });
}
