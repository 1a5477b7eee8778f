/** The test console: try every call of the API by hand. */

import { capitalized } from '../../core/wording/capitalized.ts';
import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { html, useEffect, useState, type VNode } from '../shared/html.ts';
import { Icon } from '../shared/icon.ts';
import { type NavItem, PageFrame } from '../shared/page-frame.ts';
import { usePreferences, useTexts } from '../shared/preferences.ts';
import { useRoute } from '../shared/route.ts';
import { start } from '../shared/start.ts';
import { AccessProvider, useAccess, useNewAccess } from './access.ts';
import { ChatView } from './chat-view.ts';
import { entriesInForce } from './dictionary-store.ts';
import { DictionaryView } from './dictionary-view.ts';
import { DocumentsView } from './documents-view.ts';
import { EndpointsView } from './endpoints-view.ts';
import { InjectionView } from './injection-view.ts';
import { KeyDialog, KeyDialogProvider } from './key-dialog.ts';
import { MaskView } from './mask-view.ts';
import { SandboxBanner } from './sandbox-banner.ts';
import { ServicesView } from './services-view.ts';
import { loadStreamRestorer } from './stream-play.ts';
import { texts as common } from './texts.ts';
import { TryView } from './try-view.ts';

const texts = inBoth({
  sandbox: ['Sandbox', 'サンドボックス'],
  key: ['Key', 'キー'],
  left: [(n: string) => `${n} credits left`, (n: string) => `残り ${n} クレジット`],
  endless: ['no limit', '無制限'],
  between: [', ', '、'],
});

const views: Readonly<Record<string, () => VNode>> = {
  try: TryView,
  mask: MaskView,
  injection: InjectionView,
  documents: DocumentsView,
  chat: ChatView,
  services: ServicesView,
  dictionary: DictionaryView,
};

/** Views without the sandbox banner: the first one explains itself. */
const withoutBanner: ReadonlySet<string> = new Set(['try']);

function App(): VNode {
  const words = useTexts(common);
  const access = useNewAccess();
  const { view, query } = useRoute('try');
  const [asksForKey, setAsksForKey] = useState(false);
  const { dictionary, settings } = access;
  useEffect(() => {
    // Load the restorer while idle, so that it works if the gateway becomes unreachable.
    const idle = setTimeout(() => void loadStreamRestorer().catch(() => undefined), 1_500);
    return () => clearTimeout(idle);
  }, []);
  const nav: NavItem[] = [
    { view: 'try', label: words.nav.try, icon: 'play' },
    { view: 'mask', label: words.nav.mask, icon: 'mask' },
    { view: 'injection', label: words.nav.injection, icon: 'flask' },
    { view: 'documents', label: words.nav.documents, icon: 'file' },
    { view: 'chat', label: words.nav.chat, icon: 'chat' },
    { view: 'services', label: words.nav.services, icon: 'globe' },
    { view: 'dictionary', label: words.nav.dictionary, icon: 'book', count: entriesInForce(dictionary).length },
    { view: 'endpoints', label: words.nav.endpoints, icon: 'list' },
  ];
  const current = nav.some((item) => item.view === view) ? view : 'try';
  const View = views[current];
  return html`<${AccessProvider} value=${access}><${KeyDialogProvider} value=${() => setAsksForKey(true)}>
    <${PageFrame}
      title=${words.title}
      nav=${nav}
      current=${current}
      actions=${html`<${KeyButton} onClick=${() => setAsksForKey(true)} />`}
      foot=${html`
        <a href="/admin/"><${Icon} name="rules" />${words.adminLink}</a>
        <a href="/docs/"><${Icon} name="code" />${words.referenceLink}</a>
        ${settings && html`<p class="version quiet-text">${words.version(settings.version)}</p>`}`}
    >
      ${!withoutBanner.has(current) && html`<${SandboxBanner} />`}
      ${View === undefined ? html`<${EndpointsView} chosen=${query.get('call')} />` : html`<${View} />`}
    </${PageFrame}>
    ${asksForKey && html`<${KeyDialog} onClose=${() => setAsksForKey(false)} />`}
  </${KeyDialogProvider}></${AccessProvider}>`;
}

/** Shows the key in use and its remaining credits; changes it on click. */
function KeyButton({ onClick }: { readonly onClick: () => void }): VNode {
  const words = useTexts(texts);
  const { language } = usePreferences();
  const { key, credits } = useAccess();
  const left =
    credits === undefined
      ? ''
      : credits.unlimited
        ? words.endless
        : words.left(new Intl.NumberFormat(language).format(credits.creditsRemaining));
  return html`<${Button} isSmall icon="key" onClick=${onClick}>
    ${
      key === undefined
        ? html`<span class="key-name">${words.sandbox}</span>`
        : html`<span class="key-name">${words.key} …${key.slice(-4)}</span>${
            credits && html`<span class="key-plan">${capitalized(credits.plan)}${words.between}${left}</span>`
          }`
    }
  </${Button}>`;
}

start(App);
