/** How to configure a client, by platform. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Settings } from '../../gateway/api/pages.ts';
import type { Overview } from '../../gateway/api/routes/overview.ts';
import { CopyButton } from '../shared/copy-button.ts';
import { Select } from '../shared/field.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { CodeBlock, Note } from '../shared/notes.ts';
import { usePreferences, useTexts } from '../shared/preferences.ts';
import { commandsFor, installations } from './install-steps.ts';
import { Loaded, useLoad } from './load.ts';

const texts = inBoth({
  proxy: ['Proxy', 'プロキシ'],
  address: ['Address of the proxy', 'プロキシのアドレス'],
  pac: ['Automatic configuration (PAC)', '自動設定（PAC）'],
  off: ['The proxy does not run in this process.', 'このプロセスではプロキシが動いていません。'],
  trust: ['Trust the certificate', '証明書を信頼する'],
  compare: [
    'Compare the fingerprint before you install the certificate: it must be this one.',
    'インストールする前に、フィンガープリントが次の値と一致することを確認してください。',
  ],
  fingerprint: ['SHA-256 fingerprint of the root', 'ルート証明書の SHA-256 フィンガープリント'],
  platform: ['Platform', 'プラットフォーム'],
  download: ['Download the certificate', '証明書をダウンロード'],
  command: ['Commands', 'コマンド'],
});

export function ClientSetup(): VNode {
  const words = useTexts(texts);
  const settings = useLoad<Settings>('/console/settings');
  const overview = useLoad<Overview>('/admin/overview');
  return html`<${Loaded}
    load=${settings}
    show=${({ proxy }: Settings) =>
      proxy === null
        ? html`<${Note} tone="warn"><p>${words.off}</p></${Note}>`
        : html`<${Setup}
          origin=${originOf(proxy.host ?? location.hostname, proxy.port)}
          fingerprint=${overview.body?.ca.fingerprint256}
        />`}
  />`;
}

function originOf(host: string, port: number): string {
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

function Setup({ origin, fingerprint }: { readonly origin: string; readonly fingerprint: string | undefined }): VNode {
  const words = useTexts(texts);
  const [platform, setPlatform] = useState('windows');
  const { language } = usePreferences();
  const { file, steps } = installations.find(({ id }) => id === platform) as (typeof installations)[number];
  const commands = commandsFor(platform, origin);
  return html`<div class="stack">
    <section class="card stack tight">
      <h2>${words.proxy}</h2>
      <${Copyable} label=${words.address} text=${origin} />
      <${Copyable} label=${words.pac} text=${`${origin}/proxy.pac`} />
    </section>
    <section class="card stack">
      <h2>${words.trust}</h2>
      ${fingerprint && html`<${Note}><p>${words.compare}</p><${Copyable} label=${words.fingerprint} text=${fingerprint} /></${Note}>`}
      <div class="row end">
        <div class="narrow"><${Select}
          label=${words.platform}
          value=${platform}
          options=${installations.map(({ id, name }) => [id, name])}
          onChange=${setPlatform}
        /></div>
        <a class="button primary" href=${`${origin}${file}`} download>${words.download}</a>
      </div>
      <ol class="steps">${steps[language].map((step) => html`<li key=${step}>${withCode(step)}</li>`)}</ol>
      ${commands && html`<${CodeBlock} label=${words.command} text=${commands} />`}
    </section>
  </div>`;
}

export function Copyable({ label, text }: { readonly label: string; readonly text: string }): VNode {
  return html`<div class="copyable">
    <span class="quiet-text">${label}</span>
    <span class="row"><code><${LongName} text=${text} /></code><${CopyButton} text=${text} /></span>
  </div>`;
}

/** The text with its parts between backticks as code. */
const withCode = (text: string) => text.split('`').map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`));
