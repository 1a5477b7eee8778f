/** The messages of errors in Japanese: a module of its own, because their catalog is large and a page may show none. */
import decisions from './ja.json' with { type: 'json' };
import errors from './ja-errors.json' with { type: 'json' };
import { translationOf } from './japanese.ts';

/** The message or hint of an error in Japanese. Not for text that people wrote: `must be …` is a sentence of the catalog. */
export const errorInJapanese = translationOf({ ...decisions, ...errors });
