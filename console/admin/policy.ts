/** The policy's rules: a list with a form for each, the YAML, a dry run over recorded events, and publishing. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { PolicyAnswer } from '../../gateway/api/routes/policy.ts';
import { Button } from '../shared/button.ts';
import { Dialog } from '../shared/dialog.ts';
import { html, useEffect, useState, type VNode } from '../shared/html.ts';
import type { Outcome, Problem } from '../shared/http.ts';
import { Badge, CodeBlock, Note } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { ProblemNote } from '../shared/problem-note.ts';
import { useToast } from '../shared/toast.ts';
import { CallDialog } from './call-dialog.ts';
import { DryRun, useDryRun } from './dry-run.ts';
import { Explain } from './explain.ts';
import { Loaded, useLoad } from './load.ts';
import { moved, moveRule, putRule, type Rule, removeRule } from './policy-yaml.ts';
import { RuleDialog } from './rule-dialog.ts';
import { RuleList } from './rule-list.ts';
import { useApi } from './session.ts';
import { useTabView } from './tab-view.ts';
import { useValidation, type Validation } from './validation.ts';
import { YamlEditor } from './yaml-editor.ts';

const texts = inBoth({
  title: ['Policy', 'ポリシー'],
  about: [
    'Rules are evaluated in order; the first match wins. Without a match, the category of the service decides.',
    'ルールは上から順に評価され、最初に一致したものが適用されます。一致しなければ、サービスの区分で決まります。',
  ],
  rules: ['Rules', 'ルール'],
  explain: ['Explain a decision', '判定の説明'],
  parts: ['Parts of the policy', 'ポリシーの構成'],
  add: ['Add a rule', 'ルールを追加'],
  yaml: ['As YAML', 'YAML'],
  valid: ['Valid', '誤りなし'],
  checking: ['Checking…', '確認中…'],
  invalid: [(n: number) => (n === 1 ? '1 error' : `${n} errors`), (n: number) => `${n} 件の誤り`],
  dryRun: ['Dry run', '試行'],
  save: ['Publish', '公開する'],
  discard: ['Discard the changes', '変更を破棄'],
  fromFile: ['From the configuration file', '設定ファイル'],
  fromStore: ['Published here', 'この画面で公開'],
  toFile: ['Back to the file', 'ファイルに戻す'],
  toFileAsk: [
    'The policy of the configuration file replaces the one published here, on all replicas.',
    'この画面で公開したポリシーに代わり、設定ファイルのポリシーがすべてのレプリカで有効になります。',
  ],
  unsaved: [
    'You have unpublished changes. They stay in this browser tab.',
    'まだ公開していない変更があります。変更はこのタブに残ります。',
  ],
  saved: ['The policy was published', 'ポリシーを公開しました'],
  back: ['The policy of the file applies again', 'ファイルのポリシーに戻しました'],
  conflict: ['Someone else published a policy in the meantime', '編集中に別の人がポリシーを公開しました'],
  conflictTodo: [
    'Your changes are still here. Compare, then choose.',
    '編集内容は残っています。内容を見比べて選んでください。',
  ],
  theirs: ['The published policy', '公開中のポリシー'],
  takeTheirs: ['Discard my changes', '編集内容を破棄する'],
  keepMine: ['Publish mine anyway', '編集内容を公開する'],
});

export function PolicyView(): VNode {
  const load = useLoad<PolicyAnswer>('/admin/policy');
  return useTabView('policy', useTexts(texts), {
    rules: () => html`<${Loaded}
      load=${load}
      show=${(policy: PolicyAnswer) => html`<${Editor} key=${policy.version} policy=${policy} reload=${load.reload} />`}
    />`,
    explain: (query) =>
      html`<${Explain} key=${query.toString()} url=${query.get('url') ?? ''} user=${query.get('user') ?? ''} />`,
  });
}

const draftName = 'privet.policy-draft';

/** An unpublished draft and its base version, stored in the tab. */
const drafts = {
  get(version: PolicyAnswer['version']): string | undefined {
    try {
      const draft = JSON.parse(sessionStorage.getItem(draftName) ?? 'null') as {
        version: unknown;
        yaml: string;
      } | null;
      return draft !== null && draft.version === version ? draft.yaml : undefined;
    } catch {
      return undefined;
    }
  },
  set(version: PolicyAnswer['version'], yaml: string | undefined): void {
    try {
      if (yaml === undefined) sessionStorage.removeItem(draftName);
      else sessionStorage.setItem(draftName, JSON.stringify({ version, yaml }));
    } catch {
      // Without storage, the draft lasts as long as the view is open.
    }
  },
};

