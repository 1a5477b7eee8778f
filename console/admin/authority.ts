/** The root certificate, the issuing certificates under it, and root rotation. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import type { Settings } from '../../gateway/api/pages.ts';
import type { CaAnswer } from '../../gateway/api/routes/ca.ts';
import { Button } from '../shared/button.ts';
import { TextField } from '../shared/field.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { Badge, Note } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { CallDialog } from './call-dialog.ts';
import { Copyable } from './client-setup.ts';
import { localTime, useFormat } from './format.ts';
import { Loaded, useLoad } from './load.ts';
import { useApi } from './session.ts';

const texts = inBoth({
  summary: [
    (date: string, when: string) => `The root certificate is valid until ${date} (${when}).`,
    (date: string, when: string) => `ルート証明書は ${date} まで有効です（${when}）。`,
  ],
  summaryGood: ['Nothing to do.', '必要な作業はありません。'],
  summarySoon: [
    'Create a new root now and distribute it before that date.',
    'それまでに新しいルートを作成し、配布してください。',
  ],
  summaryNext: [
    'Install the next root on all clients before it takes over.',
    '切り替わる前に、次のルート証明書をすべてのクライアントにインストールしてください。',
  ],
  over: [
    (date: string) => `The root certificate expired on ${date}.`,
    (date: string) => `ルート証明書は ${date} に期限が切れました。`,
  ],
  overTodo: [
    'Clients reject it. Create a new root now and distribute it.',
    'クライアントに拒否されます。新しいルートを作成し、配布してください。',
  ],
  issuingOf: [
    (n: number, domains: string, date: string) =>
      `${n} ${n === 1 ? 'certificate' : 'certificates'} for ${domains}. The next renewal is due before ${date}.`,
    (n: number, domains: string, date: string) => `${n} 件（${domains}）。次の更新は ${date} までに行われます。`,
  ],
  noIssuing: [
    'None yet: they are created when the first host is intercepted.',
    'まだありません。最初のホストを検査するときに作成されます。',
  ],
  formats: {
    pem: ['PEM (Linux, Node.js, Git)', 'PEM（Linux、Node.js、Git）'],
    der: ['DER (Windows, Android)', 'DER（Windows、Android）'],
    p7b: ['PKCS #7 (Windows, Java)', 'PKCS #7（Windows、Java）'],
    mobileconfig: ['Apple profile (macOS, iOS)', 'Apple プロファイル（macOS、iOS）'],
    bundle: ['PEM with public roots (Python, Go)', '公開ルート入り PEM（Python、Go）'],
  } as Record<string, Text>,
  each: ['Show all', '内訳'],
  root: ['Root certificate', 'ルート証明書'],
  next: ['Next root', '次のルート証明書'],
  subject: ['Name', '名前'],
  fingerprint: ['SHA-256 fingerprint', 'SHA-256 フィンガープリント'],
  from: ['Valid from', '開始'],
  until: ['Valid until', '期限'],
  active: ['Takes over', '切り替え'],
  issuing: ['Issuing certificates', '発行用証明書'],
  issuingAbout: [
    'They sign the certificates of intercepted hosts, and can only do so for domains in the registry.',
    '検査するホストの証明書に署名します。署名できるのは登録されたドメインだけです。',
  ],
  domains: [(n: string) => (n === '1' ? '1 domain' : `${n} domains`), (n: string) => `${n} ドメイン`],
  downloads: ['Downloads', 'ダウンロード'],
  rotate: ['Create a new root…', '新しいルートを作成…'],
  rotateTitle: ['Create a new root', '新しいルート証明書を作成'],
  rotateAbout: [
    'The new root takes over at the time below. Distribute it before then: clients without it cannot reach intercepted services.',
    '新しいルートを今作成し、下の日時に切り替えます。それまでに配布してください。信頼していないクライアントは、検査対象のサービスに接続できなくなります。',
  ],
  at: ['Takes over at', '切り替え日時'],
  make: ['Create', '作成する'],
  done: ['The new root was created', '新しいルート証明書を作成しました'],
  giveUp: ['Delete it', '中止する'],
  giveUpTitle: ['Delete the next root', '次のルート証明書への切り替えを中止'],
  giveUpAsk: [
    'Its key is deleted. If you create a root again, clients need that one instead.',
    '鍵は削除されます。もう一度作成した場合は、新しいルート証明書を配布し直す必要があります。',
  ],
  givenUp: ['The next root was deleted', '新しいルート証明書への切り替えを中止しました'],
  unlimited: ['any domain', 'すべてのドメイン'],
});

type Root = CaAnswer['root'] & { readonly activate_at?: string };

export function Authority(): VNode {
  const words = useTexts(texts);
  const load = useLoad<CaAnswer>('/admin/ca');
  const [isRotating, setRotating] = useState(false);
  const [isGivingUp, setGivingUp] = useState(false);
  const api = useApi();
  return html`<${Loaded}
    load=${load}
    show=${({ root, next, issuing, downloads }: CaAnswer) => html`<div class="stack">
      <${Summary} root=${root} hasNext=${next !== null} />
      <${RootCard}
        title=${words.root}
        root=${root}
      >${next === null && html`<${Button} onClick=${() => setRotating(true)}>${words.rotate}</${Button}>`}</${RootCard}>
        ${
          next &&
          html`<${RootCard}
            title=${words.next}
            root=${next}
          ><${Button} onClick=${() => setGivingUp(true)}>${words.giveUp}</${Button}></${RootCard}>`
        }
        <${Downloads} downloads=${downloads} />
        <${Issuing} issuing=${issuing} />
      </div>`}
    />
    ${isRotating && html`<${RotateDialog} onClose=${() => setRotating(false)} onDone=${load.reload} />`}
    ${
      isGivingUp &&
      html`<${CallDialog}
        title=${words.giveUpTitle}
        label=${words.giveUp}
        send=${() => api.delete('/admin/ca/rotate')}
        done=${words.givenUp}
        onClose=${() => setGivingUp(false)}
        onDone=${load.reload}
      ><p>${words.giveUpAsk}</p></${CallDialog}>`
    }`;
}

/** Days before expiry at which to warn: distributing the next root takes weeks. */
const soonDays = 180;

