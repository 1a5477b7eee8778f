/** The dictionary as a form, in sync with the JSON. */

import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { html, type VNode } from '../shared/html.ts';
import { useTexts } from '../shared/preferences.ts';
import type { DictionaryEntry } from './dictionary.ts';

const texts = inBoth({
  form: ['Entries', '項目'],
  label: ['Label', 'ラベル'],
  pattern: ['Text or /expression/flags', '文字列または /正規表現/フラグ'],
  labelOf: [(n: number) => `Label of entry ${n}`, (n: number) => `項目 ${n} のラベル`],
  patternOf: [(n: number) => `Pattern of entry ${n}`, (n: number) => `項目 ${n} のパターン`],
  remove: [(n: number) => `Remove entry ${n}`, (n: number) => `項目 ${n} を削除`],
  add: ['Add an entry', '項目を追加'],
  notReadable: ['Correct the JSON to use the form.', 'フォームを使うには、JSON の誤りを直してください。'],
  many: [
    (max: number) => `The form shows up to ${max} entries. Edit longer lists as JSON.`,
    (max: number) => `フォームで扱えるのは ${max} 件までです。それ以上は JSON で編集してください。`,
  ],
});

const rowsMax = 100;

/** `draft` is the JSON; a changed row rewrites it with one entry per line. */
export function DictionaryForm(props: { readonly draft: string; readonly onChange: (draft: string) => void }): VNode {
  const words = useTexts(texts);
  const { draft, onChange } = props;
  const rows = rowsOf(draft);
  if (rows === undefined) return html`<p class="quiet-text">${words.notReadable}</p>`;
  if (rows.length > rowsMax) return html`<p class="quiet-text">${words.many(rowsMax)}</p>`;
  const write = (next: readonly DictionaryEntry[]) => onChange(textOf(next));
  const set = (at: number, change: Partial<DictionaryEntry>) =>
    write(rows.map((row, i) => (i === at ? { ...row, ...change } : row)));
  const input = (at: number, name: keyof DictionaryEntry, label: string) => html`<input
    class="input mono"
    aria-label=${label}
    value=${rows[at]?.[name]}
    autocomplete="off"
    spellcheck=${false}
    onInput=${(event: InputEvent) => {
      const { value } = event.currentTarget as HTMLInputElement;
      set(at, { [name]: name === 'label' ? value.toUpperCase().replace(/[\s-]/g, '_') : value });
    }}
  />`;
  return html`<div class="stack entry-form" role="group" aria-label=${words.form}>
    ${
      rows.length > 0 &&
      html`<div class="entry-row quiet-text" aria-hidden="true"><span>${words.label}</span><span>${words.pattern}</span></div>`
    }
    ${rows.map(
      (_row, i) => html`<div key=${i} class="entry-row">
        ${input(i, 'label', words.labelOf(i + 1))} ${input(i, 'pattern', words.patternOf(i + 1))}
        <${Button} kind="quiet" icon="trash" label=${words.remove(i + 1)} onClick=${() => write(rows.filter((_, at) => at !== i))} />
      </div>`,
    )}
    <div><${Button} isSmall icon="plus" onClick=${() => write([...rows, { label: 'PROJECT', pattern: '' }])}>${words.add}</${Button}></div>
  </div>`;
}

/** The rows of a text if it is a list of entries, valid or not; otherwise undefined. */
function rowsOf(draft: string): DictionaryEntry[] | undefined {
  if (draft.trim() === '') return [];
  try {
    const list: unknown = JSON.parse(draft);
    if (!Array.isArray(list)) return undefined;
    return list.map((entry: unknown) => {
      const { label, pattern } = (entry ?? {}) as Partial<Record<keyof DictionaryEntry, unknown>>;
      return { label: String(label ?? ''), pattern: String(pattern ?? '') };
    });
  } catch {
    return undefined;
  }
}

function textOf(entries: readonly DictionaryEntry[]): string {
  if (entries.length === 0) return '';
  const line = ({ label, pattern }: DictionaryEntry) =>
    `  { "label": ${JSON.stringify(label)}, "pattern": ${JSON.stringify(pattern)} }`;
  return `[\n${entries.map(line).join(',\n')}\n]`;
}
