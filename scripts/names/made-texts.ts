import type { LabelledText } from './examples.ts';
export function makeTexts(_folder: string): LabelledText[] { return []; }
