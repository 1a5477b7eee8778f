/** The example of the README for Gemini, with the real package. */
import { GoogleGenAI } from '@google/genai';
import { expect, test } from 'vitest';
import { protectFetch } from '../../sdk/index.ts';
import { startEchoProvider } from './echo-provider.ts';

test('its client accepts protectFetch as an option', async () => {
  const provider = await startEchoProvider();
  const ai = new GoogleGenAI({
    apiKey: 'none',
    httpOptions: { baseUrl: provider.url, fetch: protectFetch() as never },
  });
  const { text } = await ai.models.generateContent({ model: 'gemini', contents: 'Mail hanako@example.com' });
  expect(text).toBe('Mail hanako@example.com');
  expect(provider.received().join('')).toContain('Mail [EMAIL-1]');
});
