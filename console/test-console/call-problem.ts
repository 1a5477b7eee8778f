/** A failed call, with a button to change the key if that helps. */
import { Button } from '../shared/button.ts';
import { html, type VNode } from '../shared/html.ts';
import { useTexts } from '../shared/preferences.ts';
import { ProblemNote, type ProblemNoteProps } from '../shared/problem-note.ts';
import { useKeyDialog } from './key-dialog.ts';
import { texts } from './texts.ts';

const keyHelps: ReadonlySet<string> = new Set(['unauthorized', 'credits', 'forbidden']);

export function CallProblem(props: ProblemNoteProps): VNode {
  const { enterKey } = useTexts(texts);
  const askForKey = useKeyDialog();
  return html`<${ProblemNote} ...${props}>
    ${
      keyHelps.has(props.problem.kind) &&
      html`<${Button} isSmall icon="key" onClick=${askForKey}>${enterKey}</${Button}>`
    }
  </${ProblemNote}>`;
}
