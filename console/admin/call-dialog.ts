/** Dialogs with a form: one that a view sends itself, and one that sends a single call. */

import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { Dialog } from '../shared/dialog.ts';
import { html, useState, type VNode, type WithChildren } from '../shared/html.ts';
import type { Outcome, Problem } from '../shared/http.ts';
import { useTexts } from '../shared/preferences.ts';
import { ProblemNote } from '../shared/problem-note.ts';
import { useToast } from '../shared/toast.ts';

const texts = inBoth({ cancel: ['Cancel', 'キャンセル'] });

export type FormDialogProps = WithChildren<{
  readonly title: string;
  /** Of the button that submits. */
  readonly label: string;
  readonly kind?: 'primary' | 'danger';
  readonly isWide?: boolean;
  readonly isBusy?: boolean;
  /** Shown below the input, to try again. */
  readonly problem?: Problem | undefined;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
}>;

export function FormDialog(props: FormDialogProps): VNode {
  const { title, label, kind = 'primary', isWide, isBusy, problem, onClose, onSubmit, children } = props;
  const words = useTexts(texts);
  return html`<${Dialog}
    isWide=${isWide}
    title=${title}
    onClose=${onClose}
    onSubmit=${onSubmit}
    actions=${html`<${Button} onClick=${onClose}>${words.cancel}</${Button}>
      <${Button} kind=${kind} submits isBusy=${isBusy}>${label}</${Button}>`}
  >
    ${children}
    ${problem && html`<${ProblemNote} problem=${problem} onRetry=${onSubmit} />`}
  </${Dialog}>`;
}

type CallDialogProps = WithChildren<{
  readonly title: string;
  readonly label: string;
  readonly kind?: 'primary' | 'danger';
  /** The call; undefined while the input is incomplete or refused. */
  readonly send: () => Promise<Outcome<unknown> | undefined> | undefined;
  /** The toast after success. */
  readonly done: string;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}>;

/** Closes when the call succeeds; an error is shown next to the input. */
export function CallDialog(props: CallDialogProps): VNode {
  const { title, label, kind = 'danger', done, onClose, onDone, children } = props;
  const toast = useToast();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    const call = props.send();
    if (call === undefined) return;
    setBusy(true);
    setProblem(undefined);
    const outcome = await call;
    setBusy(false);
    if (outcome === undefined) return;
    if (!outcome.ok) return setProblem(outcome.problem);
    toast({ text: done });
    onClose();
    await onDone();
  };
  const form = { title, label, kind, isBusy, problem, onClose, onSubmit: () => void submit() };
  return html`<${FormDialog} ...${form}>${children}</${FormDialog}>`;
}
