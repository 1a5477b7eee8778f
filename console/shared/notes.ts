/** Words set apart: a note, a badge, an empty place, a block of code. */
import { CopyButton } from './copy-button.ts';
import { html, type VNode, type WithChildren } from './html.ts';
import { Icon, type IconName } from './icon.ts';

export type Tone = 'info' | 'good' | 'warn' | 'bad';

export type NoteProps = WithChildren<{ readonly tone?: Tone; readonly title?: string; readonly isAlert?: boolean }>;

/** Something that a person should know here. */
export function Note({ tone = 'info', title, isAlert = false, children }: NoteProps): VNode {
  const icon: IconName = tone === 'good' ? 'check' : tone === 'info' ? 'info' : 'warn';
  return html`<div class=${`note ${tone}`} role=${isAlert ? 'alert' : undefined}>
    <${Icon} name=${icon} />
    <div>
      ${title && html`<p class="note-title">${title}</p>`}
      ${children}
    </div>
  </div>`;
}

/** One word of state. */
export function Badge({ tone, children }: WithChildren<{ readonly tone?: Tone | 'plain' }>): VNode {
  return html`<span class=${`badge ${tone ?? 'plain'}`}>${children}</span>`;
}

export type EmptyStateProps = WithChildren<{ readonly icon?: IconName; readonly title: string }>;

/** What stands where nothing is yet, and how to get something there. */
export function EmptyState({ icon = 'info', title, children }: EmptyStateProps): VNode {
  return html`<div class="empty">
    <${Icon} name=${icon} />
    <p class="empty-title">${title}</p>
    ${children}
  </div>`;
}

/** Text to copy, as it is. */
export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }): VNode {
  return html`<figure class="code">
    <figcaption><span>${label}</span><${CopyButton} text=${text} /></figcaption>
    <pre tabindex="0" aria-label=${label}><code>${text}</code></pre>
  </figure>`;
}
