/** A short confirmation that disappears by itself and may offer an action (undo). */

import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from './button.ts';
import {
  createContext,
  html,
  useCallback,
  useContext,
  useMemo,
  useState,
  type VNode,
  type WithChildren,
} from './html.ts';
import { useTexts } from './preferences.ts';

const texts = inBoth({ close: ['Dismiss', '閉じる'] });
const shownMs = 6_000;
const shownWithActionMs = 15_000;

export type Toast = {
  readonly text: string;
  readonly tone?: 'good' | 'bad';
  readonly action?: { readonly label: string; readonly run: () => void };
};

type Shown = Toast & { readonly id: number };

const Toasts = createContext<(toast: Toast) => void>(() => {});

/** Shows a toast: `toast({ text: 'Saved', action: { label: 'Undo', run: undo } })`. */
export function useToast(): (toast: Toast) => void {
  return useContext(Toasts);
}

/** Provides toasts to everything below it. */
export function ToastProvider({ children }: WithChildren): VNode {
  const words = useTexts(texts);
  const [all, setAll] = useState<readonly Shown[]>([]);
  const drop = useCallback((id: number) => setAll((before) => before.filter((toast) => toast.id !== id)), []);
  const show = useMemo(() => {
    let last = 0;
    return (toast: Toast) => {
      const id = ++last;
      setAll((before) => [...before.slice(-2), { ...toast, id }]);
      setTimeout(() => drop(id), toast.action === undefined ? shownMs : shownWithActionMs);
    };
  }, [drop]);
  return html`<${Toasts.Provider} value=${show}>
    ${children}
    <div class="toasts" role="status" aria-live="polite">
      ${all.map(
        ({ id, text, tone = 'good', action }) => html`<div key=${id} class=${`toast ${tone}`}>
          <span>${text}</span>
          ${
            action &&
            html`<${Button} isSmall onClick=${() => {
              drop(id);
              action.run();
            }}>${action.label}</${Button}>`
          }
          <${Button} kind="quiet" isSmall icon="close" label=${words.close} onClick=${() => drop(id)} />
        </div>`,
      )}
    </div>
  </${Toasts.Provider}>`;
}
