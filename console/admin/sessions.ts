/** Live sessions: how many tokens each holds, and a button to end it. What they hold is shown nowhere. */
import { Button } from '../shared/button.ts';
import { TextField } from '../shared/field.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { EmptyState } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { Table } from '../shared/table.ts';
import { CallDialog } from './call-dialog.ts';
import { useFormat } from './format.ts';
import { Loaded, useLoad } from './load.ts';
import { useApi } from './session.ts';

const texts = {
  en: {
    title: 'Sessions',
    about: 'A session is the group in which a token has one meaning. When it ends, its tokens stay tokens for good.',
    tenant: 'Account',
    proxy: 'proxy',
    id: 'Session',
    tokens: 'Tokens',
    expires: 'Ends',
    never: 'never',
    empty: 'No live sessions.',
    filter: 'Only of the account',
    apply: 'Filter',
    revoke: 'End',
    revokeOf: (id: string) => `End the session ${id}`,
    ask: 'Its tokens can no longer be turned back into values: answers that come later show the tokens. This cannot be undone.',
    done: 'The session has ended',
    newest: 'First page',
    older: 'Next page',
    pages: 'Pages',
  },
  ja: {
    title: 'セッション',
    about: 'セッションは、トークンが一つの意味を持つまとまりです。終了すると、そのトークンは元に戻せなくなります。',
    tenant: 'アカウント',
    proxy: 'プロキシ',
    id: 'セッション',
    tokens: 'トークン',
    expires: '終了',
    never: 'なし',
    empty: '有効なセッションはありません。',
    filter: 'アカウントで絞り込む',
    apply: '絞り込む',
    revoke: '終了する',
    revokeOf: (id: string) => `セッション ${id} を終了する`,
    ask: 'トークンを元の値に戻せなくなり、以後の回答にはトークンが表示されます。元に戻せません。',
    done: 'セッションを終了しました',
    newest: '最初のページ',
    older: '次のページ',
    pages: 'ページ',
  },
};

type VaultSession = {
  readonly id: string;
  readonly tenant: string;
  readonly tokens: number;
  readonly expires_at: string | null;
};
type Answer = { readonly sessions: readonly VaultSession[]; readonly next?: string };

export function SessionList(): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const [draft, setDraft] = useState('');
  const [tenant, setTenant] = useState('');
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<VaultSession>();
  const query = new URLSearchParams({
    limit: '50',
    ...(tenant === '' ? {} : { tenant }),
    ...(cursors.length === 0 ? {} : { cursor: cursors.at(-1) ?? '' }),
  });
  const load = useLoad<Answer>(`/admin/sessions?${query}`);
  const columns = [
    {
      id: 'id',
      label: words.id,
      show: ({ id }: VaultSession) => html`<span class="mono"><${LongName} text=${id} /></span>`,
    },
    { id: 'tenant', label: words.tenant, show: ({ tenant }: VaultSession) => tenant || words.proxy },
    {
      id: 'tokens',
      label: words.tokens,
      align: 'end' as const,
      show: ({ tokens }: VaultSession) => format.number(tokens),
    },
    {
      id: 'expires',
      label: words.expires,
      show: ({ expires_at: at }: VaultSession) => (at === null ? words.never : format.relative(at)),
    },
    {
      id: 'revoke',
      label: words.revoke,
      isLabelHidden: true,
      show: (session: VaultSession) =>
        html`<${Button} isSmall kind="danger" label=${words.revokeOf(session.id)} onClick=${() => setAsked(session)}>${words.revoke}</${Button}>`,
    },
  ];
  return html`<div class="stack">
    <p class="quiet-text">${words.about}</p>
    <form
      class="row end"
      onSubmit=${(event: Event) => {
        event.preventDefault();
        setCursors([]);
        setTenant(draft.trim());
      }}
    >
      <div class="grow narrow"><${TextField} label=${words.filter} placeholder="tnt_…" isMono value=${draft} onInput=${setDraft} /></div>
      <${Button} submits icon="search">${words.apply}</${Button}>
    </form>
    <${Loaded}
      load=${load}
      show=${({ sessions, next }: Answer) => html`<section class="card">
        <${Table} caption=${words.title} columns=${columns} rows=${sessions} keyOf=${({ id, tenant }: VaultSession) => `${tenant} ${id}`} empty=${html`<${EmptyState} icon="key" title=${words.empty} />`} />
        ${
          (next !== undefined || cursors.length > 0) &&
          html`<nav class="row pager" aria-label=${words.pages}>
            <${Button} isDisabled=${cursors.length === 0} onClick=${() => setCursors([])}>${words.newest}</${Button}>
            <${Button} isDisabled=${next === undefined} onClick=${() => next !== undefined && setCursors([...cursors, next])}>${words.older}</${Button}>
          </nav>`
        }
      </section>`}
    />
    ${asked && html`<${EndDialog} session=${asked} onClose=${() => setAsked(undefined)} onDone=${load.reload} />`}
  </div>`;
}

type EndDialogProps = {
  readonly session: VaultSession;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
};

function EndDialog({ session: { id, tenant }, ...props }: EndDialogProps): VNode {
  const words = useTexts(texts);
  const api = useApi();
  const query = tenant === '' ? '' : `?tenant=${encodeURIComponent(tenant)}`;
  return html`<${CallDialog}
    ...${props}
    title=${words.revokeOf(id)}
    label=${words.revoke}
    send=${() => api.delete(`/admin/sessions/${encodeURIComponent(id)}${query}`)}
    done=${words.done}
  >
    <p>${words.ask}</p>
  </${CallDialog}>`;
}
