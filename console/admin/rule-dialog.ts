/** The form of one rule. */

import { capitalized } from '../../core/wording/capitalized.ts';
import { inBoth, type Text } from '../../core/wording/in-both.ts';
import { Checkbox, Select, Switch, TextField } from '../shared/field.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { Note } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { actions, inspects } from './answers.ts';
import { FormDialog } from './call-dialog.ts';
import { useLabels } from './labels.ts';
import type { Rule } from './policy-yaml.ts';
import { rowsOf, type TypeRow, TypeRows, typesOf } from './rule-types.ts';
import { ruleTexts } from './rule-words.ts';
import { verdictTexts } from './verdict.ts';

/** Examples that are the same in every language. */
const hints = {
  networks: '10.1.0.0/16',
  methods: 'POST',
  paths: '/upload',
  hours: 'mon-fri 08:00-18:00 Asia/Tokyo',
  upload_over: '5MB',
  hosts: '*.example.com',
};

const texts = inBoth({
  add: ['Add a rule', 'ルールを追加'],
  edit: ['Edit the rule', 'ルールを編集'],
  done: ['Done', '反映する'],
  name: ['Name', '名前'],
  owner: ['Owner', '担当'],
  ownerHint: ['The person responsible for the rule.', 'このルールの責任者です。'],
  expires: ['Expires', '有効期限'],
  expiresHint: ['A date, for example 2026-12-31.', '日付（例：2026-12-31）'],
  position: ['Position', '順番'],
  positionHint: [
    (n: number) => `1 is evaluated first, ${n} last.`,
    (n: number) => `1 が最初、${n} が最後に評価されます。`,
  ],
  reportOnly: [
    'Report only: record what the rule would do, without applying it',
    '記録のみ：適用せず、適用した場合の結果だけを記録',
  ],
  when: ['When all of these match', '条件（すべてに一致）'],
  whenHint: [
    'Leave a field empty to match anything. Separate values with commas; one match is enough.',
    '空の項目は条件になりません。複数の値はカンマで区切ります（いずれかに一致すれば対象）。',
  ],
  forAll: [
    'Without a condition, the rule applies to every request. Press “Done” if that is what you want.',
    '条件がないため、すべてのリクエストに適用されます。それでよければ「反映する」を押してください。',
  ],
  outcome: ['Then', '適用する内容'],
  action: ['Decision', '判定'],
  inspect: ['Inspection', '内容の検査'],
  keep: ['No change', '変更なし'],
  coach: ['Ask users to confirm and give a reason', '理由を添えた確認をユーザーに求める'],
  coachTtl: ['Confirmation is valid for', '確認の有効時間'],
  more: ['More conditions', 'そのほかの条件'],
  hints: { ...hints, services: ['Name or domain', '名前またはドメイン'] } as Record<string, Text>,
});

/** Conditions that the user types: lists of words; `hours` and `upload_over` are one text. */
const first = ['users', 'groups', 'services', 'hosts'] as const;
const further = ['networks', 'methods', 'paths', 'hours', 'upload_over'] as const;
const ruleCategories = ['approved', 'monitoring', 'blocked', 'unknown'] as const;

export type RuleDialogProps = {
  /** Undefined for a new rule. */
  readonly rule: Rule | undefined;
  /** The rule's index, and the number of rules including it. */
  readonly at: number;
  readonly count: number;
  readonly onClose: () => void;
  readonly onDone: (rule: Rule, at: number) => void;
};

