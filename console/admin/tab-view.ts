/** Views whose parts are tabs. */
import { html, type VNode } from '../shared/html.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { goTo, useRoute } from '../shared/route.ts';
import { Tabs } from '../shared/tabs.ts';

/** The view with this name in the address, which also names the current tab; without one it is the first. */
export function useTabView<Id extends string>(
  view: string,
  words: Readonly<Record<'title' | 'about' | 'parts' | NoInfer<Id>, string>>,
  tabs: Readonly<Record<Id, (query: URLSearchParams) => VNode>>,
  counts?: Readonly<Partial<Record<NoInfer<Id>, number | undefined>>>,
): VNode {
  const { query } = useRoute(view);
  const ids = Object.keys(tabs) as Id[];
  const current = ids.find((id) => id === query.get('tab')) ?? (ids[0] as Id);
  return html`<${ViewHead} title=${words.title} about=${words.about} />
    <${Tabs}
      label=${words.parts}
      current=${current}
      onSelect=${(id: Id) => goTo(view, id === ids[0] ? {} : { tab: id })}
      tabs=${ids.map((id) => ({ id, label: words[id], count: counts?.[id] || undefined }))}
    >${tabs[current](query)}</${Tabs}>`;
}
