/** Asks for an API key and tests it. It is stored in this tab only. */

import { capitalized } from '../../core/wording/capitalized.ts';
import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { Dialog } from '../shared/dialog.ts';
import { TextField } from '../shared/field.ts';
import { createContext, html, useContext, useEffect, useRef, useState, type VNode } from '../shared/html.ts';
import { ApiClient, type Problem } from '../shared/http.ts';
import { usePreferences, useTexts } from '../shared/preferences.ts';
import { ProblemNote } from '../shared/problem-note.ts';
import { useToast } from '../shared/toast.ts';
import { useAccess } from './access.ts';

const texts = inBoth({
  title: ['Use a key', 'キーを使う'],
  label: ['Key', 'キー'],
  hint: [
    'It starts with pvt_live_, pvt_test_ or pvt_admin_. This tab keeps it until you close it.',
    'pvt_live_、pvt_test_、pvt_admin_ のいずれかで始まります。このタブだけに保存され、閉じると消えます。',
  ],
  shape: ['A key starts with pvt_ and contains no spaces.', 'キーは pvt_ で始まり、空白を含みません。'],
  use: ['Use it', '使う'],
  drop: ['Back to the sandbox', 'サンドボックスに戻る'],
  cancel: ['Cancel', 'キャンセル'],
  used: ['The key is in use in this tab.', 'このタブでキーを使っています。'],
  dropped: ['The key was removed. You are back in the sandbox.', 'キーを消去しました。サンドボックスに戻りました。'],
  inUse: [
    (plan: string, used: string, limit: string, end: string) =>
      `In use: a key of the ${plan} plan. ${used} of ${limit} credits used; the count restarts on ${end}.`,
    (plan: string, used: string, limit: string, end: string) =>
      `使用中：${plan} プランのキー。クレジット ${limit} のうち ${used} を使用済み（${end} にリセット）。`,
  ],
  endless: ['unlimited', '無制限'],
});

const Opener = createContext<() => void>(() => {});
export const KeyDialogProvider = Opener.Provider;

/** Returns a function that opens the dialog. */
export function useKeyDialog(): () => void {
  return useContext(Opener);
}

export function KeyDialog({ onClose }: { readonly onClose: () => void }): VNode {
  const words = useTexts(texts);
  const toast = useToast();
  const access = useAccess();
  const { credits } = access;
  const { language } = usePreferences();
  const number = new Intl.NumberFormat(language);
  const [key, setKey] = useState('');
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const [isTrying, setTrying] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const use = async () => {
    const wanted = key.trim();
    if (!/^pvt_[\x21-\x7e]{8,}$/.test(wanted)) return setError(words.shape);
    setTrying(true);
    setError(undefined);
    setProblem(undefined);
    const outcome = await new ApiClient(() => ({ authorization: `Bearer ${wanted}` }), 'omit').get('/credits');
    setTrying(false);
    if (!outcome.ok) return setProblem(outcome.problem);
    access.setKey(wanted);
    toast({ text: words.used });
    onClose();
  };
  const drop = () => {
    access.setKey(undefined);
    toast({ text: words.dropped });
    onClose();
  };
  return html`<${Dialog}
    title=${words.title}
    onClose=${onClose}
    onSubmit=${use}
    actions=${html`
      ${access.key !== undefined && html`<${Button} onClick=${drop}>${words.drop}</${Button}>`}
      <${Button} onClick=${onClose}>${words.cancel}</${Button}>
      <${Button} kind="primary" submits isBusy=${isTrying}>${words.use}</${Button}>`}
  >
    <${TextField}
      label=${words.label}
      type="password"
      isMono
      value=${key}
      onInput=${setKey}
      hint=${words.hint}
      error=${error}
      inputRef=${input}
    />
    ${
      credits !== undefined &&
      html`<p class="quiet-text">${words.inUse(
        capitalized(credits.plan),
        number.format(credits.used),
        credits.unlimited ? words.endless : number.format(credits.creditsTotal),
        new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(credits.resetsAt)),
      )}</p>`
    }
    ${problem && html`<${ProblemNote} problem=${problem} onRetry=${use} />`}
  </${Dialog}>`;
}
