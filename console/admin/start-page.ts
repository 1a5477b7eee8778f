/** The page before sign-in: loading, a problem, or the form. */

import { inBoth } from '../../core/wording/in-both.ts';
import { html, type VNode, type WithChildren } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import { Mark } from '../shared/icon.ts';
import { LanguageChoice, ThemeChoice } from '../shared/page-frame.ts';
import { useTexts } from '../shared/preferences.ts';
import { ProblemNote } from '../shared/problem-note.ts';

const texts = inBoth({ title: ['Admin console', '管理コンソール'], loading: ['Loading…', '読み込み中…'] });

export function StartPage({
  problem,
  onRetry,
  children,
}: WithChildren<{ readonly problem?: Problem; readonly onRetry?: () => void }>): VNode {
  const words = useTexts(texts);
  // The form has a heading of its own.
  const heading = children === undefined ? { role: 'heading', 'aria-level': 1 } : {};
  return html`<div class="start-page">
    <header class="start-tools"><${LanguageChoice} /><${ThemeChoice} /></header>
    <main class="start-card card">
      <p class="brand" ...${heading}><${Mark} /><strong>Privet</strong><span class="brand-part">${words.title}</span></p>
      ${
        children ??
        (problem === undefined
          ? html`<p class="quiet-text" role="status">${words.loading}</p>`
          : html`<${ProblemNote}
            problem=${problem}
            onRetry=${onRetry}
          />`)
      }
    </main>
  </div>`;
}
