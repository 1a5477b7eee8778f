/** Creates a key and shows it once. */

import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { Dialog } from '../shared/dialog.ts';
import { Checkbox, Select, TextField } from '../shared/field.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import { CodeBlock, Note } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { FormDialog } from './call-dialog.ts';
import { planChoices } from './plans.ts';
import { useApi } from './session.ts';

const texts = inBoth({
  title: ['New key', '新しいキー'],
  titleFor: [
    (account: string) => `New key for the account of ${account}`,
    (account: string) => `${account} のアカウントの新しいキー`,
  ],
  name: ['Name', '名前'],
  nameHint: ['A person or a program.', '人またはプログラム。'],
  newHint: [
    'A person or a program. The key gets an account of its own.',
    '人またはプログラム。キー専用のアカウントも作成されます。',
  ],
  plan: ['Plan of the account', 'アカウントのプラン'],
  role: ['Role', '役割'],
  roles: {
    user: ['User: masks, detects, chats', 'ユーザー：マスキング、検出、チャット'],
    admin: ['Admin: also everything in this console', '管理者：管理コンソールの操作も可能'],
  },
  test: ['A key for tests (pvt_test_…)', 'テスト用キー（pvt_test_…）'],
  make: ['Create the key', 'キーを作成'],
  done: ['I have stored it', '保管しました'],
  once: ['Copy the key now', '今すぐキーをコピーしてください'],
  onceAbout: [
    'It is shown only this once; the gateway stores a hash. If it is lost, revoke it and create another.',
    '表示は今回限りで、ハッシュだけが保存されます。紛失した場合は取り消して作り直してください。',
  ],
  key: ['Key', 'キー'],
  needed: ['Enter a name.', '名前を入力してください。'],
});

export type KeyDialogProps = {
  /** The key's account; by default a new one. */
  readonly tenant?: string | undefined;
  readonly plan?: string | undefined;
  /** What the account is called. */
  readonly account?: string | undefined;
  readonly onClose: () => void;
};

export function KeyDialog({ tenant, plan: firstPlan, account, onClose }: KeyDialogProps): VNode {
  const words = useTexts(texts);
  const api = useApi();
  const [name, setName] = useState('');
  const [plan, setPlan] = useState(firstPlan ?? 'free');
  const [role, setRole] = useState('user');
  const [isTest, setTest] = useState(false);
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const [key, setKey] = useState<string>();
  const submit = async (): Promise<void> => {
    setError(name.trim() === '' ? words.needed : undefined);
    if (name.trim() === '') return;
    setBusy(true);
    setProblem(undefined);
    const outcome = await api.post<{ readonly key: string }>('/admin/keys', {
      name: name.trim(),
      role,
      ...(tenant === undefined ? { plan } : { tenant }),
      ...(isTest ? { test: true } : {}),
    });
    setBusy(false);
    if (outcome.ok) setKey(outcome.body.key);
    else setProblem(outcome.problem);
  };
  if (key !== undefined) {
    return html`<${Dialog}
      title=${words.once}
      onClose=${onClose}
      actions=${html`<${Button} kind="primary" onClick=${onClose}>${words.done}</${Button}>`}
    >
      <${Note} tone="warn"><p>${words.onceAbout}</p></${Note}>
      <${CodeBlock} label=${words.key} text=${key} />
    </${Dialog}>`;
  }
  const title = tenant === undefined ? words.title : words.titleFor(account ?? tenant);
  const form = { title, label: words.make, isBusy, problem, onClose, onSubmit: () => void submit() };
  return html`<${FormDialog} ...${form}>
    <${TextField}
      label=${words.name}
      hint=${tenant === undefined ? words.newHint : words.nameHint}
      error=${error}
      value=${name}
      onInput=${setName}
    />
    ${tenant === undefined && html`<${Select} label=${words.plan} value=${plan} options=${planChoices} onChange=${setPlan} />`}
    <${Select} label=${words.role} value=${role} options=${Object.entries(words.roles)} onChange=${setRole} />
    ${role === 'user' && html`<${Checkbox} label=${words.test} isChecked=${isTest} onChange=${setTest} />`}
  </${FormDialog}>`;
}