type EditorProps = { readonly policy: PolicyAnswer; readonly reload: () => Promise<void> };

function Editor({ policy, reload }: EditorProps): VNode {
  const words = useTexts(texts);
  const api = useApi();
  const toast = useToast();
  const [yaml, setYaml] = useState(() => drafts.get(policy.version) ?? policy.yaml);
  /** The rules of the last validated text. */
  const [read, setRead] = useState<{ readonly rules: readonly Rule[]; readonly of: string }>();
  const [shown, setShown] = useState<{ readonly at: number }>();
  const [edited, setEdited] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  const [theirs, setTheirs] = useState<PolicyAnswer>();
  const [isBusy, setBusy] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const validation = useValidation(yaml);
  const dryRun = useDryRun();
  const isChanged = yaml !== policy.yaml;
  useEffect(() => drafts.set(policy.version, isChanged ? yaml : undefined), [yaml]);
  useEffect(() => {
    const { rules: next, of } = validation;
    if (next !== undefined && next !== null && of !== undefined) setRead({ rules: next, of });
  }, [validation.rules]);

  const rules = read?.rules ?? [];
  const isLocked = validation.rules === null;
  /** True until the latest input has been read: a change of the rules would lose it. */
  const isPending = read?.of !== yaml;
  const change = (make: (text: string) => string, next: readonly Rule[]) => {
    const text = make(validation.of === yaml ? (validation.block ?? yaml) : yaml);
    setYaml(text);
    setRead({ rules: next, of: text });
  };
  const save = async (version: PolicyAnswer['version']): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    const outcome: Outcome<unknown> = await api.put('/admin/policy', { yaml, version });
    if (outcome.ok) {
      drafts.set(policy.version, undefined);
      toast({ text: words.saved });
      await reload();
    } else if (outcome.problem.kind === 'conflict') {
      const current = await api.get<PolicyAnswer>('/admin/policy');
      if (current.ok) setTheirs(current.body);
      else setProblem(current.problem);
    } else setProblem(outcome.problem);
    setBusy(false);
  };
  const takeTheirs = async (): Promise<void> => {
    drafts.set(policy.version, undefined);
    setTheirs(undefined);
    await reload();
  };
  const hasErrors = validation.state === 'done' && !validation.isValid;

  return html`<div class="stack">
    <div class="row policy-bar">
      <${Badge} tone=${policy.source === 'store' ? 'info' : 'plain'}>
        ${policy.source === 'store' ? words.fromStore : words.fromFile}
      </${Badge}>
      <${ValidationBadge} validation=${validation} />
      <span class="grow"></span>
      ${policy.source === 'store' && html`<${Button} kind="quiet" onClick=${() => setLeaving(true)}>${words.toFile}</${Button}>`}
      ${isChanged && html`<${Button} kind="quiet" onClick=${() => setYaml(policy.yaml)}>${words.discard}</${Button}>`}
      <span class="row">
        <${Button}
          icon="play"
          isBusy=${dryRun.isBusy}
          isDisabled=${hasErrors}
          onClick=${() => void dryRun.run(yaml)}
        >${words.dryRun}</${Button}>
        <${Button}
          kind="primary"
          isBusy=${isBusy}
          isDisabled=${!isChanged || hasErrors}
          onClick=${() => void save(policy.version)}
        >${words.save}</${Button}>
      </span>
    </div>
    ${isChanged && html`<${Note}><p>${words.unsaved}</p></${Note}>`}
    ${problem && html`<${ProblemNote} problem=${problem} onRetry=${() => void save(policy.version)} />`}
    ${(dryRun.outcome || dryRun.isBusy) && html`<${DryRun} run=${dryRun} />`}
    <div class="policy-columns">
      <section class="card">
        <div class="card-head">
          <h2>${words.rules}</h2>
          <${Button} isSmall icon="plus" isDisabled=${isLocked || isPending} onClick=${() => setEdited(rules.length)}>${words.add}</${Button}>
        </div>
        ${
          (isLocked || read !== undefined) &&
          html`<${RuleList}
          rules=${rules}
          isLocked=${isLocked}
          isPending=${isPending}
          validation=${validation}
          shown=${shown}
          onMove=${(from: number, to: number) =>
            change((text) => moveRule(text, rules, { from, to }), moved(rules, from, to))}
          onEdit=${setEdited}
          onRemove=${(at: number) =>
            change(
              (text) => removeRule(text, rules, at),
              rules.filter((_, i) => i !== at),
            )}
        />`
        }
      </section>
      <section class="card">
        <${YamlEditor}
          label=${words.yaml}
          value=${yaml}
          onInput=${setYaml}
          problems=${validation.problems}
          warnings=${validation.warnings}
        />
        ${validation.problem && html`<${ProblemNote} problem=${validation.problem} onRetry=${validation.again} />`}
      </section>
    </div>
    ${
      edited !== undefined &&
      html`<${RuleDialog}
        rule=${rules[edited]}
        at=${edited}
        count=${Math.max(rules.length, edited + 1)}
        onClose=${() => setEdited(undefined)}
        onDone=${(rule: Rule, at: number) => {
          const next = withAt(rules, edited, rule);
          change(
            (text) => moveRule(putRule(text, rules, { at: edited, rule }), next, { from: edited, to: at }),
            moved(next, edited, at),
          );
          if (at !== edited || edited === rules.length) setShown({ at });
          setEdited(undefined);
        }}
      />`
    }
    ${
      theirs &&
      html`<${Dialog}
        isWide
        title=${words.conflict}
        onClose=${() => setTheirs(undefined)}
        actions=${html`<${Button} onClick=${() => void takeTheirs()}>${words.takeTheirs}</${Button}>
          <${Button}
            kind="danger"
            onClick=${() => {
              setTheirs(undefined);
              void save(theirs.version);
            }}
          >${words.keepMine}</${Button}>`}
      >
        <p>${words.conflictTodo}</p>
        <${CodeBlock} label=${words.theirs} text=${theirs.yaml} />
      </${Dialog}>`
    }
    ${
      isLeaving &&
      html`<${CallDialog}
        title=${words.toFile}
        label=${words.toFile}
        kind="primary"
        send=${() => api.delete('/admin/policy')}
        done=${words.back}
        onClose=${() => setLeaving(false)}
        onDone=${() => {
          drafts.set(policy.version, undefined);
          return reload();
        }}
      ><p>${words.toFileAsk}</p></${CallDialog}>`
    }
  </div>`;
}

function withAt<T>(list: readonly T[], at: number, item: T): readonly T[] {
  const next = [...list];
  next[at] = item;
  return next;
}

function ValidationBadge({ validation }: { readonly validation: Validation }): VNode {
  const words = useTexts(texts);
  if (validation.state === 'asking') return html`<${Badge}>${words.checking}</${Badge}>`;
  if (validation.state === 'unknown') return html`<span></span>`;
  if (validation.isValid) return html`<${Badge} tone="good">${words.valid}</${Badge}>`;
  return html`<${Badge} tone="bad">${words.invalid(validation.problems.length)}</${Badge}>`;
}
