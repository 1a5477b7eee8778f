/**
 * A simulated stream: on the left the pieces as models send them, on the right the text as the user sees it. Text that
 * may still become a token is held back and shown as such.
 */

import { inBoth } from '../../core/wording/in-both.ts';
import type { TokenMap } from '../../gateway/api/fields.ts';
import { Button } from '../shared/button.ts';
import { html, useEffect, useState, type VNode } from '../shared/html.ts';
import { usePreferences, useTexts } from '../shared/preferences.ts';
import { typeHue, typeName, typeOfToken } from './pii-types.ts';
import type { ShownPiece, StreamRestorer } from './stream-restorer.ts';

const texts = inBoth({
  arrives: ['Arriving from the model', 'モデルから届いた内容'],
  shown: ['Shown to the user', 'ユーザーに見える内容'],
  held: [(text: string) => `Held back: ${text}`, (text: string) => `保留中：${text}`],
  skip: ['Skip to the end', '最後まで飛ばす'],
});

const stepMs = 70;
const endMs = 900;

/** Loads the gateway's restorer, which is two thirds of the page, after the first view. */
export const loadStreamRestorer = async (): Promise<typeof StreamRestorer> =>
  (await import('./stream-restorer.ts')).StreamRestorer;

export type StreamPlayProps = {
  readonly answer: string;
  readonly tokenMap: TokenMap;
  readonly label: string;
  readonly onEnd: () => void;
};

type Frame = { readonly arrived: string; readonly shown: readonly ShownPiece[]; readonly held: string };

export function StreamPlay({ answer, tokenMap, label, onEnd }: StreamPlayProps): VNode {
  const words = useTexts(texts);
  const { language } = usePreferences();
  const [frame, setFrame] = useState<Frame>({ arrived: '', shown: [], held: '' });
  useEffect(() => {
    let restorer: StreamRestorer;
    let isHere = true;
    const pieces = cut(answer);
    const shown: ShownPiece[] = [];
    let arrived = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const step = () => {
      const piece = pieces.shift();
      if (piece === undefined) {
        shown.push(...restorer.end());
        setFrame({ arrived, shown: [...shown], held: '' });
        timer = setTimeout(onEnd, endMs);
        return;
      }
      arrived += piece;
      shown.push(...restorer.push(piece));
      setFrame({ arrived, shown: [...shown], held: restorer.held });
      timer = setTimeout(step, stepMs);
    };
    loadStreamRestorer().then(
      (Restorer) => {
        if (!isHere) return;
        restorer = new Restorer(tokenMap);
        step();
      },
      () => isHere && onEnd(),
    );
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [answer, tokenMap]);
  return html`<div class="stream stack" aria-label=${label} role="group">
    <div>
      <p class="quiet-text">${words.arrives}</p>
      <div
        class="marked arriving"
        role="region"
        aria-label=${words.arrives}
        tabindex="0"
      >${frame.arrived}<span class="caret" aria-hidden="true"></span></div>
    </div>
    <div>
      <p class="quiet-text">${words.shown}</p>
      <div class="marked" role="region" aria-label=${words.shown} tabindex="0">${frame.shown.map(
        ({ text, token }, i) =>
          token === undefined
            ? text
            : html`<mark key=${i} class="mark arrives" style=${{ '--hue': String(typeHue(typeOfToken(token))) }}
              title=${typeName(typeOfToken(token), language)}>${text}</mark>`,
      )}${frame.held !== '' && html`<span class="held">${frame.held}</span>`}</div>
    </div>
    <div class="row">
      <${Button} isSmall onClick=${onEnd}>${words.skip}</${Button}>
      <span class="quiet-text">${frame.held === '' ? ' ' : words.held(frame.held)}</span>
    </div>
  </div>`;
}

/** Splits a text into pieces of one to six characters, like model tokens; always the same for a text. */
function cut(text: string): string[] {
  const pieces: string[] = [];
  const characters = [...text];
  let at = 0;
  for (let turn = 3; at < characters.length; turn = (turn * 5 + 3) % 16) {
    const length = 1 + (turn % 6);
    pieces.push(characters.slice(at, at + length).join(''));
    at += length;
  }
  return pieces;
}
