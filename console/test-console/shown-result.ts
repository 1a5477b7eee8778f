/** Scrolling to results, which are below the fold on a narrow screen. */
import { type RefObject, useEffect, useRef } from '../shared/html.ts';

/** The place to scroll to on a narrow screen when one of the outcomes of a call changes. */
export function useResultPlace(...outcomes: readonly unknown[]): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (outcomes.every((outcome) => outcome === undefined) || !matchMedia('(max-width: 900px)').matches) return;
    place.current?.scrollIntoView({ block: 'start' });
  }, outcomes);
  return place;
}
