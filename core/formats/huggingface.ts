import type { WireFormat } from './format.ts';

/** Hugging Face's text generation: single tokens, and the complete text with the last one. */
export const huggingface: WireFormat = {
  name: 'huggingface',
  texts: { pieces: [/^token\.text$/], wholePaths: [/^generated_text$/] },
  ends: { isEnd: ({ key, isString, node }, root) => isString && key === 'generated_text' && node === root },
  conversation: { prompts: 'inputs' },
};
