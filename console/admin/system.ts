/** The gateway itself: certificates and how clients trust them, license, replicas, feeds of the registry. */
import { html, type VNode } from '../shared/html.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { useTexts } from '../shared/preferences.ts';
import { goTo, useRoute } from '../shared/route.ts';
import { Tabs } from '../shared/tabs.ts';
import type { Overview } from './answers.ts';
import { Authority } from './authority.ts';
import { ClientSetup } from './client-setup.ts';
import { FeedList } from './feeds.ts';
import { LicenseState } from './license.ts';
import { useLoad } from './load.ts';
import { ReplicaList } from './replicas.ts';

const texts = {
  en: {
    title: 'System',
    about: 'Client setup, certificates, license, replicas and feeds.',
    parts: 'Parts of the system',
    clients: 'Client setup',
    ca: 'Certificates',
    license: 'License',
    replicas: 'Replicas',
    feeds: 'Registry feeds',
  },
  ja: {
    title: 'システム',
    about: 'クライアントの設定、証明書、ライセンス、レプリカ、フィードを管理します。',
    parts: 'システムの構成',
    clients: 'クライアント設定',
    ca: '証明書',
    license: 'ライセンス',
    replicas: 'レプリカ',
    feeds: '登録フィード',
  },
};

const tabs = {
  clients: ClientSetup,
  ca: Authority,
  license: LicenseState,
  replicas: ReplicaList,
  feeds: FeedList,
} as const;
type TabId = keyof typeof tabs;

export function SystemView(): VNode {
  const words = useTexts(texts);
  const { query } = useRoute('system');
  const asked = query.get('tab') ?? '';
  const current: TabId = asked in tabs ? (asked as TabId) : 'clients';
  const { body } = useLoad<Overview>('/admin/overview', { everyMs: 30_000 });
  const pending = body?.feeds.pending || undefined;
  return html`<${ViewHead} title=${words.title} about=${words.about} />
    <${Tabs}
      label=${words.parts}
      current=${current}
      onSelect=${(id: string) => goTo('system', { tab: id })}
      tabs=${(Object.keys(tabs) as TabId[]).map((id) => ({ id, label: words[id], count: id === 'feeds' ? pending : undefined }))}
    ><${tabs[current]} key=${current} /></${Tabs}>`;
}
