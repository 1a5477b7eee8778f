/** Unregistered hosts that look like AI, and clients that pin certificates. */
import { html, type VNode } from '../shared/html.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { useTexts } from '../shared/preferences.ts';
import { goTo, useRoute } from '../shared/route.ts';
import { Tabs } from '../shared/tabs.ts';
import type { Overview } from './answers.ts';
import { FoundHosts } from './found-hosts.ts';
import { useLoad } from './load.ts';
import { PinnedHosts } from './pinned-hosts.ts';

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
  const words = useTexts(texts);
  const { query } = useRoute('discovery');
  const tab = query.get('tab') === 'pins' ? 'pins' : 'hosts';
  const { body } = useLoad<Overview>('/admin/overview', { everyMs: 30_000 });
  const countOf = (part: 'discovery' | 'pins') => body?.[part].proposed || undefined;
  return html`<${ViewHead} title=${words.title} about=${words.about} />
    <${Tabs}
      label=${words.parts}
      current=${tab}
      onSelect=${(id: string) => goTo('discovery', id === 'hosts' ? {} : { tab: id })}
      tabs=${[
        { id: 'hosts', label: words.hosts, count: countOf('discovery') },
        { id: 'pins', label: words.pins, count: countOf('pins') },
      ]}
    >${tab === 'hosts' ? html`<${FoundHosts} />` : html`<${PinnedHosts} />`}</${Tabs}>`;
}
