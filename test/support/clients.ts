/** Program clients that use the gateway as their proxy and trust its root. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { type Dispatcher, Pool, ProxyAgent, fetch as undiciFetch } from 'undici';
import { closedAtEnd } from './closing.ts';
import type { Gateway } from './gateway.ts';

/** A fetch that goes through the gateway. */
export type ProxiedFetch = { readonly fetch: typeof fetch; readonly dispatcher: Dispatcher };

/** Makes a fetch through the gateway. `allowH2` lets it speak HTTP/2 in the tunnel; `signIn`: user and password; `from`: its own address. */
export function proxiedFetch(
  gateway: Gateway,
  options: { readonly allowH2?: boolean; readonly signIn?: string; readonly from?: string } = {},
): ProxiedFetch {
  const { allowH2 = false, signIn, from } = options;
  const dispatcher = new ProxyAgent({
    uri: gateway.proxyUrl,
    requestTls: { ca: gateway.ca, allowH2 },
    allowH2,
    ...(from === undefined
      ? {}
      : { clientFactory: (origin: URL, settings: object) => new Pool(origin, { ...settings, localAddress: from }) }),
    ...(signIn === undefined ? {} : { token: `Basic ${btoa(signIn)}` }),
  });
  closedAtEnd(() => dispatcher.destroy());
  const through = (url: unknown, init: object = {}): unknown => undiciFetch(url as string, { ...init, dispatcher });
  return { fetch: through as typeof fetch, dispatcher };
}

/** The `openai` package through the gateway, without retries. */
export function openAiClient(proxied: ProxiedFetch): OpenAI {
  return new OpenAI({ apiKey: 'test-key', fetch: proxied.fetch, maxRetries: 0 });
}

/** The `@anthropic-ai/sdk` package through the gateway, without retries. */
export function anthropicClient(proxied: ProxiedFetch): Anthropic {
  return new Anthropic({ apiKey: 'test-key', fetch: proxied.fetch, maxRetries: 0 });
}
