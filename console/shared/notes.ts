/** Notes, badges, empty states and code blocks. */
import { CopyButton } from './copy-button.ts';
import { html, type VNode, type WithChildren } from './html.ts';
import { Icon, type IconName } from './icon.ts';

export type Tone = 'info' | 'good' | 'warn' | 'bad';

export type NoteProps = WithChildren<{ readonly tone?: Tone; readonly title?: string; readonly isAlert?: boolean }>;

/** In a dialog, an alert may be above or below what is visible. */
const reveal = (note: HTMLElement | null): void => {
  if (note?.closest('dialog')) note.scrollIntoView({ block: 'nearest' });
};

/** A highlighted message. */
export function Note({ tone = 'info', title, isAlert = false, children }: NoteProps): VNode {
  const icon: IconName = tone === 'good' ? 'check' : tone === 'info' ? 'info' : 'warn';
  return html`<div class=${`note ${tone}`} role=${isAlert ? 'alert' : undefined} ref=${isAlert ? reveal : undefined}>
    <${Icon} name=${icon} />
    <div>
      ${title && html`<p class="note-title">${title}</p>`}
      ${children}
    </div>
  </div>`;
}

/** A short state label. */
export function Badge({ tone, children }: WithChildren<{ readonly tone?: Tone | 'plain' }>): VNode {
  return html`<span class=${`badge ${tone ?? 'plain'}`}>${children}</span>`;
}

export type EmptyStateProps = WithChildren<{ readonly icon?: IconName; readonly title: string }>;

/** An empty state with the next step. */
export function EmptyState({ icon = 'info', title, children }: EmptyStateProps): VNode {
  return html`<div class="empty">
    <${Icon} name=${icon} />
    <p class="empty-title">${title}</p>
    ${children}
  </div>`;
}

/** Preformatted text with a copy button. */
export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }): VNode {
  return html`<figure class="code">
    <figcaption><span>${label}</span><${CopyButton} text=${text} /></figcaption>
    <pre tabindex="0" aria-label=${label}><code>${text}</code></pre>
  </figure>`;
}
