/** A link that needs a session. Checks the session first, because a refused download shows no reason. */
import { html, useRef, type VNode, type WithChildren } from '../shared/html.ts';
import { useProblemToast } from '../shared/problem-note.ts';
import { useApi } from './session.ts';

export type SessionLinkProps = WithChildren<{
  readonly href: string;
  /** File name of the download; without it, the page opens in a new tab. */
  readonly download?: string;
  readonly title?: string;
}>;

export function SessionLink({ href, download, title, children }: SessionLinkProps): VNode {
  const api = useApi();
  const tell = useProblemToast();
  const isAsked = useRef(false);
  const follow = async (event: MouseEvent): Promise<void> => {
    if (isAsked.current || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const link = event.currentTarget as HTMLAnchorElement;
    const outcome = await api.get('/admin/login');
    if (!outcome.ok) return tell(outcome.problem);
    isAsked.current = true;
    link.click();
    isAsked.current = false;
  };
  return html`<a
    class="button"
    href=${href}
    title=${title}
    download=${download}
    target=${download === undefined ? '_blank' : undefined}
    rel="noreferrer"
    onClick=${(event: MouseEvent) => void follow(event)}
  >${children}</a>`;
}
