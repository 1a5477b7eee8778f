/** A text with coloured marks that explain themselves on hover and focus. */

import { inBoth } from '../../core/wording/in-both.ts';
import { html, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type VNode } from '../shared/html.ts';
import { useTexts } from '../shared/preferences.ts';
import { type Piece, piecesOf, type Span } from './spans.ts';

const texts = inBoth({
  more: [
    (shown: number, all: number) => `The first ${shown} of ${all} matches are marked.`,
    (shown: number, all: number) => `${all} か所のうち最初の ${shown} か所を示しています。`,
  ],
});

export type Mark = {
  /** Shown first, and read by screen readers. */
  readonly title: string;
  readonly hue: number;
  readonly lines?: readonly string[];
  /** Marks of one group are highlighted together, also in other texts. */
  readonly group?: string;
};

export type MarkedTextProps = {
  readonly label: string;
  readonly text: string;
  /** Memoize it (useMemo): marks are redrawn only when the list changes. */
  readonly spans: readonly Span<Mark>[];
};

type Shown = { readonly marks: readonly Mark[]; readonly at: DOMRect };

/** Maximum number of marks; more would make the page slow. */
const marksMax = 1_000;

export function MarkedText({ label, text, spans }: MarkedTextProps): VNode {
  const words = useTexts(texts);
  const [shown, setShown] = useState<Shown>();
  const id = useId();
  const content = useMemo(() => {
    const show = (event: Event, marks: readonly Mark[]) => {
      setShown({ marks, at: (event.currentTarget as HTMLElement).getBoundingClientRect() });
      light(marks[0]?.group);
    };
    const hide = () => {
      setShown(undefined);
      light(undefined);
    };
    const pieces = piecesOf(text, spans.slice(0, marksMax));
    const first = pieces.find(({ marks }) => marks.length > 0)?.start;
    return pieces.map((piece) =>
      piece.marks.length === 0 ? piece.text : markOf({ piece, isFirst: piece.start === first, show, hide, id }),
    );
  }, [text, spans]);
  useEffect(() => {
    if (shown === undefined) return;
    const hide = () => setShown(undefined);
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    addEventListener('keydown', onKey);
    addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('scroll', hide, { capture: true });
    };
  }, [shown]);
  return html`<div class="marked" role="region" aria-label=${label} tabindex="0" onKeyDown=${walk}>
      ${content}${shown && html`<${Bubble} id=${id} ...${shown} />`}
    </div>
    ${spans.length > marksMax && html`<p class="quiet-text">${words.more(marksMax, spans.length)}</p>`}`;
}

type Drawn = {
  readonly piece: Piece<Mark>;
  readonly isFirst: boolean;
  readonly show: (event: Event, marks: readonly Mark[]) => void;
  readonly hide: () => void;
  readonly id: string;
};

function markOf({ piece, isFirst, show, hide, id }: Drawn): VNode {
  const [first] = piece.marks;
  return html`<mark
    class=${/^\[[\w-]{1,40}\]$/.test(piece.text) ? 'mark whole' : 'mark'}
    style=${{ '--hue': String(first?.hue ?? 0) }}
    tabindex=${isFirst ? 0 : -1}
    aria-describedby=${id}
    data-group=${first?.group}
    onMouseEnter=${(event: Event) => show(event, piece.marks)}
    onMouseLeave=${hide}
    onFocus=${(event: Event) => show(event, piece.marks)}
    onBlur=${hide}
  >${piece.text}</mark>`;
}

/** Highlights a group's marks in all texts. Changes the DOM directly: redrawing at every mouse move would be slow. */
function light(group: string | undefined): void {
  for (const mark of document.querySelectorAll<HTMLElement>('mark.mark')) {
    mark.classList.toggle('lit', group !== undefined && mark.dataset.group === group);
  }
}

/** Moves from mark to mark with arrow keys, so that a text with a hundred marks is a single Tab stop. */
function walk(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const marks = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('mark')];
  const at = marks.indexOf(event.target as HTMLElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  marks[(at + step + marks.length) % marks.length]?.focus();
}

/** The text of a mark, near it and within the screen. */
function Bubble({ marks, at, id }: Shown & { readonly id: string }): VNode {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const bubble = element.current;
    if (bubble === null) return;
    const { width, height } = bubble.getBoundingClientRect();
    const left = Math.max(8, Math.min(at.left, innerWidth - width - 8));
    const fitsBelow = at.bottom + height + 14 < innerHeight;
    bubble.style.left = `${left}px`;
    bubble.style.top = `${fitsBelow ? at.bottom + 6 : Math.max(8, at.top - height - 6)}px`;
  }, [at]);
  return html`<div class="bubble" role="tooltip" id=${id} ref=${element}>
    ${marks.map(
      (mark, i) => html`<div key=${i}>
        <p class="bubble-title"><span class="dot" style=${{ '--hue': String(mark.hue) }} aria-hidden="true"></span>${mark.title}</p>
        ${mark.lines?.map((line) => html`<p key=${line}>${line}</p>`)}
      </div>`,
    )}
  </div>`;
}
