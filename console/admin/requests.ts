/** Users' exception requests, with their reasons. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { ExceptionRequest } from '../../gateway/stores/exceptions.ts';
import { Button } from '../shared/button.ts';
import { Select, TextField } from '../shared/field.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { Badge, EmptyState } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { useTexts } from '../shared/preferences.ts';
import { CallDialog } from './call-dialog.ts';
import { useFormat } from './format.ts';
import { Loaded, useLoad } from './load.ts';
import { useApi } from './session.ts';

const texts = inBoth({
  title: ['Exception requests', '例外の申請'],
  about: [
    'A granted request lets that user reach that host, with masking, until it expires.',
    '許可すると、期限までそのユーザーに限り、マスクしたうえでそのホストを利用できます。',
  ],
  empty: ['No request is waiting for a decision.', '判断待ちの申請はありません。'],
  emptyOpenHow: ['Decided requests are under “All”.', '判断済みの申請は「すべて」に表示されます。'],
  emptyAll: ['No exception requests yet.', '例外の申請はまだありません。'],
  emptyHow: [
    'Users can request an exception on the block page and in the portal.',
    'ユーザーは、ブロックページとポータルから申請できます。',
  ],
  show: ['Show', '表示'],
  open: [(n: number) => `To decide (${n})`, (n: number) => `判断待ち（${n}）`],
  all: [(n: number) => `All (${n})`, (n: number) => `すべて（${n}）`],
  asks: [(host: string) => `asks for ${host}`, (host: string) => `${host} の利用を申請`],
  grant: ['Grant', '許可'],
  deny: ['Deny', '却下'],
  revoke: ['Revoke', '取り消す'],
  grantTitle: [
    (subject: string, host: string) => `Grant ${host} to ${subject}`,
    (subject: string, host: string) => `${subject} に ${host} を許可`,
  ],
  denyTitle: [
    (subject: string, host: string) => `Deny ${host} to ${subject}`,
    (subject: string, host: string) => `${subject} からの ${host} の申請を却下`,
  ],
  revokeTitle: [
    (subject: string, host: string) => `Revoke ${host} for ${subject}`,
    (subject: string, host: string) => `${subject} の ${host} の許可を取り消す`,
  ],
  note: ['Note to the user', '申請者への連絡'],
  ttl: ['Valid for', '有効期間'],
  ttls: {
    '1d': ['1 day', '1 日'],
    '7d': ['7 days', '7 日間'],
    '30d': ['30 days', '30 日間'],
    '90d': ['90 days', '90 日間'],
  },
  granted: ['Granted', '許可済み'],
  denied: ['Denied', '却下済み'],
  done: {
    granted: ['The request was granted', '申請を許可しました'],
    denied: ['The request was denied', '申請を却下しました'],
    revoked: ['The exception was revoked', '許可を取り消しました'],
  },
  until: [(time: string) => `until ${time}`, (time: string) => `${time} まで`],
  noReason: ['No reason given.', '理由の記載はありません。'],
});

type Decision = 'granted' | 'denied';

const isDecided = ({ state }: ExceptionRequest): boolean => state === 'granted' || state === 'denied';

export function RequestsView(): VNode {
  const words = useTexts(texts);
  const load = useLoad<{ readonly requests: readonly ExceptionRequest[] }>('/admin/exceptions?limit=1000', {
    everyMs: 30_000,
  });
  const [isAll, setAll] = useState(false);
  const [decided, setDecided] = useState<{ readonly request: ExceptionRequest; readonly state: Decision }>();
  return html`<${ViewHead} title=${words.title} about=${words.about} />
    <${Loaded}
      load=${load}
      show=${({ requests }: { requests: readonly ExceptionRequest[] }) => {
        const open = requests.filter((request) => !isDecided(request));
        const shown = isAll ? requests : open;
        return html`<div class="stack">
          <div class="choice" role="group" aria-label=${words.show}>
            <button type="button" aria-pressed=${!isAll} onClick=${() => setAll(false)}>${words.open(open.length)}</button>
            <button type="button" aria-pressed=${isAll} onClick=${() => setAll(true)}>${words.all(requests.length)}</button>
          </div>
          ${
            shown.length === 0 &&
            html`<${EmptyState} icon="chat" title=${requests.length === 0 ? words.emptyAll : words.empty}>
            <p>${requests.length === 0 ? words.emptyHow : words.emptyOpenHow}</p>
          </${EmptyState}>`
          }
          ${shown.map(
            (request) => html`<${RequestCard}
              key=${request.id}
              request=${request}
              onDecide=${(state: Decision) => setDecided({ request, state })}
            />`,
          )}
        </div>`;
      }}
    />
    ${
      decided &&
      html`<${DecisionDialog}
        ...${decided}
        onClose=${() => setDecided(undefined)}
        onDone=${load.reload}
      />`
    }`;
}

function RequestCard({
  request,
  onDecide,
}: {
  readonly request: ExceptionRequest;
  readonly onDecide: (state: Decision) => void;
}): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const { subject, host, reason, at, state, note, expires_at: until } = request;
  const isInForce = state === 'granted' && (until === null || Date.parse(until) > Date.now());
  const names: Record<string, string> = { granted: words.granted, denied: words.denied };
  return html`<article class="card found">
    <div class="grow stack tight">
      <h2>
        <${LongName} text=${subject} /> <span class="quiet-text"><${LongName} text=${words.asks(host)} /></span>
      </h2>
      <blockquote>${reason === '' ? words.noReason : reason}</blockquote>
      <p class="quiet-text">${format.moment(at)} ${note && html`· ${format.labelled(words.note, note)}`}</p>
    </div>
    <div class="row">
      ${
        isDecided(request)
          ? html`<${Badge} tone=${state === 'granted' ? 'good' : 'plain'}>${names[state]}</${Badge}>
              ${until && html`<span class="quiet-text">${words.until(format.moment(until))}</span>`}
              ${
                state === 'denied' || isInForce
                  ? html`<${Button} isSmall kind="quiet" onClick=${() => onDecide(isInForce ? 'denied' : 'granted')}>
                      ${isInForce ? words.revoke : words.grant}</${Button}>`
                  : null
              }`
          : html`<${Button} kind="primary" onClick=${() => onDecide('granted')}>${words.grant}</${Button}>
              <${Button} onClick=${() => onDecide('denied')}>${words.deny}</${Button}>`
      }
    </div>
  </article>`;
}

type DecisionDialogProps = {
  readonly request: ExceptionRequest;
  readonly state: Decision;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
};

function DecisionDialog({
  request: { id, subject, host, reason, state: before },
  state,
  ...props
}: DecisionDialogProps): VNode {
  const words = useTexts(texts);
  const api = useApi();
  const [note, setNote] = useState('');
  const [ttl, setTtl] = useState('30d');
  const isGranted = state === 'granted';
  const [title, label, done] = isGranted
    ? [words.grantTitle, words.grant, words.done.granted]
    : before === 'granted'
      ? [words.revokeTitle, words.revoke, words.done.revoked]
      : [words.denyTitle, words.deny, words.done.denied];
  const send = () =>
    api.post(`/admin/exceptions/${encodeURIComponent(id)}`, {
      state,
      note: note.trim() || undefined,
      ttl: isGranted ? ttl : undefined,
    });
  return html`<${CallDialog}
    ...${props}
    title=${title(subject, host)}
    label=${label}
    kind="primary"
    send=${send}
    done=${done}
  >
    <blockquote>${reason === '' ? words.noReason : reason}</blockquote>
    ${isGranted && html`<${Select} label=${words.ttl} value=${ttl} options=${Object.entries(words.ttls)} onChange=${setTtl} />`}
    <${TextField} label=${words.note} value=${note} onInput=${setNote} />
  </${CallDialog}>`;
}
