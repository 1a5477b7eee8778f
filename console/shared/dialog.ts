/**
 * A question or form above the page. The browser's own <dialog> keeps the focus inside, closes on Escape and gives the
 * focus back (HTML, showModal).
 */
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
import { useTexts } from './preferences.ts';

const texts = { en: { close: 'Close' }, ja: { close: '閉じる' } };

export type DialogProps = WithChildren<{
  readonly title: string;
  readonly onClose: () => void;
  /** Buttons at the end; they submit or act by themselves. */
  readonly actions?: ComponentChildren;
  /** With it the dialog is a form: Enter and the submitting button call it. */
  readonly onSubmit?: () => void;
  readonly isWide?: boolean;
}>;

/** How long the page may take to show what the dialog has changed. */
const settledMs = 5_000;

/**
 * Focuses what had the focus. Where it goes away soon, because the dialog has deleted its row, the list around it has it:
 * who works by keys does not begin at the top of the page again.
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

/** Shown as long as it is rendered. */
export function Dialog({ title, onClose, actions, onSubmit, isWide, children }: DialogProps): VNode {
  const words = useTexts(texts);
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  // What had the focus when the dialog was asked for; some browsers give it back only to a dialog that is still there.
  const [before] = useState(() => document.activeElement);
  // Who selects a text and lets go beside the dialog has not clicked there.
  const isPressedBeside = useRef(false);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // The browser would begin with the button that closes it.
    dialog?.querySelector<HTMLElement>('.dialog-body :is(input, textarea, select)')?.focus();
    // The browser may close it by itself, without asking: a second Escape does.
    dialog?.addEventListener('close', onClose);
    return () => {
      dialog?.removeEventListener('close', onClose);
      dialog?.close();
      if (before instanceof HTMLElement) giveBack(before);
    };
  }, []);
  // Where nothing in it takes the focus, a long text is scrolled with the keys only when the body takes it.
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = body;
    if (current === null) return;
    const isText = current.querySelector('input, textarea, select, button, a, [tabindex]') === null;
    if (isText && current.scrollHeight > current.clientHeight) current.tabIndex = 0;
  });
  const inside = html`<header class="dialog-head">
      <h2 id=${id}>${title}</h2>
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
