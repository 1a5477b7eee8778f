/** The gateway itself: certificates and how clients trust them, license, replicas, feeds of the registry. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Overview } from '../../gateway/api/routes/overview.ts';
import { html, type VNode } from '../shared/html.ts';
import { useTexts } from '../shared/preferences.ts';
import { Authority } from './authority.ts';
import { ClientSetup } from './client-setup.ts';
import { FeedList } from './feeds.ts';
import { LicenseState } from './license.ts';
import { useLoad } from './load.ts';
import { ReplicaList } from './replicas.ts';
import { useTabView } from './tab-view.ts';

const texts = inBoth({
  title: ['System', 'システム'],
  about: [
    'Client setup, certificates, license, replicas and feeds.',
    'クライアントの設定、証明書、ライセンス、レプリカ、フィードを管理します。',
  ],
  parts: ['Parts of the system', 'システムの構成'],
  clients: ['Client setup', 'クライアント設定'],
  ca: ['Certificates', '証明書'],
  license: ['License', 'ライセンス'],
  replicas: ['Replicas', 'レプリカ'],
  feeds: ['Registry feeds', 'フィード'],
});

export function SystemView(): VNode {
  const { body } = useLoad<Overview>('/admin/overview', { everyMs: 30_000 });
  const tabs = {
    clients: () => html`<${ClientSetup} />`,
    ca: () => html`<${Authority} />`,
    license: () => html`<${LicenseState} />`,
    replicas: () => html`<${ReplicaList} />`,
    feeds: () => html`<${FeedList} />`,
  };
  return useTabView('system', useTexts(texts), tabs, { feeds: body?.feeds.pending });
}
