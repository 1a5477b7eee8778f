/** Unregistered hosts that look like AI, and clients that pin certificates. */

import type { Overview } from '../../gateway/api/routes/overview.ts';
import { html, type VNode } from '../shared/html.ts';
import { useTexts } from '../shared/preferences.ts';
import { FoundHosts } from './found-hosts.ts';
import { useLoad } from './load.ts';
import { PinnedHosts } from './pinned-hosts.ts';
import { useTabView } from './tab-view.ts';

const texts = {
  en: {
    title: 'Discovery',
    about: 'What the gateway found in the traffic and proposes to you.',
    parts: 'What was noticed',
    hosts: 'Unregistered AI services',
    pins: 'Pinned clients',
  },
  ja: {
    title: '検出',
    about: 'ゲートウェイが自動的に見つけ、管理者の判断を待っているものです。',
    parts: '検出したもの',
    hosts: '未登録の AI サービス',
    pins: '証明書を固定しているクライアント',
  },
};

export function DiscoveryView(): VNode {
  const { body } = useLoad<Overview>('/admin/overview', { everyMs: 30_000 });
  const tabs = { hosts: () => html`<${FoundHosts} />`, pins: () => html`<${PinnedHosts} />` };
  return useTabView('discovery', useTexts(texts), tabs, { hosts: body?.discovery.proposed, pins: body?.pins.proposed });
}
