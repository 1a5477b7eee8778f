/** Users who sign in to the proxy. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import type { ProxyUser } from '../../gateway/api/routes/users.ts';
import { Button } from '../shared/button.ts';
import { TextField } from '../shared/field.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { Badge, EmptyState } from '../shared/notes.ts';
import { usePages } from '../shared/pager.ts';
import { useTexts } from '../shared/preferences.ts';
import { CallDialog } from './call-dialog.ts';
import { useLoad } from './load.ts';
import { useApi } from './session.ts';
import { columnsOf, TableCard } from './table-card.ts';

const texts = inBoth({
  title: ['Proxy users', 'プロキシユーザー'],
  add: ['Add a user', 'ユーザーを追加'],
  name: ['Name', '名前'],
  password: ['Password', 'パスワード'],
  passwordHint: ['Only a hash is stored.', 'ハッシュだけが保存されます。'],
  groups: ['Groups', 'グループ'],
  groupsHint: ['Separated by commas. Policy rules can refer to them.', 'カンマ区切り。ポリシーのルールで使われます。'],
  source: ['Source', '登録元'],
  sources: { config: ['Configuration', '設定'], file: ['Users file', 'ユーザーファイル'] } as Record<string, Text>,
  empty: ['No users yet.', 'ユーザーはまだ登録されていません。'],
  emptyHow: [
    'Without users, the proxy identifies people by their IP address. Add users to sign people in by name.',
    '登録がない間は、IP アドレスで識別します。名前で識別するには、ユーザーを追加してください。',
  ],
  remove: ['Delete', '削除'],
  removeOf: [(name: string) => `Delete ${name}`, (name: string) => `${name} を削除`],
  ask: [
    (name: string) => `${name} can no longer sign in to the proxy.`,
    (name: string) => `${name} はプロキシにサインインできなくなります。`,
  ],
  added: [(name: string) => `${name} was added`, (name: string) => `${name} を追加しました`],
  removed: [(name: string) => `${name} was deleted`, (name: string) => `${name} を削除しました`],
  needed: ['Enter a name and a password.', '名前とパスワードを入力してください。'],
});

const pageSize = 50;

export function UserList(): VNode {
  const words = useTexts(texts);
  const api = useApi();
  const load = useLoad<{ readonly users: readonly ProxyUser[] }>('/admin/users');
  const { rows, pager } = usePages(load.body?.users ?? [], pageSize);
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<ProxyUser>();
  const columns = columnsOf(words, {
    name: ({ name }: ProxyUser) => html`<strong><${LongName} text=${name} /></strong>`,
    groups: ({ groups }) =>
      groups.length === 0
        ? '–'
        : html`<span class="row tight">${groups.map((group) => html`<${Badge} key=${group}>${group}</${Badge}>`)}</span>`,
    source: ({ source }) => words.sources[source] ?? source,
    remove: {
      isLabelHidden: true,
      show: (user) =>
        user.source === 'file' &&
        html`<${Button}
          isSmall
          kind="danger"
          label=${words.removeOf(user.name)}
          onClick=${() => setAsked(user)}
        >${words.remove}</${Button}>`,
    },
  });
  return html`<div class="stack">
    <div class="row"><${Button} kind="primary" icon="plus" onClick=${() => setAdding(true)}>${words.add}</${Button}></div>
    <${TableCard}
      load=${load}
      rows=${() => rows}
      caption=${words.title}
      columns=${columns}
      keyOf=${({ name }: ProxyUser) => name}
      empty=${html`<${EmptyState} icon="users" title=${words.empty}><p>${words.emptyHow}</p></${EmptyState}>`}
    >${pager}</${TableCard}>
    ${isAdding && html`<${AddDialog} onClose=${() => setAdding(false)} onDone=${load.reload} />`}
    ${
      asked &&
      html`<${CallDialog}
        title=${words.removeOf(asked.name)}
        label=${words.remove}
        send=${() => api.delete(`/admin/users/${encodeURIComponent(asked.name)}`)}
        done=${words.removed(asked.name)}
        onClose=${() => setAsked(undefined)}
        onDone=${load.reload}
      ><p>${words.ask(asked.name)}</p></${CallDialog}>`
    }
  </div>`;
}

function AddDialog(props: { readonly onClose: () => void; readonly onDone: () => Promise<void> }): VNode {
  const words = useTexts(texts);
  const api = useApi();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [groups, setGroups] = useState('');
  const [error, setError] = useState<string>();
  const send = () => {
    const isFilled = name.trim() !== '' && password !== '';
    setError(isFilled ? undefined : words.needed);
    if (!isFilled) return undefined;
    const list = groups
      .split(',')
      .map((group) => group.trim())
      .filter(Boolean);
    return api.post('/admin/users', { name: name.trim(), password, groups: list });
  };
  return html`<${CallDialog} ...${props} title=${words.add} label=${words.add} kind="primary" send=${send} done=${words.added(name.trim())}>
    <${TextField} label=${words.name} error=${error} value=${name} onInput=${setName} />
    <${TextField}
      label=${words.password}
      hint=${words.passwordHint}
      type="password"
      autocomplete="new-password"
      value=${password}
      onInput=${setPassword}
    />
    <${TextField} label=${words.groups} hint=${words.groupsHint} value=${groups} onInput=${setGroups} />
  </${CallDialog}>`;
}
