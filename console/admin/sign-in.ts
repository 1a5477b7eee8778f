/** The sign-in form: as a page, and as a dialog when a session has ended. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Session } from '../../gateway/api/routes/sign-in.ts';
import { Button } from '../shared/button.ts';
import { Dialog } from '../shared/dialog.ts';
import { TextField } from '../shared/field.ts';
import { html, useEffect, useRef, useState, type VNode } from '../shared/html.ts';
import type { Outcome, Problem } from '../shared/http.ts';
import { useTexts } from '../shared/preferences.ts';
import { ProblemNote } from '../shared/problem-note.ts';
import { StartPage } from './start-page.ts';

const texts = inBoth({
  title: ['Sign in', 'サインイン'],
  again: ['Sign in again', 'もう一度サインイン'],
  ended: [
    'Your session has ended. Your input is kept, and the last action continues after you sign in.',
    'セッションが終了しました。入力した内容は残っています。サインインすると最後の操作が続行されます。',
  ],
  key: ['Admin key', '管理者キー'],
  hint: [
    'The gateway printed it at its first start. “privet keys reset-admin” makes a new one. It is not stored in this browser.',
    'ゲートウェイの初回起動時に表示されたキーです。「privet keys reset-admin」で作り直せます。このブラウザには保存されません。',
  ],
  show: ['Show the key', 'キーを表示'],
  submit: ['Sign in', 'サインイン'],
  cancel: ['Not now', 'あとで'],
  unknown: [
    (left: number) =>
      `Unknown key. ${left === 1 ? 'One more failure locks' : `${left} more failures lock`} this address out for 15 minutes.`,
    (left: number) => `このキーは登録されていません。あと ${left} 回失敗すると、このアドレスは 15 分間ロックされます。`,
  ],
  role: [
    'This key is valid, but not for administrators. Use the admin key (pvt_admin_…).',
    'キーは有効ですが、管理者用ではありません。管理者キー（pvt_admin_…）を使ってください。',
  ],
  locked: [
    (minutes: number) =>
      `Too many failures from this address. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    (minutes: number) => `このアドレスからの失敗が多すぎます。${minutes} 分後にもう一度お試しください。`,
  ],
  empty: ['Enter the key.', 'キーを入力してください。'],
});

type SignInProps = {
  readonly signIn: (key: string) => Promise<Outcome<Session>>;
  readonly onDone: (session: Session) => void;
};

export function SignInPage(props: SignInProps): VNode {
  const words = useTexts(texts);
  const form = useSignIn(props);
  return html`<${StartPage}>
    <form
      class="stack"
      onSubmit=${(event: Event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      <h1>${words.title}</h1>
      ${form.fields}
      <${Button} kind="primary" submits isBusy=${form.isBusy}>${words.submit}</${Button}>
    </form>
  </${StartPage}>`;
}

export function SignInDialog({ onClose, ...props }: SignInProps & { readonly onClose: () => void }): VNode {
  const words = useTexts(texts);
  const form = useSignIn(props);
  return html`<${Dialog}
    title=${words.again}
    onClose=${onClose}
    onSubmit=${() => void form.submit()}
    actions=${html`<${Button} onClick=${onClose}>${words.cancel}</${Button}>
      <${Button} kind="primary" submits isBusy=${form.isBusy}>${words.submit}</${Button}>`}
  >
    <p>${words.ended}</p>
    ${form.fields}
  </${Dialog}>`;
}

function useSignIn({ signIn, onDone }: SignInProps) {
  const words = useTexts(texts);
  const [key, setKey] = useState('');
  const [isShown, setShown] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const submit = async (): Promise<void> => {
    setError(undefined);
    setProblem(undefined);
    if (key.trim() === '') return setError(words.empty);
    setBusy(true);
    const outcome = await signIn(key.trim());
    setBusy(false);
    if (outcome.ok) return onDone(outcome.body);
    const { problem } = outcome;
    if (problem.kind === 'unauthorized') setError(words.unknown(remainingOf(problem)));
    else if (problem.kind === 'forbidden') setError(words.role);
    else if (problem.kind === 'limited') setError(words.locked(minutesUntil(problem.retryAt)));
    else setProblem(problem);
    input.current?.focus();
  };
  const fields = html`<div class="stack">
    <div class="key-field">
      <${TextField}
        label=${words.key}
        hint=${words.hint}
        error=${error}
        type=${isShown ? 'text' : 'password'}
        isMono
        value=${key}
        inputRef=${input}
        onInput=${setKey}
      />
      <label class="check"
        ><input type="checkbox" checked=${isShown} onChange=${() => setShown(!isShown)} /><span>${words.show}</span></label
      >
    </div>
    ${problem && html`<${ProblemNote} problem=${problem} onRetry=${() => void submit()} />`}
  </div>`;
  return { fields, isBusy, submit };
}

function remainingOf({ details }: Problem): number {
  return Number((details as { remaining?: unknown } | undefined)?.remaining ?? 1);
}

function minutesUntil(at: number | undefined): number {
  return Math.max(1, Math.ceil(((at ?? Date.now()) - Date.now()) / 60_000));
}
