/** Loads data for a view. The previous response stays while a new one is loading. */

import { inBoth } from '../../core/wording/in-both.ts';
import { type ComponentChildren, html, useCallback, useEffect, useRef, useState, type VNode } from '../shared/html.ts';
import type { Outcome, Problem } from '../shared/http.ts';
import { EmptyState } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { ProblemNote, useProblemToast } from '../shared/problem-note.ts';
import { useToast } from '../shared/toast.ts';
import { useApi } from './session.ts';

export type Load<T> = {
  readonly body: T | undefined;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
};

/** Loads when the path changes, after changes made here, and every `everyMs` while visible; null loads nothing. */
export function useLoad<T>(path: string | null, { everyMs }: { readonly everyMs?: number } = {}): Load<T> {
  const api = useApi();
  const [state, setState] = useState<{ readonly path: string | null; readonly outcome: Outcome<T> | undefined }>();
  const [body, setBody] = useState<{ readonly path: string | null; readonly body: T }>();
  const [isLoading, setLoading] = useState(false);
  const last = useRef(0);
  const ask = useCallback(
    async (isBackground: boolean): Promise<void> => {
      if (path === null) return;
      const mine = ++last.current;
      if (!isBackground) setLoading(true);
      const outcome = await api.get<T>(path, { isBackground });
      if (mine !== last.current) return;
      setLoading(false);
      setState({ path, outcome });
      if (outcome.ok) setBody({ path, body: outcome.body });
    },
    [api, path],
  );
  useEffect(() => {
    void ask(false);
    if (everyMs === undefined) return;
    const again = (): void => {
      if (!document.hidden) void ask(true);
    };
    const timer = setInterval(again, everyMs);
    api.changes.addEventListener('change', again);
    return () => {
      clearInterval(timer);
      api.changes.removeEventListener('change', again);
    };
  }, [api, ask, everyMs]);
  return {
    body: body?.body,
    problem: state?.path === path && state.outcome?.ok === false ? state.outcome.problem : undefined,
    isLoading,
    reload: () => ask(false),
  };
}

/** Waits for a call, reports how it went, and loads again. Resolves to whether it succeeded. */
export function useSend(
  reload: () => Promise<void>,
): (call: Promise<Outcome<unknown>>, done: string) => Promise<boolean> {
  const toast = useToast();
  const tell = useProblemToast();
  return async (call, done) => {
    const outcome = await call;
    if (outcome.ok) toast({ text: done });
    else tell(outcome.problem);
    await reload();
    return outcome.ok;
  };
}

const texts = inBoth({
  loading: ['Loading…', '読み込み中…'],
  missing: ['Not available', '利用できません'],
  missingWhy: [
    'This gateway does not have this part, or it is switched off in its configuration.',
    'このゲートウェイにはこの機能がないか、設定で無効になっています。',
  ],
});

export type LoadedProps<T> = {
  readonly load: Load<T>;
  readonly show: (body: T) => ComponentChildren;
};

/** Shows the response, a loading text or an error; an error is shown above an older response. */
export function Loaded<T>({ load, show }: LoadedProps<T>): VNode {
  const words = useTexts(texts);
  const { body, problem, reload } = load;
  if (problem?.kind === 'missing') {
    return html`<${EmptyState} icon="info" title=${words.missing}><p>${words.missingWhy}</p></${EmptyState}>`;
  }
  return html`<div class="stack">
    ${problem && html`<${ProblemNote} problem=${problem} onRetry=${() => void reload()} />`}
    ${body === undefined ? problem === undefined && html`<p class="loading" role="status">${words.loading}</p>` : show(body)}
  </div>`;
}