/** The state of the certificates in one sentence, and the next step. */
function Summary({ root, hasNext }: { readonly root: Root; readonly hasNext: boolean }): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const days = format.daysUntil(root.not_after);
  const date = format.date(root.not_after);
  if (days < 0)
    return html`<${Note} tone="bad" title=${words.over(date)}><p>${hasNext ? words.summaryNext : words.overTodo}</p></${Note}>`;
  const isSoon = days < soonDays;
  return html`<${Note} tone=${isSoon || hasNext ? 'warn' : 'good'}
    title=${words.summary(date, format.relative(root.not_after))}
    ><p>${hasNext ? words.summaryNext : isSoon ? words.summarySoon : words.summaryGood}</p></${Note}
  >`;
}

function RootCard({
  title,
  root,
  children,
}: {
  readonly title: string;
  readonly root: Root;
  readonly children?: VNode | false;
}): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  return html`<section class="card stack tight">
    <div class="card-head"><h2>${title}</h2>${children}</div>
    <dl class="facts wide">
      <div><dt>${words.subject}</dt><dd>${root.subject}</dd></div>
      <div><dt>${words.from}</dt><dd>${format.date(root.not_before)}</dd></div>
      <div>
        <dt>${words.until}</dt>
        <dd>${format.date(root.not_after)} <span class="quiet-text">${format.relative(root.not_after)}</span></dd>
      </div>
      ${root.activate_at && html`<div><dt>${words.active}</dt><dd>${format.moment(root.activate_at)}</dd></div>`}
    </dl>
    <${Copyable} label=${words.fingerprint} text=${root.fingerprint256} />
  </section>`;
}

/** Downloads from the proxy listener, which every client can reach. */
function Downloads({ downloads }: { readonly downloads: CaAnswer['downloads'] }): VNode {
  const words = useTexts(texts);
  const settings = useLoad<Settings>('/console/settings');
  const proxy = settings.body?.proxy;
  const hrefOf = (path: string): string | undefined => {
    if (path.startsWith('/admin/') || /^https?:/.test(path)) return path;
    return proxy ? `http://${proxy.host ?? location.hostname}:${proxy.port}${path}` : undefined;
  };
  return html`<section class="card stack tight">
    <h2>${words.downloads}</h2>
    <ul class="row">
      ${downloads.map(
        ({ format, path }) => html`<li key=${path}><a
          class="button"
          href=${hrefOf(path)}
          download
        >${words.formats[format] ?? format}</a></li>`,
      )}
    </ul>
  </section>`;
}

function Issuing({ issuing }: { readonly issuing: CaAnswer['issuing'] }): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const isUnlimited = issuing.some(({ domains }) => domains === null);
  const domains = issuing.reduce((sum, { domains }) => sum + (domains?.length ?? 0), 0);
  const [first = ''] = issuing.map(({ not_after: until }) => until).sort();
  if (issuing.length === 0 || (domains === 0 && !isUnlimited)) {
    return html`<section class="card stack tight"><h2>${words.issuing}</h2><p>${words.noIssuing}</p></section>`;
  }
  return html`<section class="card stack tight">
    <h2>${words.issuing}</h2>
    <p>${words.issuingOf(issuing.length, isUnlimited ? words.unlimited : words.domains(format.number(domains)), format.date(first))}</p>
    ${!isUnlimited && html`<p class="quiet-text">${words.issuingAbout}</p>`}
    <details><summary>${words.each}</summary><ul class="stack tight">
      ${issuing.map(
        ({ not_after: until, domains }, i) => html`<li key=${i} class="row">
          <span>${words.until} ${format.date(until)}</span>
          <${Badge}>${domains === null ? words.unlimited : words.domains(format.number(domains.length))}</${Badge}>
        </li>`,
      )}
    </ul></details>
  </section>`;
}

function RotateDialog(props: { readonly onClose: () => void; readonly onDone: () => Promise<void> }): VNode {
  const words = useTexts(texts);
  const api = useApi();
  const [at, setAt] = useState(() => localTime(new Date(Date.now() + 30 * 86_400_000).toISOString()));
  return html`<${CallDialog}
    ...${props}
    title=${words.rotateTitle}
    label=${words.make}
    kind="primary"
    send=${() => api.post('/admin/ca/rotate', at === '' ? {} : { activate_at: new Date(at).toISOString() })}
    done=${words.done}
  >
    <p>${words.rotateAbout}</p>
    <${TextField} label=${words.at} type="datetime-local" value=${at} onInput=${setAt} />
  </${CallDialog}>`;
}
