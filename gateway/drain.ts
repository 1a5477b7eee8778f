/** Graceful shutdown: lets clients finish when the process is told to stop. */
import type { Api } from './api/server.ts';
import type { ProxyListener } from './proxy/listen/listener.ts';

/** Closes both listeners once running work is done, within `timeouts.drain` milliseconds. */
export async function drain({
  proxy,
  api,
  timeouts,
}: {
  readonly proxy: Pick<ProxyListener, 'drain'>;
  readonly api: Pick<Api, 'close'>;
  readonly timeouts: { readonly drain: number; readonly drain_delay: number };
}): Promise<void> {
  // A load balancer polls /ready and keeps sending connections until it notices.
  if (timeouts.drain_delay > 0) await new Promise((resolve) => setTimeout(resolve, timeouts.drain_delay));
  // The API closes last, after at least 5 s: until then /ready answers 503, which takes this process out of load
  // balancing.
  const drained = performance.now() + timeouts.drain;
  await proxy.drain(timeouts.drain);
  await api.close(Math.max(drained - performance.now(), 5_000));
}
