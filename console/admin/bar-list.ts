/** A ranking: names with counts and bars. */
import { type ComponentChildren, html, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { useFormat } from './format.ts';

export type BarListProps = {
  readonly label: string;
  readonly items: readonly { readonly name: string; readonly count: number; readonly href?: string }[];
  readonly empty: ComponentChildren;
  readonly tone?: 'accent' | 'good';
};

export function BarList({ label, items, empty, tone = 'accent' }: BarListProps): VNode {
  const format = useFormat();
  const most = Math.max(1, ...items.map(({ count }) => count));
  if (items.length === 0) return html`<p class="quiet-text">${empty}</p>`;
  return html`<ol class="bar-list" aria-label=${label}>
    ${items.map(
      ({ name, count, href }) => html`<li key=${href ?? name}>
        <span class="bar-name">${href === undefined ? name : html`<a href=${href}><${LongName} text=${name} /></a>`}</span>
        <span class="number">${format.number(count)}</span>
        <span class="bar-track" aria-hidden="true"
          ><span class=${`bar ${tone}`} style=${{ width: `${Math.max(1, (count / most) * 100)}%` }}></span
        ></span>
      </li>`,
    )}
  </ol>`;
}
