/** The providers configured in the environment. Packages are loaded on demand. */
import { AnthropicProvider } from './anthropic.ts';
import { GeminiProvider } from './gemini.ts';
import { OpenAiProvider } from './openai.ts';
import type { Provider, ProviderName } from './provider.ts';

/** Inexpensive default models. */
const defaultModels = { openai: 'gpt-5.4-mini', anthropic: 'claude-haiku-5-5', gemini: 'gemini-3.8-flash' };

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The providers whose key is set: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY; CUSTOM_LLM_BASE_URL with
 * CUSTOM_LLM_API_KEY and CUSTOM_LLM_MODEL. OPENAI_BASE_URL, ANTHROPIC_BASE_URL and GOOGLE_GEMINI_BASE_URL, the
 * packages' own variables, set other addresses.
 */
export function providersOf(env: Env): ReadonlyMap<ProviderName, Provider> {
  const providers: Provider[] = [];
  const at = (name: string) => (env[name] ? { baseUrl: env[name] } : {});
  if (env.OPENAI_API_KEY) {
    const options = { apiKey: env.OPENAI_API_KEY, ...at('OPENAI_BASE_URL'), defaultModel: defaultModels.openai };
    providers.push(new OpenAiProvider({ name: 'openai', ...options }));
  }
  if (env.ANTHROPIC_API_KEY) {
    const options = { apiKey: env.ANTHROPIC_API_KEY, ...at('ANTHROPIC_BASE_URL') };
    providers.push(new AnthropicProvider({ ...options, defaultModel: defaultModels.anthropic }));
  }
  if (env.GEMINI_API_KEY) {
    const options = { apiKey: env.GEMINI_API_KEY, ...at('GOOGLE_GEMINI_BASE_URL') };
    providers.push(new GeminiProvider({ ...options, defaultModel: defaultModels.gemini }));
  }
  if (env.CUSTOM_LLM_BASE_URL) {
    const model = env.CUSTOM_LLM_MODEL ? { defaultModel: env.CUSTOM_LLM_MODEL } : {};
    // Self-hosted servers often need no key, but the package does.
    const apiKey = env.CUSTOM_LLM_API_KEY || 'none';
    providers.push(new OpenAiProvider({ name: 'custom', apiKey, ...at('CUSTOM_LLM_BASE_URL'), ...model }));
  }
  return new Map(providers.map((provider) => [provider.name, provider]));
}
