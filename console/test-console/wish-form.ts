/** The options of detection and masking. */

import { inBoth } from '../../core/wording/in-both.ts';
import { Checkbox, Select, TextField } from '../shared/field.ts';
import { html, type VNode } from '../shared/html.ts';
import { usePreferences, useTexts } from '../shared/preferences.ts';
import { useAccess } from './access.ts';
import { piiTypes, typeName } from './pii-types.ts';
import { texts as common } from './texts.ts';
import type { Wish } from './wish.ts';

const texts = inBoth({
  lang: ['Language of the text', 'テキストの言語'],
  both: ['English and Japanese', '英語と日本語'],
  english: ['English', '英語'],
  japanese: ['Japanese', '日本語'],
  minScore: ['Minimum score', 'スコアの下限'],
  minScoreHint: [
    '0 includes everything, 0.9 only what is certain.',
    '0 ならすべて、0.9 なら確実なものだけが対象です。',
  ],
  format: ['Tokens', 'トークンの形式'],
  counter: ['Numbered: [EMAIL-1]', '連番：[EMAIL-1]'],
  secured: ['Random: [SECURED:type=EMAIL,id=…]', 'ランダム：[SECURED:type=EMAIL,id=…]'],
  formatKey: ['Random tokens need a key.', 'ランダム形式にはキーが必要です。'],
  goesOn: [
    'Continue the last session: equal values keep their tokens',
    '前回のセッションを続ける（同じ値には同じトークン）',
  ],
  types: ['Only these types', '対象の種類を絞る'],
  typesHint: ['If you choose none, all types are detected.', '何も選ばなければ、すべての種類が対象です。'],
  ofCountries: ['Country-specific numbers', '国別の番号'],
  chosen: [(n: number) => `${n} types`, (n: number) => `${n} 種類`],
});

export function WishForm(props: {
  readonly wish: Wish;
  readonly isMask: boolean;
  readonly onChange: (wish: Wish) => void;
}): VNode {
  const { wish, isMask, onChange } = props;
  const words = useTexts(texts);
  const { options } = useTexts(common);
  const { language } = usePreferences();
  const { key } = useAccess();
  const change = (part: Partial<Wish>) => onChange({ ...wish, ...part });
  const grid = (which: 'everywhere' | 'ofCountries') => html`<div class="type-grid">
    ${piiTypes(which).map(
      (type) => html`<${Checkbox}
        key=${type}
        label=${typeName(type, language)}
        isChecked=${wish.types.includes(type)}
        onChange=${(isChecked: boolean) =>
          change({ types: isChecked ? [...wish.types, type] : wish.types.filter((other) => other !== type) })}
      />`,
    )}
  </div>`;
  return html`<details class="options">
    <summary>${options}${wish.types.length > 0 && html` <span class="count">${words.chosen(wish.types.length)}</span>`}</summary>
    <div class="stack">
      <div class="columns">
        <${Select}
          label=${words.lang}
          value=${wish.lang}
          options=${[['', words.both], ['en', words.english], ['ja', words.japanese]]}
          onChange=${(lang: Wish['lang']) => change({ lang })}
        />
        <${TextField}
          label=${words.minScore}
          hint=${words.minScoreHint}
          type="number"
          min=${0}
          max=${1}
          step=${0.05}
          value=${String(wish.minScore)}
          onInput=${(text: string) => change({ minScore: Math.min(1, Math.max(0, Number(text) || 0)) })}
        />
        ${
          isMask &&
          html`<${Select}
            label=${words.format}
            hint=${key === undefined ? words.formatKey : undefined}
            value=${key === undefined ? 'counter' : wish.tokenFormat}
            options=${[['counter', words.counter], ...(key === undefined ? [] : [['secured', words.secured]])]}
            onChange=${(tokenFormat: Wish['tokenFormat']) => change({ tokenFormat })}
          />`
        }
      </div>
      ${isMask && html`<${Checkbox} label=${words.goesOn} isChecked=${wish.goesOn} onChange=${(goesOn: boolean) => change({ goesOn })} />`}
      <fieldset class="types">
        <legend>${words.types}</legend>
        <p class="hint">${words.typesHint}</p>
        ${grid('everywhere')}
        <details><summary>${words.ofCountries}</summary>${grid('ofCountries')}</details>
      </fieldset>
    </div>
  </details>`;
}