export function RuleDialog({ rule, at, count, onClose, onDone }: RuleDialogProps): VNode {
  const words = useTexts(texts);
  const verdict = useTexts(verdictTexts);
  const { fields } = useTexts(ruleTexts);
  const labels = useLabels();
  const [draft, setDraft] = useState(() => draftOf(rule));
  const [wrongTypes, setWrongTypes] = useState<ReadonlySet<number>>(new Set());
  const [isAsked, setAsked] = useState(() => rule !== undefined && isForAll(rule));
  const [position, setPosition] = useState(String(at + 1));
  const set = <Name extends keyof Draft>(name: Name, value: Draft[Name]) => setDraft({ ...draft, [name]: value });
  const setWhen = (name: string, value: string) => set('when', { ...draft.when, [name]: value });
  const { types, wrong } = typesOf(draft.types, labels);
  const next = ruleOf(draft, types, rule);
  const submit = () => {
    setWrongTypes(wrong);
    const to = Math.min(Math.max(1, Math.trunc(Number(position)) || at + 1), count) - 1;
    if (wrong.size > 0) return;
    // An empty form, submitted by mistake, would be a rule for everything.
    if (isForAll(next) && !isAsked) setAsked(true);
    else onDone(next, to);
  };
  const condition = (name: string) => html`<${TextField}
    key=${name}
    label=${fields[name]}
    placeholder=${words.hints[name]}
    value=${draft.when[name] ?? ''}
    onInput=${(value: string) => setWhen(name, value)}
  />`;
  const choices = (name: 'categories' | 'kinds', values: Iterable<string>, labelOf: (value: string) => string) =>
    html`<div class="row" role="group" aria-label=${fields[name]}>
      <span class="label">${fields[name]}</span>
      ${[...values].map(
        (value) => html`<${Checkbox}
          key=${value}
          label=${labelOf(value)}
          isChecked=${draft[name].includes(value)}
          onChange=${(isOn: boolean) => {
            const others = draft[name].filter((other) => other !== value);
            set(name, isOn ? [...others, value] : others);
          }}
        />`,
      )}
    </div>`;
  const title = rule === undefined ? words.add : words.edit;
  return html`<${FormDialog} isWide title=${title} label=${words.done} onClose=${onClose} onSubmit=${submit}>
    <div class="columns">
      <${TextField} label=${words.name} value=${draft.name} onInput=${(value: string) => set('name', value)} />
      <${TextField} label=${words.owner} hint=${words.ownerHint} value=${draft.owner} onInput=${(value: string) => set('owner', value)} />
      <${TextField}
        label=${words.expires}
        hint=${words.expiresHint}
        value=${draft.expires}
        onInput=${(value: string) => set('expires', value)}
      />
      <${TextField}
        label=${words.position}
        type="number"
        min=${1}
        max=${count}
        hint=${count > 1 ? words.positionHint(count) : undefined}
        value=${position}
        onInput=${setPosition}
      />
    </div>
    <${Checkbox} label=${words.reportOnly} isChecked=${draft.reportOnly} onChange=${(value: boolean) => set('reportOnly', value)} />
    <fieldset class="part">
      <legend>${words.when}</legend>
      <p class="hint">${words.whenHint}</p>
      ${isAsked && isForAll(next) && html`<${Note} tone="warn" isAlert><p>${words.forAll}</p></${Note}>`}
      <div class="columns">${first.map(condition)}</div>
      ${choices('categories', ruleCategories, (category) => verdict.categories[category] ?? category)}
      <details open=${draft.kinds.length > 0 || further.some((name) => (draft.when[name] ?? '') !== '')}>
        <summary>${words.more}</summary>
        <div class="columns">${further.map(condition)}</div>
        ${choices('kinds', new Set([...labels.kinds, ...draft.kinds]), labels.kind)}
      </details>
    </fieldset>
    <fieldset class="part">
      <legend>${words.outcome}</legend>
      <div class="columns">
        <${Select}
          label=${words.action}
          value=${draft.action}
          options=${[['', words.keep], ...actions.map((action) => [action, verdict.actions[action]])]}
          onChange=${(value: string) => set('action', value)}
        />
        <${Select}
          label=${words.inspect}
          value=${draft.inspect}
          options=${[['', words.keep], ...inspects.map((level) => [level, capitalized(verdict.inspects[level] ?? level)])]}
          onChange=${(value: string) => set('inspect', value)}
        />
      </div>
      <${TypeRows}
        rows=${draft.types}
        wrong=${wrongTypes}
        onChange=${(rows: readonly TypeRow[]) => {
          setWrongTypes(new Set());
          set('types', rows);
        }}
      />
      ${
        draft.action === 'warn' &&
        html`<div class="row end">
          <${Switch} label=${words.coach} isOn=${draft.coach} onChange=${(value: boolean) => set('coach', value)} />
          <${TextField}
            label=${words.coachTtl}
            placeholder="8h"
            value=${draft.coachTtl}
            onInput=${(value: string) => set('coachTtl', value)}
          />
        </div>`
      }
    </fieldset>
  </${FormDialog}>`;
}

const isForAll = ({ when = {} }: Rule): boolean => Object.keys(when).length === 0;

type Draft = {
  readonly name: string;
  readonly owner: string;
  readonly expires: string;
  readonly reportOnly: boolean;
  readonly when: Readonly<Record<string, string>>;
  readonly categories: readonly string[];
  readonly kinds: readonly string[];
  readonly action: string;
  readonly inspect: string;
  readonly types: readonly TypeRow[];
  readonly coach: boolean;
  readonly coachTtl: string;
};

function draftOf(rule: Rule | undefined): Draft {
  const { when = {}, then = {} } = rule ?? {};
  const text = (value: unknown) => (value === undefined || value === null ? '' : String(value));
  return {
    name: rule?.name ?? '',
    owner: rule?.owner ?? '',
    expires: rule?.expires ?? '',
    reportOnly: rule?.report_only ?? false,
    when: Object.fromEntries([...first, ...further].map((name) => [name, [when[name] ?? []].flat().join(', ')])),
    categories: [when.categories ?? []].flat() as string[],
    kinds: [when.kinds ?? []].flat() as string[],
    action: text(then.action),
    inspect: text(then.inspect),
    types: rowsOf((then.types ?? {}) as Parameters<typeof rowsOf>[0]),
    coach: then.coach === true,
    coachTtl: text(then.coach_ttl),
  };
}

/** The rule of a draft; settings that the form does not show are kept. */
function ruleOf(draft: Draft, types: object, before: Rule | undefined): Rule {
  const when: Record<string, unknown> = { ...before?.when };
  for (const name of [...first, ...further]) {
    const values = (draft.when[name] ?? '')
      .split(',')
      .map((value) => value.trim())
      .filter(Boolean);
    if (values.length === 0) delete when[name];
    else if (name === 'upload_over' || (name === 'hours' && values.length === 1))
      when[name] = numberOr(values[0] ?? '');
    else when[name] = values;
  }
  for (const name of ['categories', 'kinds'] as const) {
    if (draft[name].length === 0) delete when[name];
    else when[name] = draft[name];
  }
  const given = (text: string) => (text.trim() === '' ? undefined : numberOr(text.trim()));
  const isCoaching = draft.action === 'warn' && draft.coach;
  return {
    ...before,
    name: given(draft.name) === undefined ? undefined : draft.name.trim(),
    owner: draft.owner.trim() || undefined,
    expires: draft.expires.trim() || undefined,
    report_only: draft.reportOnly || undefined,
    when,
    then: {
      ...before?.then,
      action: draft.action || undefined,
      inspect: draft.inspect || undefined,
      types: Object.keys(types).length === 0 ? undefined : types,
      coach: isCoaching || undefined,
      coach_ttl: isCoaching ? given(draft.coachTtl) : undefined,
    },
  } as Rule;
}

/** A number of bytes or milliseconds stays a number. */
function numberOr(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}
