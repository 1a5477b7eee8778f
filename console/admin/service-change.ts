/** Changes of services in the registry, with undo, and a preview when they affect traffic. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { BulkAnswer } from '../../gateway/api/routes/services-admin.ts';
import type { Category, Service } from '../../policy/service.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import { useTexts } from '../shared/preferences.ts';
import { useProblemToast } from '../shared/problem-note.ts';
import { useSentences } from '../shared/sentences.ts';
import { useToast } from '../shared/toast.ts';
import { FormDialog } from './call-dialog.ts';
import { ImpactNote } from './impact-note.ts';
import { useApi } from './session.ts';
import { verdictTexts } from './verdict.ts';

const texts = inBoth({
  remove: ['Delete', '削除'],
  changed: [
    (n: number, category: string) => (n === 1 ? `1 service is now ${category}` : `${n} services are now ${category}`),
    (n: number, category: string) => `${n} 件のサービスを「${category}」にしました`,
  ],
  removed: [
    (n: number) => (n === 1 ? '1 service was deleted' : `${n} services were deleted`),
    (n: number) => `${n} 件のサービスを削除しました`,
  ],
  failed: [
    (n: number, why: string) => `${n} could not be changed: ${why}`,
    (n: number, why: string) => `${n} 件は変更できませんでした：${why}`,
  ],
  undo: ['Undo', '元に戻す'],
  undone: ['Undone', '元に戻しました'],
  bulkTitle: [
    (n: number) => (n === 1 ? 'Change 1 service' : `Change ${n} services`),
    (n: number) => `${n} 件のサービスを変更`,
  ],
  removeTitle: [
    (n: number) => (n === 1 ? 'Delete 1 service' : `Delete ${n} services`),
    (n: number) => `${n} 件のサービスを削除`,
  ],
  bulkAsk: [
    (n: number, category: string) => `${n} ${n === 1 ? 'service gets' : 'services get'} the category ${category}.`,
    (n: number, category: string) => `${n} 件のサービスの区分を「${category}」にします。`,
  ],
  removeAsk: [
    (n: number) => `${n === 1 ? 'Its' : 'Their'} hosts then count as unregistered.`,
    () => '削除後のリクエストは、未登録ホスト宛てとして扱われます。',
  ],
  save: ['Change', '変更する'],
});

/** Services and their change; null deletes them. */
export type Plan = {
  readonly services: readonly Service[];
  readonly change: { readonly category: Category; readonly is_blocked: boolean } | null;
};

/** Applies the change; returns the problem if it failed. */
export type Change = (services: readonly Service[], change: Plan['change']) => Promise<Problem | undefined>;

/** Changes services and offers to undo it. */
export function useChange(reload: () => Promise<void>): Change {
  const words = useTexts(texts);
  const { categories: names } = useTexts(verdictTexts);
  const api = useApi();
  const toast = useToast();
  const tell = useProblemToast();
  const { error } = useSentences();
  /** Reports failures; false if there were none. */
  const reportFailed = ({ failed }: BulkAnswer): boolean => {
    const [first] = failed;
    if (first !== undefined) toast({ text: words.failed(failed.length, error(first.error.message)), tone: 'bad' });
    return first !== undefined;
  };
  const undo = async (before: BulkAnswer['changed']) => {
    const items = before.map(({ id, before }) => ({ id, change: before }));
    const outcome = await api.post<BulkAnswer>('/admin/services/bulk', { items });
    if (!outcome.ok) tell(outcome.problem);
    else if (!reportFailed(outcome.body)) toast({ text: words.undone });
    await reload();
  };
  return async (services, change) => {
    const outcome = await api.post<BulkAnswer>('/admin/services/bulk', { ids: services.map(({ id }) => id), change });
    if (!outcome.ok) {
      await reload();
      return outcome.problem;
    }
    const { changed } = outcome.body;
    reportFailed(outcome.body);
    if (changed.length > 0) {
      toast({
        text:
          change === null ? words.removed(changed.length) : words.changed(changed.length, names[change.category] ?? ''),
        action: { label: words.undo, run: () => void undo(changed) },
      });
    }
    await reload();
    return undefined;
  };
}

type ChangeDialogProps = {
  readonly plan: Plan;
  readonly change: Change;
  /** Why an earlier attempt failed. */
  readonly problem?: Problem | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Asks for confirmation, with the impact, before several services or one in use change. */
export function ChangeDialog({
  plan: { services, change: wanted },
  change,
  problem: first,
  onClose,
  onDone,
}: ChangeDialogProps): VNode {
  const words = useTexts(texts);
  const { categories: names } = useTexts(verdictTexts);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState(first);
  const n = services.length;
  const submit = async () => {
    setBusy(true);
    const failed = await change(services, wanted);
    setBusy(false);
    if (failed === undefined) onDone();
    else setProblem(failed);
  };
  return html`<${FormDialog}
    title=${wanted === null ? words.removeTitle(n) : words.bulkTitle(n)}
    label=${wanted === null ? words.remove : words.save}
    kind=${wanted === null ? 'danger' : 'primary'}
    isBusy=${isBusy}
    problem=${problem}
    onClose=${onClose}
    onSubmit=${() => void submit()}
  >
    ${wanted === null ? html`<p>${words.removeAsk(n)}</p>` : html`<p>${words.bulkAsk(n, names[wanted.category] ?? '')}</p>`}
    <p class="quiet-text">${services
      .slice(0, 12)
      .map(({ service_name: name }) => name)
      .join(', ')}${n > 12 ? ` … (+${n - 12})` : ''}</p>
    <${ImpactNote} wish=${{ ids: services.map(({ id }) => id), change: wanted }} />
  </${FormDialog}>`;
}
