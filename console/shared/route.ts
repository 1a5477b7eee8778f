/** The view of a page, by the `#/` part of its address. Back and forward work, and views can be linked. */
import { useEffect, useRef, useState } from './html.ts';

/** `#/events?action=block` → `{ view: 'events', query }`. */
export type Route = { readonly view: string; readonly query: URLSearchParams };

export function useRoute(first: string): Route {
  const [route, setRoute] = useState(() => read(first));
  const shown = useRef(location.hash);
  useEffect(() => {
    const note = () => {
      shown.current = location.hash;
      setRoute(read(first));
    };
    addEventListener('hashchange', note);
    // Effects run after the paint; the address may have changed by then.
    if (location.hash !== shown.current) note();
    return () => removeEventListener('hashchange', note);
  }, [first]);
  return route;
}

/** The address of a view. */
export function hrefOf(view: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${view}${search === '' ? '' : `?${search}`}`;
}

/** Goes to a view. */
export function goTo(view: string, query: Readonly<Record<string, string>> = {}): void {
  location.hash = hrefOf(view, query);
}

function read(first: string): Route {
  const [path = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { view: path === '' ? first : path, query: new URLSearchParams(search) };
}
