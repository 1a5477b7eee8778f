/** The session. When it expires, a dialog over the page asks for the key, and the page stays as it is. */

import type { Session } from '../../gateway/api/routes/sign-in.ts';
import {
  createContext,
  html,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type VNode,
  type WithChildren,
} from '../shared/html.ts';
import { ApiClient, type Outcome, type Problem } from '../shared/http.ts';
import { AdminApi } from './admin-api.ts';
import { SignInDialog, SignInPage } from './sign-in.ts';
import { StartPage } from './start-page.ts';

type SessionContext = {
  readonly api: AdminApi;
  readonly name: string;
  /** Ends the session. Returns the problem if that failed; the session then continues. */
  readonly signOut: () => Promise<Problem | undefined>;
};

const Current = createContext<SessionContext | undefined>(undefined);

/** The session; only below {@link SessionProvider}. */
export function useSession(): SessionContext {
  const session = useContext(Current);
  if (session === undefined) throw new Error('there is no session here');
  return session;
}

export function useApi(): AdminApi {
  return useSession().api;
}

const plain = new ApiClient();
const signIn = (key: string): Promise<Outcome<Session>> => plain.post<Session>('/admin/login', { key });

/** Shows the sign-in page, then its children. */
export function SessionProvider({ children }: WithChildren): VNode {
  const [session, setSession] = useState<Session | null>();
  const [problem, setProblem] = useState<Problem>();
  const [isAsking, setAsking] = useState(false);
  const csrf = useRef('');
  const waiting = useRef<((isThere: boolean) => void)[]>([]);

  const enter = useCallback((next: Session) => {
    csrf.current = next.csrf;
    setSession(next);
  }, []);
  const check = useCallback(async () => {
    setProblem(undefined);
    const outcome = await plain.get<{ signed_in: false } | ({ signed_in: true } & Session)>('/admin/session');
    if (!outcome.ok) setProblem(outcome.problem);
    else if (outcome.body.signed_in) enter(outcome.body);
    else setSession(null);
  }, []);
  useEffect(() => void check(), []);

  const settle = useCallback((isThere: boolean) => {
    setAsking(false);
    for (const resolve of waiting.current.splice(0)) resolve(isThere);
  }, []);
  const api = useMemo(
    () =>
      new AdminApi(
        () => csrf.current,
        () =>
          new Promise((resolve) => {
            waiting.current.push(resolve);
            setAsking(true);
          }),
      ),
    [],
  );
  const name = session?.name ?? '';
  const value = useMemo(
    () => ({
      api,
      name,
      signOut: async () => {
        const outcome = await plain.call('POST', '/admin/logout', { headers: { 'x-csrf-token': csrf.current } });
        if (!outcome.ok) return outcome.problem;
        setSession(null);
        return undefined;
      },
    }),
    [api, name],
  );

  if (problem !== undefined) return html`<${StartPage} problem=${problem} onRetry=${check} />`;
  if (session === undefined) return html`<${StartPage} />`;
  if (session === null) return html`<${SignInPage} signIn=${signIn} onDone=${enter} />`;
  return html`<${Current.Provider} value=${value}>
    ${children}
    ${
      isAsking &&
      html`<${SignInDialog}
        signIn=${signIn}
        onDone=${(next: Session) => {
          enter(next);
          settle(true);
        }}
        onClose=${() => settle(false)}
      />`
    }
  </${Current.Provider}>`;
}
