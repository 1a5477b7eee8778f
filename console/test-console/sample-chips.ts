/** Sample texts to choose from. */
import { html, type VNode } from '../shared/html.ts';
import { usePreferences, useTexts } from '../shared/preferences.ts';
import type { Sample } from './samples.ts';
import { texts } from './texts.ts';

export function SampleChips(props: {
  readonly samples: readonly Sample[];
  readonly current: string;
  readonly onChoose: (text: string) => void;
}): VNode {
  const words = useTexts(texts);
  const { language } = usePreferences();
  return html`<div class="chips" role="group" aria-label=${words.samples}>
    ${props.samples.map(
      ({ id, label, text }) => html`<button
        key=${id}
        type="button"
        class="chip"
        aria-pressed=${text === props.current}
        onClick=${() => props.onChoose(text)}
      >${label[language]}</button>`,
    )}
  </div>`;
}
