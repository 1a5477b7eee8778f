/** The dictionary editor with its switch. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { Switch, TextArea } from '../shared/field.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { Badge, Note } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { useTexts } from '../shared/preferences.ts';
import { Table } from '../shared/table.ts';
import { useAccess } from './access.ts';
import { checkDictionary, type DictionaryEntry, type DictionaryFault } from './dictionary.ts';
import { DictionaryForm } from './dictionary-form.ts';
import { dictionaryExample, entriesInForce } from './dictionary-store.ts';
import { texts as common } from './texts.ts';

const texts = inBoth({
  editor: ['Entries as a JSON array of { "label", "pattern" }', '項目（{ "label", "pattern" } の JSON 配列）'],
  hint: [
    'The label names the token: PROJECT becomes [PROJECT_1]. The pattern is an exact text, or /expression/flags.',
    'label はトークンの名前です（PROJECT → [PROJECT_1]）。pattern は文字列そのもの、または正規表現（/式/フラグ）です。',
  ],
  toggle: ['Use the dictionary', '辞書を使う'],
  kept: [
    'Stored in this browser only, and sent with your next calls.',
    'このブラウザだけに保存されます。次の呼び出しで使うまで、どこにも送信されません。',
  ],
  notKept: [
    'This browser cannot store it: the dictionary is lost when you close the page.',
    'このブラウザには保存できません。ページを閉じると辞書は消えます。',
  ],
  inForce: [(n: number) => (n === 1 ? '1 active entry' : `${n} active entries`), (n: number) => `${n} 件を使用中`],
  changed: [
    'The text has changed. Calls still use the entries below.',
    'その後テキストが変更されています。呼び出しには下の項目が使われます。',
  ],
  apply: ['Use the changes', '変更を反映'],
  example: ['Insert an example', '例を入れる'],
  table: ['Active entries', '使用中の項目'],
  label: ['Label', 'ラベル'],
  pattern: ['Pattern', 'パターン'],
  tooLong: [
    (max: number) =>
      `The sandbox accepts ${max} entries, so none are sent. Shorten the list, or use a key of the Starter plan or higher.`,
    (max: number) =>
      `サンドボックスで使えるのは ${max} 件までのため、呼び出しに辞書は付きません。減らすか、Starter 以上のプランのキーを使ってください。`,
  ],
  plan: [
    'Your plan does not include a dictionary: calls with it are rejected. Switch it off, or use a key of the Starter plan or higher.',
    '現在のプランでは辞書を使えないため、呼び出しが拒否されます。オフにするか、Starter 以上のプランのキーを使ってください。',
  ],
  at: [
    (line: number, column: number) => `Line ${line}, column ${column}: `,
    (line: number, column: number) => `${line} 行目 ${column} 列目：`,
  ],
  staysOff: ['It stays off.', 'オフのままです。'],
  staysOld: ['The active entries stay as they are.', '使用中の項目は変わりません。'],
  faults: {
    end: [
      'the text ends before the JSON does; a bracket or quote is missing.',
      'JSON が途中で終わっています。括弧か引用符が足りません。',
    ],
    value: [
      'this is not a JSON value. Strings need double quotes.',
      'JSON の値ではありません。文字列は二重引用符で囲みます。',
    ],
    comma: ['a comma or a closing bracket is missing here.', 'カンマか閉じ括弧が足りません。'],
    colon: ['a colon is missing after the name.', '名前の後にコロンが必要です。'],
    key: [
      'a name in double quotes is expected here. After the last entry there is no comma.',
      '二重引用符で囲んだ名前が必要です。最後の項目の後にカンマは不要です。',
    ],
    string: [
      'this text does not end as it should: a quote is missing, or a backslash is not doubled (\\\\).',
      '文字列が正しく終わっていません。引用符が足りないか、バックスラッシュが二重（\\\\）になっていません。',
    ],
    rest: ['there is text after the end of the JSON.', 'JSON の終わりの後に余分な文字があります。'],
    deep: ['this is nested too deeply.', '入れ子が深すぎます。'],
    list: ['the JSON must be a list: [ … ].', '全体が配列 [ … ] である必要があります。'],
    entry: [
      'each entry must be { "label": "…", "pattern": "…" }.',
      '各項目は { "label": "…", "pattern": "…" } である必要があります。',
    ],
    field: [
      '“{about}” is not known; an entry has label and pattern.',
      '「{about}」は使えません。項目に書けるのは label と pattern です。',
    ],
    missing: ['this entry has no {about}.', 'この項目には {about} がありません。'],
    label: [
      'a label is up to 40 capitals, digits and single underscores, beginning with a letter: PROJECT_NAME.',
      'label は英大文字・数字・連続しないアンダースコアで 40 文字以内、先頭は英字です（例：PROJECT_NAME）。',
    ],
    pattern: ['a pattern is a text of 1 to 500 characters.', 'pattern は 1～500 文字の文字列です。'],
    expression: [
      'this expression cannot be used. Flags are i, m, s; look-around and back-references are not supported.',
      '使えない正規表現です。フラグは i、m、s のみで、先読み・後読み・後方参照は使えません。',
    ],
    many: ['there are more than {about} entries.', '項目は {about} 件までです。'],
  } satisfies Record<DictionaryFault['kind'], Text>,
});

export function DictionaryView(): VNode {
  const words = useTexts(texts);
  const shared = useTexts(common);
  const { dictionary, changeDictionary, entriesMax, credits } = useAccess();
  const { draft, saved, isOn } = dictionary;
  /** True if the user tried to apply the current text. */
  const [isTried, setTried] = useState(false);
  const [isKept, setKept] = useState(true);
  const entries = entriesInForce(dictionary);
  // Validated while typing, not only on applying.
  const check = draft.trim() === '' && !isTried ? undefined : checkDictionary(draft);
  const fault = check === undefined || check.ok ? undefined : check.fault;

  const edit = (text: string) => {
    setTried(false);
    setKept(changeDictionary({ ...dictionary, draft: text }));
  };
  const putInForce = () => {
    const check = checkDictionary(draft);
    setTried(!check.ok);
    if (check.ok) setKept(changeDictionary({ draft, saved: draft, isOn: true }));
  };
  const toggle = (wanted: boolean) => {
    if (wanted) return putInForce();
    setTried(false);
    setKept(changeDictionary({ ...dictionary, isOn: false }));
  };
  const message =
    fault &&
    words.at(fault.line, fault.column) +
      words.faults[fault.kind].replace('{about}', () => fault.about ?? '') +
      (isTried ? ` ${isOn ? words.staysOld : words.staysOff}` : '');
  return html`<${ViewHead} title=${shared.nav.dictionary} about=${shared.about.dictionary} />
    ${entries.length > entriesMax && html`<${Note} tone="warn"><p>${words.tooLong(entriesMax)}</p></${Note}>`}
    ${isOn && credits?.plan === 'free' && html`<${Note} tone="warn"><p>${words.plan}</p></${Note}>`}
    <div class="halves"><div class="stack"><section class="card stack" aria-label=${shared.nav.dictionary}>
      <div class="row">
        <${Switch} label=${words.toggle} isOn=${isOn} states=${['OFF', 'ON']} onChange=${toggle} />
        <span role="status">${isOn && html`<${Badge} tone="good">${words.inForce(entries.length)}</${Badge}>`}</span>
      </div>
      <${DictionaryForm} draft=${draft} onChange=${edit} />
      ${
        isOn &&
        draft !== saved &&
        html`<${Note} tone="warn"><p>${words.changed}</p><p><${Button}
          isSmall
          onClick=${putInForce}
        >${words.apply}</${Button}></p></${Note}>`
      }
      <div class="row">
        ${draft.trim() === '' && html`<${Button} onClick=${() => edit(dictionaryExample)}>${words.example}</${Button}>`}
        <p class="quiet-text">${isKept ? words.kept : words.notKept}</p>
      </div>
    </section>
    ${
      draft !== saved &&
      entries.length > 0 &&
      html`<section class="card">
        <h2>${words.table}</h2>
        <${Table}
          caption=${words.table}
          rows=${entries.map((entry, i) => ({ ...entry, id: String(i) }))}
          keyOf=${({ id }: { id: string }) => id}
          columns=${[
            { id: 'label', label: words.label, show: ({ label }: DictionaryEntry) => html`<code>${label}</code>` },
            {
              id: 'pattern',
              label: words.pattern,
              show: ({ pattern }: DictionaryEntry) => html`<code>${pattern}</code>`,
            },
          ]}
        />
      </section>`
    }</div>
    <section class="card">
      <${TextArea} label=${words.editor} hint=${words.hint} isMono rows=${12} value=${draft} onInput=${edit} error=${message} />
    </section></div>`;
}
