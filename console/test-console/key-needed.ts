/** The note above views that need a key. */
import { Button } from '../shared/button.ts';
import { html, type VNode } from '../shared/html.ts';
import { Note } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { useAccess } from './access.ts';
import { useKeyDialog } from './key-dialog.ts';
import { texts } from './texts.ts';

export function KeyNeeded(): VNode | null {
  const words = useTexts(texts);
  const { key } = useAccess();
  const askForKey = useKeyDialog();
  if (key !== undefined) return null;
  return html`<${Note} tone="warn" title=${words.needsKey}>
    <p>${words.needsKeyTodo}</p>
    <p><${Button} isSmall icon="key" onClick=${askForKey}>${words.enterKey}</${Button}></p>
  </${Note}>`;
}
