/** A text with marked places: coloured, and each tells about itself on hover and on focus. */
import {
  type ComponentChildren,
  html,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type VNode,
} from '../shared/html.ts';
import { type Piece, piecesOf, type Span } from './spans.ts';

export type Mark = {
  /** What is said first, and what a screen reader gets. */
  readonly title: string;
  readonly hue: number;
  readonly lines?: readonly string[];
  /** Marks of one group light up together, also in other texts. */
  readonly group?: string;
};

export type MarkedTextProps = {
  readonly label: string;
  readonly text: string;
  readonly spans: readonly Span<Mark>[];
  readonly group?: string | undefined;
  readonly onGroup?: (group: string | undefined) => void;
  readonly tail?: ComponentChildren;
};

type Shown = { readonly marks: readonly Mark[]; readonly at: DOMRect };

/** No more marks than this get something to focus: beyond it, nobody walks through them, and the page would be slow. */
const marksMax = 3_000;

export function MarkedText({ label, text, spans, group, onGroup, tail }: MarkedTextProps): VNode {
  const [shown, setShown] = useState<Shown>();
  const id = useId();
  const hide = () => {
    setShown(undefined);
    onGroup?.(undefined);
  };
  useEffect(() => {
    if (shown === undefined) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    addEventListener('keydown', onKey);
    addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('scroll', hide, { capture: true });
    };
  }, [shown]);
  const show = (event: Event, marks: readonly Mark[]) => {
    setShown({ marks, at: (event.currentTarget as HTMLElement).getBoundingClientRect() });
    onGroup?.(marks[0]?.group);
  };
  const pieces = piecesOf(text, spans.slice(0, marksMax));
  const first = pieces.find(({ marks }) => marks.length > 0)?.start;
  return html`<div class="marked" role="region" aria-label=${label} tabindex="0" onKeyDown=${walk}>
    ${pieces.map((piece) => (piece.marks.length === 0 ? piece.text : html`<${MarkedPiece} ...${{ piece, group, show, hide, id, isFirst: piece.start === first }} />`))}${tail}
    ${shown && html`<${Bubble} id=${id} ...${shown} />`}
  </div>`;
}

function MarkedPiece(props: {
  readonly piece: Piece<Mark>;
  readonly group: string | undefined;
  readonly show: (event: Event, marks: readonly Mark[]) => void;
  readonly hide: () => void;
  readonly id: string;
  readonly isFirst: boolean;
}): VNode {
  const { piece, group, show, hide, id, isFirst } = props;
  const [first] = piece.marks;
  const isLit = group !== undefined && piece.marks.some((mark) => mark.group === group);
  return html`<mark
    class=${['mark', isLit ? 'lit' : '', /^\[[\w-]{1,40}\]$/.test(piece.text) ? 'whole' : ''].join(' ')}
    style=${{ '--hue': String(first?.hue ?? 0) }}
    tabindex=${isFirst ? 0 : -1}
    aria-describedby=${id}
    data-mark=${first?.title}
    onMouseEnter=${(event: Event) => show(event, piece.marks)}
    onMouseLeave=${hide}
    onFocus=${(event: Event) => show(event, piece.marks)}
    onBlur=${hide}
  >${piece.text}</mark>`;
}

/** Arrow keys go from mark to mark, so that a text with a hundred of them is one stop for Tab and not a hundred. */
function walk(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const marks = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('mark')];
  const at = marks.indexOf(event.target as HTMLElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  marks[(at + step + marks.length) % marks.length]?.focus();
}

/** What a mark says, near it and never beyond the edge of the screen. */
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
      (mark, i) => html`<div key=${i} class="bubble-part">
        <p class="bubble-title"><span class="dot" style=${{ '--hue': String(mark.hue) }} aria-hidden="true"></span>${mark.title}</p>
        ${mark.lines?.map((line) => html`<p key=${line}>${line}</p>`)}
      </div>`,
    )}
  </div>`;
}
