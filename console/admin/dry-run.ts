/** Compares a draft with the current policy over recorded requests. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { DryRunAnswer } from '../../gateway/api/routes/policy.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import type { Outcome } from '../shared/http.ts';
import { Badge, Note } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { ProblemNote } from '../shared/problem-note.ts';
import { useSentences } from '../shared/sentences.ts';
import { Table } from '../shared/table.ts';
import { useFormat } from './format.ts';
import { ruleTexts } from './rule-words.ts';
import { useApi } from './session.ts';
import { columnsOf } from './table-card.ts';
import { Verdict } from './verdict.ts';

const texts = inBoth({
  title: ['Dry run', '試行'],
  running: ['Evaluating the recorded requests again…', '記録されたリクエストを判定し直しています…'],
  none: ['There are no recorded requests to evaluate.', '試行できる記録がありません。'],
  same: [
    (events: string) => `Nothing changes for the ${events} recorded requests.`,
    (events: string) => `変化はありません。記録された ${events} 件のリクエストの判定は同じです。`,
  ],
  changed: [
    (changed: string, events: string) => `The decision would change for ${changed} of ${events} recorded requests.`,
    (changed: string, events: string) => `記録された ${events} 件のうち ${changed} 件の判定が変わります。`,
  ],
  truncated: ['Only the newest requests were evaluated.', '対象は新しい記録だけです。'],
  undecided: [
    (n: string) => `${n} more depend on rules by path or method, which events do not record.`,
    (n: string) => `${n} 件は、イベントに残らないパスやメソッドのルールで決まるため判定できません。`,
  ],
  coach: ['Asks for confirmation', '確認を求める'],
  before: ['Now', '現在'],
  after: ['New', '変更後'],
  count: ['Requests', '件数'],
  subjects: ['Users', 'ユーザー数'],
  examples: ['For example', '例'],
});

type Diff = DryRunAnswer['diffs'][number];

export type DryRunState = {
  readonly isBusy: boolean;
  readonly outcome: Outcome<DryRunAnswer> | undefined;
  readonly run: (yaml: string) => Promise<void>;
};

export function useDryRun(): DryRunState {
  const api = useApi();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome<DryRunAnswer>>();
  const run = async (yaml: string): Promise<void> => {
    setBusy(true);
    setOutcome(await api.post<DryRunAnswer>('/admin/policy/dry-run', { yaml }, { isReadOnly: true }));
    setBusy(false);
  };
  return { isBusy, outcome, run };
}

export function DryRun({ run: { isBusy, outcome } }: { readonly run: DryRunState }): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const { rule: ruleName } = useSentences();
  const answers = useTexts(ruleTexts).tools;
  if (isBusy || outcome === undefined)
    return html`<${Note} title=${words.title}><p role="status">${words.running}</p></${Note}>`;
  if (!outcome.ok) return html`<${ProblemNote} problem=${outcome.problem} />`;
  const { events, changed, truncated, undecided, diffs } = outcome.body;
  const result =
    events === 0
      ? words.none
      : changed === 0
        ? words.same(format.number(events))
        : words.changed(format.number(changed), format.number(events));
  const side = ({ action, inspect, rule, coach, tools }: Diff['before']) =>
    html`<span class="row tight">
        <${Verdict} action=${action} inspect=${inspect} />
        ${coach && html`<${Badge} tone="warn">${words.coach}</${Badge}>`}
        ${tools && html`<${Badge} tone="warn">${answers[tools] ?? tools}</${Badge}>`}
      </span>
      <div class="quiet-text">${ruleName(rule)}</div>`;
  return html`<section class="card stack tight">
    <h2>${words.title}</h2>
    <p role="status">${result} ${truncated && words.truncated}</p>
    ${undecided > 0 && html`<p class="quiet-text">${words.undecided(format.number(undecided))}</p>`}
    ${
      diffs.length > 0 &&
      html`<${Table}
        caption=${words.title}
        rows=${diffs}
        keyOf=${({ before, after }: Diff) => JSON.stringify([before, after])}
        columns=${columnsOf(words, {
          before: ({ before }: Diff) => side(before),
          after: ({ after }) => side(after),
          count: { align: 'end', show: ({ count }) => format.number(count) },
          subjects: { align: 'end', show: ({ subjects }) => format.number(subjects) },
          examples: ({ examples }) =>
            examples
              .slice(0, 3)
              .map(
                ({ host, subject }) =>
                  html`<div key=${host + subject}><span class="mono">${host}</span> · ${subject}</div>`,
              ),
        })}
      />`
    }
  </section>`;
}
