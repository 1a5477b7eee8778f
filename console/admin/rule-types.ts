/** The part of a rule's form that says what happens to each type of personal data. */

import { capitalized } from '../../core/wording/capitalized.ts';
import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { Select, TextField } from '../shared/field.ts';
import { html, type VNode } from '../shared/html.ts';
import { useTexts } from '../shared/preferences.ts';
import { type Labels, useLabels } from './labels.ts';
import { ruleTexts } from './rule-words.ts';

const texts = inBoth({
  title: ['Types of personal data', '個人情報の種類'],
  add: ['Add a type', '種類を追加'],
  typeOf: [(n: number) => `Type ${n}`, (n: number) => `種類 ${n}`],
  settingOf: [(n: number) => `What happens to type ${n}`, (n: number) => `種類 ${n} の扱い`],
  textOf: [(n: number) => `Replacement for type ${n}`, (n: number) => `種類 ${n} を置き換える文字列`],
  typeHint: ['Name or code', '名前またはコード'],
  textHint: ['Text', '文字列'],
  remove: [(n: number) => `Remove type ${n}`, (n: number) => `種類 ${n} を削除`],
  replace: ['Replaced by', '次の文字列に置き換え'],
  wrong: [
    'Choose a type from the list, or enter the code of your own, like EMPLOYEE_ID.',
    '一覧から種類を選ぶか、EMPLOYEE_ID のような独自の種類のコードを入力してください。',
  ],
});

/** A type with what happens to it. */
export type TypeRow = {
  /** A code of the rule, or what the user has typed: a name or a code. */
  readonly type: string;
  readonly isTyped: boolean;
  readonly setting: string;
  /** The replacement, for the setting `replace`. */
  readonly text: string;
};

type Types = Readonly<Record<string, string | { readonly replace: string }>>;

const settings = ['block', 'token', 'redact', 'mask', 'hash', 'replace', 'off'] as const;

export const rowsOf = (types: Types): TypeRow[] =>
  Object.entries(types).map(([type, setting]) => {
    const isText = typeof setting !== 'string';
    return { type, isTyped: false, setting: isText ? 'replace' : setting, text: isText ? setting.replace : '' };
  });

/** The types of the rows, and the rows that name none. */
export function typesOf(
  rows: readonly TypeRow[],
  labels: Labels,
): { readonly types: Types; readonly wrong: Set<number> } {
  const codes = rows.map((row) => codeOf(row, labels));
  const entries = rows.map(({ setting, text }, i) => [
    codes[i] ?? '',
    setting === 'replace' ? { replace: text } : setting,
  ]);
  const wrong = new Set(rows.keys().filter((i) => !/^[A-Z][A-Z0-9_]*$/.test(codes[i] ?? '')));
  return { types: Object.fromEntries(entries), wrong };
}

function codeOf({ type, isTyped }: TypeRow, labels: Labels): string {
  const text = type.trim().toLowerCase();
  const named = isTyped ? labels.types.find(([, name]) => name.toLowerCase() === text)?.[0] : undefined;
  return named ?? type.trim().toUpperCase();
}

export function TypeRows(props: {
  readonly rows: readonly TypeRow[];
  readonly wrong: ReadonlySet<number>;
  readonly onChange: (rows: readonly TypeRow[]) => void;
}): VNode {
  const words = useTexts(texts);
  const shown = useTexts(ruleTexts).settings;
  const labels = useLabels();
  const { rows, wrong, onChange } = props;
  const names = labels.types.map(([, name]) => name);
  const set = (at: number, change: Partial<TypeRow>) =>
    onChange(rows.map((row, i) => (i === at ? { ...row, ...change } : row)));
  const optionsOf = (setting: string) =>
    [...new Set([...settings, setting])].map((value) => [
      value,
      value === 'replace' ? words.replace : capitalized(shown[value] ?? value),
    ]);
  return html`<div class="stack tight" role="group" aria-label=${words.title}>
    <span class="label">${words.title}</span>
    ${rows.map(
      ({ type, isTyped, setting, text }, i) => html`<div key=${i} class="type-row">
        <${TextField}
          label=${words.typeOf(i + 1)}
          isLabelHidden
          placeholder=${words.typeHint}
          suggestions=${names}
          error=${wrong.has(i) ? words.wrong : undefined}
          value=${isTyped ? type : labels.type(type)}
          onInput=${(value: string) => set(i, { type: value, isTyped: true })}
        />
        <${Select}
          label=${words.settingOf(i + 1)}
          isLabelHidden
          value=${setting}
          options=${optionsOf(setting)}
          onChange=${(value: string) => set(i, { setting: value })}
        />
        ${
          setting === 'replace' &&
          html`<${TextField}
            label=${words.textOf(i + 1)}
            isLabelHidden
            placeholder=${words.textHint}
            value=${text}
            onInput=${(value: string) => set(i, { text: value })}
          />`
        }
        <${Button} kind="quiet" icon="trash" label=${words.remove(i + 1)} onClick=${() => onChange(rows.filter((_, at) => at !== i))} />
      </div>`,
    )}
    <div><${Button}
      isSmall
      icon="plus"
      onClick=${() => onChange([...rows, { type: '', isTyped: true, setting: 'block', text: '' }])}
    >${words.add}</${Button}></div>
  </div>`;
}
