/** Unregistered hosts that look like AI, and clients that pin certificates. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Overview } from '../../gateway/api/routes/overview.ts';
import { html, type VNode } from '../shared/html.ts';
import { useTexts } from '../shared/preferences.ts';
import { FoundHosts } from './found-hosts.ts';
import { useLoad } from './load.ts';
import { PinnedHosts } from './pinned-hosts.ts';
import { useTabView } from './tab-view.ts';

const texts = inBoth({
  title: ['Discovery', '検出'],
  about: [
    'What the gateway found in the traffic and proposes to you.',
    'ゲートウェイが自動的に見つけ、管理者の判断を待っているものです。',
  ],
  parts: ['What was noticed', '検出したもの'],
  hosts: ['Unregistered AI services', '未登録の AI サービス'],
  pins: ['Pinned clients', '証明書を固定しているクライアント'],
});

export function DiscoveryView(): VNode {
  const { body } = useLoad<Overview>('/admin/overview', { everyMs: 30_000 });
  const tabs = { hosts: () => html`<${FoundHosts} />`, pins: () => html`<${PinnedHosts} />` };
  return useTabView('discovery', useTexts(texts), tabs, { hosts: body?.discovery.proposed, pins: body?.pins.proposed });
}
