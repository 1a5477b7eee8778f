/** One line with the dictionary's state and number of entries. */

import { inBoth } from '../../core/wording/in-both.ts';
import { html, type VNode } from '../shared/html.ts';
import { Badge } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { hrefOf } from '../shared/route.ts';
import { useAccess } from './access.ts';
import { entriesInForce } from './dictionary-store.ts';

const texts = inBoth({
  dictionary: ['Dictionary', '辞書'],
  off: ['off', 'オフ'],
  on: [(n: number) => (n === 1 ? 'on, 1 entry' : `on, ${n} entries`), (n: number) => `オン（${n} 件）`],
  waits: [
    (max: number) => `too long for the sandbox, which accepts ${max} entries`,
    (max: number) => `サンドボックスで使えるのは ${max} 件までです`,
  ],
  edit: ['Edit', '編集'],
});

export function DictionaryState(): VNode {
  const words = useTexts(texts);
  const { dictionary, entriesMax } = useAccess();
  const { length } = entriesInForce(dictionary);
  const isTooLong = length > entriesMax;
  return html`<div class="row">
    <span>${words.dictionary}</span>
    <${Badge} tone=${dictionary.isOn ? (isTooLong ? 'warn' : 'good') : 'plain'}
      >${dictionary.isOn ? words.on(length) : words.off}</${Badge}>
    ${isTooLong && html`<span class="quiet-text">${words.waits(entriesMax)}</span>`}
    <a href=${hrefOf('dictionary')} aria-label=${`${words.dictionary}: ${words.edit}`}>${words.edit}</a>
  </div>`;
}
