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
  sources: {
    config: ['Configuration file', '設定ファイル'],
    file: ['Users file', 'ユーザーファイル'],
  } as Record<string, Text>,
  inFile: ['Edit it in the file', '設定ファイルで編集'],
  empty: ['No users yet.', 'ユーザーはまだ登録されていません。'],
  emptyHow: [
    'Without users, the proxy identifies people by their IP address. To identify them by name, set auth.proxy.users_file in the configuration and add them here.',
    '登録がない間は、IP アドレスで識別します。名前で識別するには、設定ファイルで auth.proxy.users_file を指定し、この画面でユーザーを追加してください。',
  ],
  remove: ['Delete', '削除'],
  removeOf: [(name: string) => `Delete ${name}`, (name: string) => `${name} を削除`],
  ask: [
    (name: string) => `${name} can no longer sign in to the proxy.`,
    (name: string) => `${name} はプロキシにサインインできなくなります。`,
  ],
  edit: ['Edit', '編集'],
  editOf: [(name: string) => `Edit ${name}`, (name: string) => `${name} を編集`],
  editHint: ['Leave it empty to keep the current one.', '変更しない場合は空のままにします。'],
  save: ['Save', '保存'],
  saved: [(name: string) => `${name} was saved`, (name: string) => `${name} を保存しました`],
  exists: [
    (name: string) => `${name} exists already. Close this form and edit that user.`,
    (name: string) => `${name} は登録済みです。この画面を閉じて、一覧から編集してください。`,
  ],
  added: [(name: string) => `${name} was added`, (name: string) => `${name} を追加しました`],
  removed: [(name: string) => `${name} was deleted`, (name: string) => `${name} を削除しました`],
  nameNeeded: ['Enter a name.', '名前を入力してください。'],
  passwordNeeded: ['Enter a password.', 'パスワードを入力してください。'],
});

const pageSize = 50;

export function UserList(): VNode {
  const words = useTexts(texts);
  const api = useApi();
  const load = useLoad<{ readonly users: readonly ProxyUser[] }>('/admin/users');
  const { rows, pager } = usePages(load.body?.users ?? [], pageSize);
  /** The user in the form; `new` for none yet. */
  const [edited, setEdited] = useState<ProxyUser | 'new'>();
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
        user.source !== 'file'
          ? html`<span class="quiet-text">${words.inFile}</span>`
          : html`<span class="row tight">
          <${Button}
            isSmall
            label=${words.editOf(user.name)}
            onClick=${() => setEdited(user)}
          >${words.edit}</${Button}>
          <${Button}
            isSmall
            kind="danger"
            label=${words.removeOf(user.name)}
            onClick=${() => setAsked(user)}
          >${words.remove}</${Button}>
        </span>`,
    },
  });
  return html`<div class="stack">
    <div class="row"><${Button} kind="primary" icon="plus" onClick=${() => setEdited('new')}>${words.add}</${Button}></div>
    <${TableCard}
      load=${load}
      rows=${() => rows}
      caption=${words.title}
      columns=${columns}
      keyOf=${({ name }: ProxyUser) => name}
      empty=${html`<${EmptyState} icon="users" title=${words.empty}><p>${words.emptyHow}</p></${EmptyState}>`}
    >${pager}</${TableCard}>
    ${
      edited &&
      html`<${UserDialog}
        user=${edited === 'new' ? undefined : edited}
        onClose=${() => setEdited(undefined)}
        onDone=${load.reload}
      />`
    }
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

type UserFormProps = {
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
  /** Undefined for a new user. */
  readonly user: ProxyUser | undefined;
};

/** Adds a user, or changes the password and the groups of one. */
function UserDialog({ user, ...props }: UserFormProps): VNode {
  const words = useTexts(texts);
  const api = useApi();
  const [name, setName] = useState(user?.name ?? '');
  const [password, setPassword] = useState('');
  const [groups, setGroups] = useState(user?.groups.join(', ') ?? '');
  const [errors, setErrors] = useState<{ readonly name?: string | undefined; readonly password?: string | undefined }>(
    {},
  );
  const isNew = user === undefined;
  /** Adds a user unless there is one of that name by now: the call would change that one's password. */
  const add = async (user: { readonly name: string }) => {
    const others = await api.get<{ readonly users: readonly ProxyUser[] }>('/admin/users');
    if (!others.ok) return others;
    if (others.body.users.some(({ name }) => name === user.name))
      return void setErrors({ name: words.exists(user.name) });
    return api.post('/admin/users', user);
  };
  const send = () => {
    const wanted = name.trim();
    const faults = {
      name: wanted === '' ? words.nameNeeded : undefined,
      password: password === '' ? words.passwordNeeded : undefined,
    };
    if (isNew && (faults.name ?? faults.password) !== undefined) return void setErrors(faults);
    setErrors({});
    const list = groups
      .split(',')
      .map((group) => group.trim())
      .filter(Boolean);
    const given = { name: wanted, password: password || undefined, groups: list };
    return isNew ? add(given) : api.post('/admin/users', given);
  };
  return html`<${CallDialog}
    ...${props}
    title=${isNew ? words.add : words.editOf(user.name)}
    label=${isNew ? words.add : words.save}
    kind="primary"
    send=${send}
    done=${isNew ? words.added(name.trim()) : words.saved(user.name)}
  >
    ${isNew && html`<${TextField} label=${words.name} error=${errors.name} value=${name} onInput=${setName} />`}
    <${TextField}
      label=${words.password}
      hint=${isNew ? words.passwordHint : words.editHint}
      type="password"
      autocomplete="new-password"
      error=${errors.password}
      value=${password}
      onInput=${setPassword}
    />
    <${TextField} label=${words.groups} hint=${words.groupsHint} value=${groups} onInput=${setGroups} />
  </${CallDialog}>`;
}
