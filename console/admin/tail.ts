/** New events by server-sent events. The browser reconnects automatically. */
import { useCallback, useEffect, useState } from '../shared/html.ts';
import { ApiClient, type Problem } from '../shared/http.ts';
import type { AuditEvent } from './answers.ts';
import { useApi } from './session.ts';

const plain = new ApiClient();
const keptMax = 200;
const showMs = 250;

/** States: connecting → live after a response → lost if the connection breaks → live; closed if the server refuses. */
export type Tail = {
  readonly events: readonly AuditEvent[];
  readonly state: 'connecting' | 'live' | 'lost';
  readonly problem: Problem | undefined;
  readonly retry: () => Promise<void>;
};

/** The newest events first, at most {@link keptMax}. */
export function useTail(path: string): Tail {
  const api = useApi();
  const [events, setEvents] = useState<readonly AuditEvent[]>([]);
  const [state, setState] = useState<Tail['state']>('connecting');
  const [problem, setProblem] = useState<Problem>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const source = new EventSource(path);
    let come: AuditEvent[] = [];
    // Batch events: there may be hundreds a second.
    const timer = setInterval(() => {
      if (come.length === 0) return;
      const next = come.reverse();
      come = [];
      setEvents((before) => [...next, ...before].slice(0, keptMax));
    }, showMs);
    source.onopen = () => setState('live');
    source.onmessage = ({ data }) => come.push(JSON.parse(data) as AuditEvent);
    source.onerror = () => {
      setState('lost');
      if (source.readyState === EventSource.CLOSED) void refused();
    };
    /** Repeats the call, because EventSource hides the reason. */
    const refused = async (): Promise<void> => {
      const answered = new AbortController();
      setTimeout(() => answered.abort(), 1_000);
      const why = await plain.stream('GET', path, { signal: answered.signal, onData: () => answered.abort() });
      if (why === undefined || why.kind === 'away') return setAttempt((n) => n + 1);
      if (why.kind === 'unauthorized' && (await api.get('/admin/login')).ok) return setAttempt((n) => n + 1);
      setProblem(why);
    };
    return () => {
      clearInterval(timer);
      source.close();
    };
  }, [path, attempt]);
  const retry = useCallback(async () => {
    setProblem(undefined);
    setState('connecting');
    setAttempt((n) => n + 1);
  }, []);
  return { events, state, problem, retry };
}
