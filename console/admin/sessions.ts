/** Live sessions with their number of tokens, and a button to end each. Values are never shown. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { SessionsAnswer } from '../../gateway/api/routes/admin.ts';
import { Button } from '../shared/button.ts';
import { TextField } from '../shared/field.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { EmptyState } from '../shared/notes.ts';
import { usePages } from '../shared/pager.ts';
import { useTexts } from '../shared/preferences.ts';
import { Table } from '../shared/table.ts';
import { useAccountNames } from './account-names.ts';
import { CallDialog } from './call-dialog.ts';
import { useFormat } from './format.ts';
import { useLabels } from './labels.ts';
import { Loaded, useLoad } from './load.ts';
import { useApi } from './session.ts';
import { columnsOf } from './table-card.ts';

const texts = inBoth({
  title: ['Sessions', 'セッション'],
  about: [
    'Within a session a token always means the same value. When the session ends, its tokens can no longer be restored.',
    '同じセッションの中では、トークンは常に同じ値を表します。終了すると、そのトークンは元の値に戻せなくなります。',
  ],
  owner: ['User or account', 'ユーザー・アカウント'],
  unknown: ['Unknown user', '不明なユーザー'],
  sandbox: ['Sandbox', 'サンドボックス'],
  service: ['Service', 'サービス'],
  id: ['Session', 'セッション'],
  tokens: ['Tokens', 'トークン'],
  expires: ['Ends', '終了'],
  never: ['never', 'なし'],
  empty: ['No live sessions.', '有効なセッションはありません。'],
  emptyHow: [
    'A session starts with the first value that is masked, through the proxy or the API.',
    'プロキシまたは API で最初の値がマスクされると、セッションが始まります。',
  ],
  notFound: ['No live session on this page matches.', 'このページに該当するセッションはありません。'],
  notFoundHow: ['Shorten the search, or look at the next page.', '検索語を短くするか、次のページを確認してください。'],
  filter: ['User or account', 'ユーザー・アカウント'],
  revoke: ['End', '終了する'],
  revokeOf: [
    (owner: string, id: string) => `End the session ${id} of ${owner}`,
    (owner: string, id: string) => `${owner} のセッション ${id} を終了する`,
  ],
  askOf: [(owner: string) => `End the session of ${owner}`, (owner: string) => `${owner} のセッションを終了する`],
  ask: [
    'Its tokens can no longer be turned back into values: later answers show the tokens. This cannot be undone.',
    'トークンを元の値に戻せなくなり、以後の回答にはトークンが表示されます。元に戻せません。',
  ],
  done: ['The session has ended', 'セッションを終了しました'],
  newest: ['First 1,000', '最初の 1,000 件'],
  older: ['Next 1,000', '次の 1,000 件'],
  pages: ['Pages', 'ページ'],
});

type VaultSession = SessionsAnswer['sessions'][number];

const askedMax = 1_000;
const pageSize = 50;

/** The owner of a session: a proxy user or an API account. */
function useOwnerNames(): (session: VaultSession) => string {
  const words = useTexts(texts);
  const accountOf = useAccountNames();
  return ({ tenant, subject }) =>
    tenant === 'demo' ? words.sandbox : tenant !== '' ? accountOf(tenant) : (subject ?? words.unknown);
}

export function SessionList(): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const api = useApi();
  const labels = useLabels();
  const ownerOf = useOwnerNames();
  const [text, setText] = useState('');
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<VaultSession>();
  const query = new URLSearchParams({
    limit: String(askedMax),
    ...(cursors.length === 0 ? {} : { cursor: cursors.at(-1) ?? '' }),
  });
  const load = useLoad<SessionsAnswer>(`/admin/sessions?${query}`);
  const wanted = text.trim().toLowerCase();
  const found = (load.body?.sessions ?? [])
    .filter((session) =>
      [ownerOf(session), session.tenant, session.service ?? '', labels.service(session.service ?? '')].some((value) =>
        value.toLowerCase().includes(wanted),
      ),
    )
    .sort((a, b) => ownerOf(a).localeCompare(ownerOf(b)));
  const { rows, pager } = usePages(found, pageSize);
  const columns = columnsOf(words, {
    owner: (session: VaultSession) => html`<strong><${LongName} text=${ownerOf(session)} /></strong>`,
    service: ({ service }) => (service === null ? '–' : html`<${LongName} text=${labels.service(service)} />`),
    tokens: { align: 'end', show: ({ tokens }) => format.number(tokens) },
    expires: ({ expires_at: at }) => (at === null ? words.never : format.relative(at)),
    id: ({ id }) =>
      html`<span class="mono quiet-text number" title=${id}>${id.slice(-idShown).padStart(Math.min(id.length, idShown + 1), '…')}</span>`,
    revoke: {
      isLabelHidden: true,
      show: (session) =>
        html`<${Button}
          isSmall
          kind="danger"
          label=${words.revokeOf(ownerOf(session), session.id)}
          onClick=${() => setAsked(session)}
        >${words.revoke}</${Button}>`,
    },
  });
  return html`<div class="stack">
    <p class="quiet-text">${words.about}</p>
    <div class="narrow"><${TextField} type="search" label=${words.filter} value=${text} onInput=${setText} /></div>
    <${Loaded}
      load=${load}
      show=${({ sessions, next }: SessionsAnswer) => html`<section class="card">
        <${Table} caption=${words.title} columns=${columns} rows=${rows} keyOf=${({ id, tenant }: VaultSession) => `${tenant} ${id}`}
          empty=${html`<${EmptyState} icon="key" title=${sessions.length === 0 ? words.empty : words.notFound}>
            <p>${sessions.length === 0 ? words.emptyHow : words.notFoundHow}</p>
          </${EmptyState}>`} />
        ${pager}
        ${
          (next !== undefined || cursors.length > 0) &&
          html`<nav class="row pager" aria-label=${words.pages}>
            <${Button} isDisabled=${cursors.length === 0} onClick=${() => setCursors([])}>${words.newest}</${Button}>
            <${Button}
              isDisabled=${next === undefined}
              onClick=${() => next !== undefined && setCursors([...cursors, next])}
            >${words.older}</${Button}>
          </nav>`
        }
      </section>`}
    />
    ${
      asked &&
      html`<${CallDialog}
        title=${words.askOf(ownerOf(asked))}
        label=${words.revoke}
        send=${() => api.delete(pathOf(asked))}
        done=${words.done}
        onClose=${() => setAsked(undefined)}
        onDone=${load.reload}
      ><p>${words.ask}</p></${CallDialog}>`
    }
  </div>`;
}

/** The last characters of an id, enough to distinguish sessions. */
const idShown = 8;

function pathOf({ id, tenant }: VaultSession): string {
  return `/admin/sessions/${encodeURIComponent(id)}${tenant === '' ? '' : `?tenant=${encodeURIComponent(tenant)}`}`;
}
