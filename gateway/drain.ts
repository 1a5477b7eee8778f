/** How a process that is told to stop lets go of its clients. */
import type { Api } from './api/server.ts';
import type { ProxyListener } from './proxy/listener.ts';

/** Ends both listeners after what runs, in `timeouts.drain` milliseconds at most. */
export async function drain({
  proxy,
  api,
  timeouts,
}: {
  readonly proxy: Pick<ProxyListener, 'drain'>;
  readonly api: Pick<Api, 'close'>;
  readonly timeouts: { readonly drain: number; readonly drain_delay: number };
}): Promise<void> {
  // A load balancer asks /ready every now and then, and sends new connections until it has heard.
  if (timeouts.drain_delay > 0) await new Promise((resolve) => setTimeout(resolve, timeouts.drain_delay));
  // The API goes last, with 5 s at least: until then /ready answers 503, which takes this process out of a balancer.
  const drained = performance.now() + timeouts.drain;
  await proxy.drain(timeouts.drain);
  await api.close(Math.max(drained - performance.now(), 5_000));
}
