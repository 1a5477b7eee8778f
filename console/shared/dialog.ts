/** A dialog above the page. The browser's <dialog> manages the focus and closes on Escape (HTML, showModal). */

import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from './button.ts';
import {
  type ComponentChildren,
  html,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type VNode,
  type WithChildren,
} from './html.ts';
import { LongName } from './long-name.ts';
import { useTexts } from './preferences.ts';

const texts = inBoth({ close: ['Close', '閉じる'] });

export type DialogProps = WithChildren<{
  readonly title: string;
  readonly onClose: () => void;
  /** Buttons at the end; they submit or act on their own. */
  readonly actions?: ComponentChildren;
  /** Makes the dialog a form: Enter and the submit button call it. */
  readonly onSubmit?: () => void;
  readonly isWide?: boolean;
}>;

/** How long the page may take to show the change. */
const settledMs = 5_000;

/**
 * Returns the focus. If its element has disappeared because the dialog deleted the row, the list around it gets the
 * focus, so that keyboard users do not start at the top of the page again.
 */
function giveBack(before: HTMLElement): void {
  before.focus();
  const around = before.parentElement?.closest<HTMLElement>('[tabindex]');
  if (!around) return;
  const observer = new MutationObserver(() => {
    if (before.isConnected) return;
    observer.disconnect();
    const place = around.isConnected ? around : document.querySelector<HTMLElement>('main');
    if (document.activeElement === document.body) place?.focus();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), settledMs);
}

/** Open as long as it is rendered. */
export function Dialog({ title, onClose, actions, onSubmit, isWide, children }: DialogProps): VNode {
  const words = useTexts(texts);
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  // Where to return the focus; some browsers restore it only while the dialog exists.
  const [before] = useState(() => document.activeElement);
  // Releasing a text selection outside the dialog is not a click there.
  const isPressedBeside = useRef(false);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // By default the browser focuses the close button.
    dialog?.querySelector<HTMLElement>('.dialog-body :is(input, textarea, select)')?.focus();
    // A second Escape makes the browser close the dialog without an event.
    dialog?.addEventListener('close', onClose);
    return () => {
      dialog?.removeEventListener('close', onClose);
      dialog?.close();
      if (before instanceof HTMLElement) giveBack(before);
    };
  }, []);
  // Without a focusable element, a long text can be scrolled by keyboard only if the body takes the focus. Whether it
  // is too long changes with the window.
  const body = useRef<HTMLDivElement>(null);
  const isWrong = useRef(false);
  useLayoutEffect(() => {
    const { current } = body;
    if (current === null) return;
    const isText = current.querySelector('input, textarea, select, button, a, [tabindex]') === null;
    if (isText) {
      current.tabIndex = 0;
      current.role = 'region';
      current.setAttribute('aria-labelledby', id);
    }
    // A refused field may be above or below what is visible, and its message below it.
    const [wrong] = current.querySelectorAll<HTMLElement>('[aria-invalid]');
    if (wrong !== undefined && !isWrong.current) {
      wrong.focus();
      wrong.closest('.field')?.scrollIntoView({ block: 'nearest' });
    }
    isWrong.current = wrong !== undefined;
  });
  const inside = html`<header class="dialog-head">
      <h2 id=${id}><${LongName} text=${title} /></h2>
      <${Button} kind="quiet" icon="close" label=${words.close} onClick=${onClose} />
    </header>
    <div class="dialog-body" ref=${body}>${children}</div>
    ${actions && html`<footer class="dialog-actions">${actions}</footer>`}`;
  return html`<dialog
    ref=${element}
    class=${isWide ? 'dialog wide' : 'dialog'}
    aria-labelledby=${id}
    onCancel=${(event: Event) => {
      event.preventDefault();
      onClose();
    }}
    onMouseDown=${(event: MouseEvent) => {
      isPressedBeside.current = event.target === element.current;
    }}
    onClick=${(event: MouseEvent) => {
      if (event.target === element.current && isPressedBeside.current) onClose();
    }}
  >${
    onSubmit === undefined
      ? html`<div class="dialog-inside">${inside}</div>`
      : html`<form
          class="dialog-inside"
          onSubmit=${(event: Event) => {
            event.preventDefault();
            onSubmit();
          }}
        >${inside}</form>`
  }</dialog>`;
}
