/** The rules in pages; moved by dragging, with buttons, with Alt and arrow keys, or by position in the form. */

import { capitalized } from '../../core/wording/capitalized.ts';
import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { TextField } from '../shared/field.ts';
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState, type VNode } from '../shared/html.ts';
import { Badge, EmptyState } from '../shared/notes.ts';
import { usePages } from '../shared/pager.ts';
import { useTexts } from '../shared/preferences.ts';
import { useSentences } from '../shared/sentences.ts';
import { useFormat } from './format.ts';
import { useLabels } from './labels.ts';
import type { Rule } from './policy-yaml.ts';
import { ruleTexts } from './rule-words.ts';
import type { Validation } from './validation.ts';
import { Verdict, verdictTexts } from './verdict.ts';

const texts = inBoth({
  empty: ['No rules yet.', 'ルールはまだありません。'],
  emptyHow: [
    'Until you add one, the category of the service decides.',
    'ルールを追加するまでは、サービスの区分で判定します。',
  ],
  locked: [
    'The YAML cannot be read at the moment; correct it to see the rules here again.',
    '現在の YAML は読み取れません。修正するとルールが表示されます。',
  ],
  search: ['Search', '検索'],
  searchHint: ['Name, condition or number', '名前、条件、番号'],
  notFound: ['No rule matches.', '該当するルールはありません。'],
  unnamed: [(n: number) => `Rule ${n}`, (n: number) => `ルール ${n}`],
  everybody: ['always', '常に'],
  nobody: ['none', 'なし'],
  replaced: [(text: string) => `replaced by “${text}”`, (text: string) => `「${text}」に置き換え`],
  move: [
    (name: string) => `Move ${name}. Press Alt and an arrow key.`,
    (name: string) => `${name} を移動。Alt キーと矢印キーを押してください。`,
  ],
  up: [(name: string) => `Move ${name} up`, (name: string) => `${name} を上へ`],
  down: [(name: string) => `Move ${name} down`, (name: string) => `${name} を下へ`],
  edit: [(name: string) => `Edit ${name}`, (name: string) => `${name} を編集`],
  remove: [(name: string) => `Delete ${name}`, (name: string) => `${name} を削除`],
  movedTo: [
    (name: string, n: number, of: number) => `${name} is now rule ${n} of ${of}`,
    (name: string, n: number, of: number) => `${name} は ${of} 件中 ${n} 番目になりました`,
  ],
  reportOnly: ['Report only', '記録のみ'],
  expires: [(date: string) => `Until ${date}`, (date: string) => `${date} まで`],
  keeps: ['no change', '変更なし'],
  coach: ['Asks for confirmation', '確認を求める'],
});

/** Rules per page; with more, a search field is shown. */
const pageSize = 50;

export type RuleListProps = {
  readonly rules: readonly Rule[];
  /** True if the YAML cannot be parsed, so rules cannot be moved. */
  readonly isLocked: boolean;
  /** True while the rules are being read again, so they cannot be changed. */
  readonly isPending: boolean;
  readonly validation: Validation;
  /** Shows the page with this rule when it changes. */
  readonly shown: { readonly at: number } | undefined;
  readonly onMove: (from: number, to: number) => void;
  readonly onEdit: (at: number) => void;
  readonly onRemove: (at: number) => void;
};

