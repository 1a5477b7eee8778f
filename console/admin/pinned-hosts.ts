/** Hosts whose clients reject the gateway's certificate, and whether to bypass them. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import type { PinnedHost } from '../../gateway/api/routes/pins.ts';
import { Button } from '../shared/button.ts';
import { html, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { Badge, EmptyState, Note, type Tone } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { useFormat } from './format.ts';
import { useLoad, useSend } from './load.ts';
import { useApi } from './session.ts';
import { columnsOf, TableCard } from './table-card.ts';

const texts = inBoth({
  about: [
    'Either the device lacks the CA, or the program accepts only its own certificate (pinning).',
    '端末に CA がインストールされていないか、プログラムが独自の証明書だけを受け入れています（証明書の固定）。',
  ],
  todo: [
    'Install the CA in the first case. In the second, stop inspecting the host; nothing sent to it is masked then.',
    '前者は CA をインストールし、後者はホストを検査の対象から外してください。外したホストへの送信はマスクされません。',
  ],
  title: ['Pinned clients', '証明書を固定しているクライアント'],
  empty: [
    'No client has rejected the certificate of the gateway.',
    'ゲートウェイの証明書を拒否したクライアントはありません。',
  ],
  emptyHow: [
    'Hosts whose clients reject it appear here, with what to do about each.',
    '証明書を拒否されたホストと、その対処がここに表示されます。',
  ],
  host: ['Host', 'ホスト'],
  failures: ['Failures', '失敗'],
  subjects: ['Users', 'ユーザー数'],
  alert: ['TLS alert', 'TLS アラート'],
  alerts: {
    bad_certificate: ['bad certificate', '不正な証明書'],
    certificate_unknown: ['certificate unknown', '不明な証明書'],
    unknown_ca: ['unknown CA', '不明な CA'],
  } as Record<string, Text>,
  cause: ['Likely cause', '考えられる原因'],
  causes: {
    pinned: ['The program pins its own certificate', 'プログラムが証明書を固定している'],
    ca_not_trusted: ['The CA is not installed on the device', 'CA がインストールされていない'],
    unclear: ['Unclear: closed without an alert', '不明（アラートなしで切断）'],
  } as Record<string, Text>,
  last: ['Last seen', '最終確認'],
  state: ['State', '状態'],
  states: {
    seen: ['Seen', '検出済み'],
    proposed: ['Proposed', '提案中'],
    bypassed: ['Not inspected', '検査しない'],
    dismissed: ['Dismissed', '却下済み'],
  } as Record<string, Text>,
  until: [(time: string) => `until ${time}`, (time: string) => `${time} まで`],
  bypass: ['Do not inspect', '検査しない'],
  bypassOf: [(host: string) => `Do not inspect ${host}`, (host: string) => `${host} を検査しない`],
  dismiss: ['Dismiss', '却下'],
  dismissOf: [(host: string) => `Dismiss ${host}`, (host: string) => `${host} を却下`],
  bypassed: [
    (host: string) => `${host} is no longer inspected`,
    (host: string) => `${host} を検査の対象から外しました`,
  ],
  dismissed: [(host: string) => `${host} was dismissed`, (host: string) => `${host} を却下しました`],
  actions: ['Decide', '判断'],
});

const tones: Readonly<Record<string, Tone>> = { proposed: 'warn', bypassed: 'info' };

export function PinnedHosts(): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const api = useApi();
  const load = useLoad<{ readonly hosts: readonly PinnedHost[] }>('/admin/pins', { everyMs: 30_000 });
  const send = useSend(load.reload);
  const decide = (host: string, state: 'bypassed' | 'dismissed') =>
    send(api.post(`/admin/pins/${encodeURIComponent(host)}`, { state }), words[state](host));
  const columns = columnsOf(words, {
    host: ({ host }: PinnedHost) => html`<span class="mono"><${LongName} text=${host} /></span>`,
    cause: ({ cause, alert }) => html`${words.causes[cause] ?? '–'}
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
      rows=${({ hosts }: { hosts: readonly PinnedHost[] }) => hosts}
      caption=${words.title}
      columns=${columns}
      keyOf=${({ host }: PinnedHost) => host}
      empty=${html`<${EmptyState} icon="check" title=${words.empty}><p>${words.emptyHow}</p></${EmptyState}>`}
    />
  </div>`;
}
