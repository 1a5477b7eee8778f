/** Hosts whose clients reject the gateway's certificate, and whether to bypass them. */
import { Button } from '../shared/button.ts';
import { html, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { Badge, EmptyState, Note, type Tone } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { useFormat } from './format.ts';
import { useLoad, useSend } from './load.ts';
import { useApi } from './session.ts';
import { columnsOf, TableCard } from './table-card.ts';

const texts = {
  en: {
    about: 'Either the device lacks the CA, or the program accepts only its own certificate (pinning).',
    todo: 'Install the CA in the first case. In the second, stop inspecting the host; nothing sent to it is masked then.',
    title: 'Pinned clients',
    empty: 'No client has rejected the certificate of the gateway.',
    host: 'Host',
    failures: 'Failures',
    subjects: 'Users',
    alert: 'TLS alert',
    alerts: {
      bad_certificate: 'bad certificate',
      certificate_unknown: 'certificate unknown',
      unknown_ca: 'unknown CA',
    } as Record<string, string>,
    cause: 'Likely cause',
    causes: {
      pinned: 'The program pins its own certificate',
      ca_not_trusted: 'The CA is not installed on the device',
      unclear: 'Unclear: closed without an alert',
    } as Record<string, string>,
    last: 'Last seen',
    state: 'State',
    states: { seen: 'Seen', proposed: 'Proposed', bypassed: 'Not inspected', dismissed: 'Dismissed' } as Record<
      string,
      string
    >,
    until: (time: string) => `until ${time}`,
    bypass: 'Do not inspect',
    bypassOf: (host: string) => `Do not inspect ${host}`,
    dismiss: 'Dismiss',
    dismissOf: (host: string) => `Dismiss ${host}`,
    bypassed: (host: string) => `${host} is no longer inspected`,
    dismissed: (host: string) => `${host} was dismissed`,
    actions: 'Decide',
  },
  ja: {
    about: '端末に CA が導入されていないか、プログラムが独自の証明書だけを受け入れています（証明書の固定）。',
    todo: '前者は CA を導入し、後者はホストを検査の対象から外してください。外したホストへの送信はマスクされません。',
    title: '証明書を固定しているクライアント',
    empty: 'ゲートウェイの証明書を拒否したクライアントはありません。',
    host: 'ホスト',
    failures: '失敗',
    subjects: 'ユーザー数',
    alert: 'TLS アラート',
    alerts: {
      bad_certificate: '不正な証明書',
      certificate_unknown: '不明な証明書',
      unknown_ca: '不明な CA',
    } as Record<string, string>,
    cause: '考えられる原因',
    causes: {
      pinned: 'プログラムが証明書を固定している',
      ca_not_trusted: 'CA が導入されていない',
      unclear: '不明（アラートなしで切断）',
    } as Record<string, string>,
    last: '最終確認',
    state: '状態',
    states: { seen: '検出済み', proposed: '提案中', bypassed: '検査しない', dismissed: '却下済み' } as Record<
      string,
      string
    >,
    until: (time: string) => `${time} まで`,
    bypass: '検査しない',
    bypassOf: (host: string) => `${host} を検査しない`,
    dismiss: '却下',
    dismissOf: (host: string) => `${host} を却下`,
    bypassed: (host: string) => `${host} を検査の対象から外しました`,
    dismissed: (host: string) => `${host} を却下しました`,
    actions: '判断',
  },
};

const tones: Readonly<Record<string, Tone>> = { proposed: 'warn', bypassed: 'info' };

type Pin = {
  readonly host: string;
  readonly alert?: string | null;
  readonly failures: number;
  readonly subjects: number;
  readonly cause?: string;
  readonly last_seen: string;
  readonly state: string;
  readonly expires_at?: string | null;
};

export function PinnedHosts(): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const api = useApi();
  const load = useLoad<{ readonly hosts: readonly Pin[] }>('/admin/pins', { everyMs: 30_000 });
  const send = useSend(load.reload);
  const decide = (host: string, state: 'bypassed' | 'dismissed') =>
    send(api.post(`/admin/pins/${encodeURIComponent(host)}`, { state }), words[state](host));
  const columns = columnsOf(words, {
    host: ({ host }: Pin) => html`<span class="mono"><${LongName} text=${host} /></span>`,
    cause: ({ cause = '', alert }) => html`${words.causes[cause] ?? '–'}
      ${
        alert &&
        cause !== 'unclear' &&
        html`<div class="quiet-text">${format.labelled(words.alert, words.alerts[alert] ?? alert)}</div>`
      }`,
    failures: { align: 'end', show: ({ failures }) => format.number(failures) },
    subjects: { align: 'end', show: ({ subjects }) => format.number(subjects) },
    last: ({ last_seen: last }) => format.relative(last),
    state: ({
      state,
      expires_at: until,
    }) => html`<${Badge} tone=${tones[state] ?? 'plain'}>${words.states[state] ?? state}</${Badge}>
      ${until && html`<div class="quiet-text when">${words.until(format.date(until))}</div>`}`,
    actions: {
      isLabelHidden: true,
      show: ({ host, state, cause }) => html`<span class="row tight">
        ${
          state !== 'bypassed' &&
          cause !== 'unclear' &&
          html`<${Button}
            isSmall
            label=${words.bypassOf(host)}
            onClick=${() => void decide(host, 'bypassed')}
          >${words.bypass}</${Button}>`
        }
        ${
          state !== 'dismissed' &&
          html`<${Button}
            isSmall
            kind="quiet"
            label=${words.dismissOf(host)}
            onClick=${() => void decide(host, 'dismissed')}
          >${words.dismiss}</${Button}>`
        }
      </span>`,
    },
  });
  return html`<div class="stack">
    ${(load.body?.hosts.length ?? 0) > 0 && html`<${Note}><p>${words.about}</p><p>${words.todo}</p></${Note}>`}
    <${TableCard}
      load=${load}
      rows=${({ hosts }: { hosts: readonly Pin[] }) => hosts}
      caption=${words.title}
      columns=${columns}
      keyOf=${({ host }: Pin) => host}
      empty=${html`<${EmptyState} icon="check" title=${words.empty} />`}
    />
  </div>`;
}