export function RuleList({
  rules,
  isLocked,
  isPending,
  validation,
  shown,
  onMove,
  onEdit,
  onRemove,
}: RuleListProps): VNode {
  const words = useTexts(texts);
  const when = useConditions();
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const [announcement, setAnnouncement] = useState('');
  const [text, setText] = useState('');
  const found = useMemo(() => {
    const all = rules.map((rule, at) => ({ rule, at }));
    const wanted = text.trim().toLowerCase();
    if (wanted === '') return all;
    return all.filter(({ rule, at }) => `${at + 1}` === wanted || JSON.stringify(rule).toLowerCase().includes(wanted));
  }, [rules, text]);
  const pages = usePages(found, pageSize);
  useEffect(() => {
    if (shown === undefined) return;
    setText('');
    pages.show(shown.at);
  }, [shown]);
  /** Where the focus goes after a move: it follows the rule. */
  const focus = useRef<{ readonly at: number; readonly part: string }>(undefined);
  useLayoutEffect(() => {
    if (focus.current === undefined) return;
    const { at, part } = focus.current;
    focus.current = undefined;
    const item = list.current?.querySelector(`[data-at="${at}"]`);
    const button = item?.querySelector<HTMLButtonElement>(`[data-part="${part}"] button:not(:disabled)`);
    (button ?? item?.querySelector<HTMLButtonElement>('[data-part="grip"] button'))?.focus();
  });
  const nameOf = (at: number): string => rules[at]?.name ?? words.unnamed(at + 1);
  const move = (from: number, to: number, part: string): void => {
    if (isPending || to < 0 || to >= rules.length || from === to) return;
    focus.current = { at: to, part };
    if (text === '') pages.show(to);
    setAnnouncement(words.movedTo(nameOf(from), to + 1, rules.length));
    onMove(from, to);
  };
  if (isLocked) return html`<${EmptyState} icon="warn" title=${words.locked} />`;
  if (rules.length === 0)
    return html`<${EmptyState} icon="rules" title=${words.empty}><p>${words.emptyHow}</p></${EmptyState}>`;
  return html`<div class="stack">
    ${
      rules.length > pageSize &&
      html`<${TextField} type="search" label=${words.search} isLabelHidden placeholder=${words.searchHint} value=${text} onInput=${(
        wanted: string,
      ) => {
        setText(wanted);
        pages.show(0);
      }} />`
    }
    ${found.length === 0 && html`<p class="quiet-text" role="status">${words.notFound}</p>`}
    <ol class="rules" ref=${list}>
      ${pages.rows.map(
        ({ rule, at: i }) => html`<li
          key=${i}
          data-at=${i}
          value=${i + 1}
          class=${['rule', dragged === i ? 'dragged' : '', over === i && dragged !== i ? 'over' : ''].join(' ')}
          draggable=${!isPending}
          onDragStart=${(event: DragEvent) => {
            event.dataTransfer?.setData('text/plain', String(i));
            setDragged(i);
          }}
          onDragEnd=${() => {
            setDragged(undefined);
            setOver(undefined);
          }}
          onDragOver=${(event: DragEvent) => {
            if (dragged === undefined) return;
            event.preventDefault();
            setOver(i);
          }}
          onDrop=${(event: DragEvent) => {
            event.preventDefault();
            if (dragged !== undefined) move(dragged, i, 'grip');
            setDragged(undefined);
            setOver(undefined);
          }}
        >
          <span
            data-part="grip"
            class="grip"
            onKeyDown=${(event: KeyboardEvent) => {
              if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
              event.preventDefault();
              move(i, i + (event.key === 'ArrowUp' ? -1 : 1), 'grip');
            }}
            ><${Button} kind="quiet" isSmall icon="grip" label=${words.move(nameOf(i))}
          /></span>
          <div class="rule-words">
            <p class="rule-name"><span class="number quiet-text">${i + 1}</span> <strong>${nameOf(i)}</strong></p>
            <p class="rule-when">${when(rule)}</p>
            <p class="row tight"><${Outcome} rule=${rule} /></p>
            <${RuleFaults} at=${i} validation=${validation} />
          </div>
          <div class="rule-buttons">
            <span data-part="up"><${Button}
              kind="quiet"
              isSmall
              icon="up"
              label=${words.up(nameOf(i))}
              isDisabled=${isPending || i === 0}
              onClick=${() => move(i, i - 1, 'up')}
            /></span>
            <span data-part="down"><${Button}
              kind="quiet"
              isSmall
              icon="down"
              label=${words.down(nameOf(i))}
              isDisabled=${isPending || i === rules.length - 1}
              onClick=${() => move(i, i + 1, 'down')}
            /></span>
            <${Button} kind="quiet" isSmall icon="edit" label=${words.edit(nameOf(i))} isDisabled=${isPending} onClick=${() => onEdit(i)} />
            <${Button} kind="quiet" isSmall icon="trash" label=${words.remove(nameOf(i))} isDisabled=${isPending} onClick=${() => onRemove(i)} />
          </div>
        </li>`,
      )}
    </ol>
    ${pages.pager}
    <p class="unseen" role="status">${announcement}</p>
  </div>`;
}

