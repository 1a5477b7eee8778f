/** API keys, including revoked ones. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import type { Key } from '../../gateway/api/routes/keys.ts';
import { Button } from '../shared/button.ts';
import { Checkbox, TextField } from '../shared/field.ts';
import { html, useMemo, useState, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { Badge, EmptyState } from '../shared/notes.ts';
import { usePages } from '../shared/pager.ts';
import { useTexts } from '../shared/preferences.ts';
import { useAccountNames } from './account-names.ts';
import { CallDialog } from './call-dialog.ts';
import { useFormat } from './format.ts';
import { KeyDialog } from './key-dialog.ts';
import { useLoad } from './load.ts';
import { planTitle } from './plans.ts';
import { useApi } from './session.ts';
import { columnsOf, TableCard } from './table-card.ts';

const pageSize = 50;

const texts = inBoth({
  title: ['Keys', 'キー'],
  add: ['New key', '新しいキー'],
  search: ['Search', '検索'],
  searchHint: ['Name, account or ID', '名前、アカウント、ID'],
  revoked: ['Show revoked keys', '取り消したキーも表示'],
  empty: ['No keys.', 'キーはありません。'],
  emptyHow: [
    'Create one for each person or program that calls the API.',
    'API を呼び出す人やプログラムごとに作成します。',
  ],
  roles: { user: ['User', 'ユーザー'], admin: ['Admin', '管理者'] } as Record<string, Text>,
  name: ['Name', '名前'],
  tenant: ['Account', 'アカウント'],
  plan: ['Plan', 'プラン'],
  role: ['Role', '役割'],
  made: ['Created', '作成'],
  calls: ['Calls this month', '今月の呼び出し'],
  state: ['State', '状態'],
  live: ['Active', '有効'],
  isRevoked: [(time: string) => `Revoked ${time}`, (time: string) => `${time}に取り消し`],
  revoke: ['Revoke', '取り消す'],
  revokeOf: [(name: string) => `Revoke the key of ${name}`, (name: string) => `${name} のキーを取り消す`],
  ask: [
    (name: string) => `Within a second, the key of ${name} stops working everywhere. This cannot be undone.`,
    (name: string) => `${name} のキーは 1 秒以内にすべての場所で使えなくなります。元に戻せません。`,
  ],
  done: [(name: string) => `The key of ${name} is revoked`, (name: string) => `${name} のキーを取り消しました`],
});

export function KeyList({ tenant }: { readonly tenant: string }): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const api = useApi();
  const load = useLoad<{ readonly keys: readonly Key[] }>('/admin/keys');
  const accountOf = useAccountNames();
  const [text, setText] = useState(tenant);
  const [hasRevoked, setRevoked] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Key>();
  const found = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    return (load.body?.keys ?? [])
      .filter((key) => hasRevoked || key.revoked_at === null)
      .filter(({ id, name, tenant }) => [id, name, tenant].some((value) => value.toLowerCase().includes(wanted)))
      .reverse();
  }, [load.body, text, hasRevoked]);
  const { rows, pager } = usePages(found, pageSize);
  const columns = columnsOf(words, {
    name: ({ name }: Key) => html`<strong><${LongName} text=${name} /></strong>`,
    tenant: ({ tenant }) =>
      html`${accountOf(tenant) !== tenant && html`<${LongName} text=${accountOf(tenant)} /><br />`}<span class="mono quiet-text">${tenant}</span>`,
    plan: ({ plan }) => planTitle(plan),
    role: ({ role }) =>
      role === 'admin' ? html`<${Badge} tone="info">${words.roles.admin}</${Badge}>` : (words.roles[role] ?? role),
    made: ({ created_at: at }) => html`<span class="when">${format.date(at)}</span>`,
    calls: { align: 'end', show: ({ usage }) => format.number(usage.calls) },
    state: ({ revoked_at: at }) =>
      at === null
        ? html`<${Badge} tone="good">${words.live}</${Badge}>`
        : html`<span class="quiet-text when">${words.isRevoked(format.relative(at))}</span>`,
    revoke: {
      isLabelHidden: true,
      show: (key) =>
        key.revoked_at === null &&
        html`<${Button} isSmall kind="danger" label=${words.revokeOf(key.name)} onClick=${() => setAsked(key)}>${words.revoke}</${Button}>`,
    },
  });
  return html`<div class="stack">
    <div class="row end">
      <div class="grow narrow"><${TextField}
        type="search"
        label=${words.search}
        placeholder=${words.searchHint}
        value=${text}
        onInput=${setText}
      /></div>
      <${Checkbox} label=${words.revoked} isChecked=${hasRevoked} onChange=${setRevoked} />
      <${Button} kind="primary" icon="plus" onClick=${() => setAdding(true)}>${words.add}</${Button}>
    </div>
    <${TableCard}
      load=${load}
      rows=${() => rows}
      caption=${words.title}
      columns=${columns}
      keyOf=${({ id }: Key) => id}
      empty=${html`<${EmptyState} icon="key" title=${words.empty}><p>${words.emptyHow}</p></${EmptyState}>`}
    >${pager}</${TableCard}>
    ${
      isAdding &&
      html`<${KeyDialog}
        onClose=${() => {
          setAdding(false);
          void load.reload();
        }}
      />`
    }
    ${
      asked &&
      html`<${CallDialog}
        title=${words.revokeOf(asked.name)}
        label=${words.revoke}
        send=${() => api.delete(`/admin/keys/${encodeURIComponent(asked.id)}`)}
        done=${words.done(asked.name)}
        onClose=${() => setAsked(undefined)}
        onDone=${load.reload}
      ><p>${words.ask(asked.name)}</p></${CallDialog}>`
    }
  </div>`;
}
