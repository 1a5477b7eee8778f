/** Tabs that show one of several views. Arrow keys move between them (WAI-ARIA Authoring Practices, Tabs). */
import { html, useId, useRef, type VNode, type WithChildren } from './html.ts';

export type Tab<Id extends string = string> = { readonly id: Id; readonly label: string; readonly count?: number };

export type TabsProps<Id extends string = string> = WithChildren<{
  /** The accessible name of the tab list. */
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly current: Id;
  readonly onSelect: (id: Id) => void;
}>;

export function Tabs<Id extends string>({ label, tabs, current, onSelect, children }: TabsProps<Id>): VNode {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === current);
    const wanted = Number.isFinite(step) ? (at + step + tabs.length) % tabs.length : step < 0 ? 0 : tabs.length - 1;
    const tab = tabs[wanted];
    if (tab === undefined) return;
    onSelect(tab.id);
    (list.current?.children[wanted] as HTMLElement | undefined)?.focus();
  };
  return html`<div>
    <div class="tab-list" role="tablist" aria-label=${label} ref=${list} onKeyDown=${move}>
      ${tabs.map(
        (tab) => html`<button
          key=${tab.id}
          type="button"
          role="tab"
          class="tab"
          id=${`${id}-${tab.id}`}
          aria-selected=${tab.id === current ? 'true' : 'false'}
          aria-controls=${`${id}-panel`}
          tabindex=${tab.id === current ? 0 : -1}
          onClick=${() => onSelect(tab.id)}
        >${tab.label}${tab.count !== undefined && html`<span class="count">${tab.count}</span>`}</button>`,
      )}
    </div>
    <div class="tab-panel" role="tabpanel" id=${`${id}-panel`} aria-labelledby=${`${id}-${current}`} tabindex="0">
      ${children}
    </div>
  </div>`;
}