/** The errors and warnings of one rule. */
function RuleFaults({ at, validation }: { readonly at: number; readonly validation: Validation }): VNode {
  const { error } = useSentences();
  const start = `policy.rules[${at}]`;
  const list = (tone: string, all: Validation['problems']) => {
    const own = all.filter(({ key }) => key === start || key?.startsWith(`${start}.`));
    if (own.length === 0) return null;
    return html`<ul class=${`mistakes ${tone}`}>
      ${own.map(({ key = '', message }) => html`<li key=${key}><code>${key.slice(start.length + 1)}</code> ${error(message)}</li>`)}
    </ul>`;
  };
  return html`<div>${list('bad', validation.problems)}${list('warn', validation.warnings)}</div>`;
}

/** The conditions of a rule in one line: `Groups: legal · Hours: mon-fri 08:00-18:00`. */
function useConditions(): (rule: Rule) => string {
  const words = useTexts(texts);
  const { fields } = useTexts(ruleTexts);
  const { categories } = useTexts(verdictTexts);
  const labels = useLabels();
  const format = useFormat();
  const shown = (name: string, value: string): string => {
    if (name === 'services') return labels.service(value);
    if (name === 'kinds') return labels.kind(value);
    // The line may not break inside mon-fri.
    if (name === 'hours') return value.replaceAll('-', '\u2011');
    if (name === 'upload_over') return value.replace(/(?<=\d)(?=[a-z])/i, ' ');
    return name === 'categories' ? (categories[value] ?? value) : value;
  };
  return ({ when = {} }) => {
    const conditions = Object.entries(when).map(([name, value]) => {
      const values = [value].flat().map((one) => shown(name, String(one)));
      return format.labelled(fields[name] ?? name, values.length === 0 ? words.nobody : format.list(values));
    });
    return conditions.length === 0 ? words.everybody : conditions.join('\u00a0· ');
  };
}

function Outcome({ rule }: { readonly rule: Rule }): VNode {
  const words = useTexts(texts);
  const { inspects } = useTexts(verdictTexts);
  const { tools: answers, settings } = useTexts(ruleTexts);
  const labels = useLabels();
  const format = useFormat();
  const { action, inspect, types, coach, tools } = (rule.then ?? {}) as {
    action?: string;
    inspect?: string;
    types?: Record<string, string | { readonly replace: string }>;
    coach?: boolean;
    tools?: string;
  };
  const parts = [
    action !== undefined && html`<${Verdict} key="action" action=${action} inspect=${inspect} />`,
    action === undefined &&
      inspect !== undefined &&
      html`<${Badge} key="inspect">${capitalized(inspects[inspect] ?? inspect)}</${Badge}>`,
    ...Object.entries(types ?? {}).map(([type, setting]) => {
      const what = typeof setting === 'string' ? (settings[setting] ?? setting) : words.replaced(setting.replace);
      const tone = setting === 'block' ? 'bad' : 'plain';
      return html`<${Badge} key=${type} tone=${tone}>${format.labelled(labels.type(type), what)}</${Badge}>`;
    }),
    tools !== undefined &&
      html`<${Badge} key="tools" tone=${tools === 'block' ? 'bad' : 'plain'}>${answers[tools] ?? tools}</${Badge}>`,
    coach === true && html`<${Badge} key="coach" tone="warn">${words.coach}</${Badge}>`,
    rule.report_only === true && html`<${Badge} key="report" tone="info">${words.reportOnly}</${Badge}>`,
    rule.expires !== undefined && html`<${Badge} key="expires">${words.expires(rule.expires)}</${Badge}>`,
  ].filter(Boolean);
  return html`<span class="row tight">${parts.length === 0 ? html`<span class="quiet-text">${words.keeps}</span>` : parts}</span>`;
}
