/** A response as JSON. */

import { inBoth } from '../../core/wording/in-both.ts';
import { html, useMemo, type VNode } from '../shared/html.ts';
import { CodeBlock } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';

const texts = inBoth({ label: 'JSON', cut: ['Only the beginning is shown.', '先頭だけを表示しています。'] });

const shownMax = 100_000;

export function JsonBlock({ value }: { readonly value: unknown }): VNode {
  const words = useTexts(texts);
  const text = useMemo(() => JSON.stringify(value, null, 2), [value]);
  return html`<div>
    <${CodeBlock} label=${words.label} text=${text.slice(0, shownMax)} />
    ${text.length > shownMax && html`<p class="quiet-text">${words.cut}</p>`}
  </div>`;
}
