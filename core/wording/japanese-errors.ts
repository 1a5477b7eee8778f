/** Error messages in Japanese: a separate module, because the catalog is large and many pages need none of it. */
import decisions from './ja.json' with { type: 'json' };
import errors from './ja-errors.json' with { type: 'json' };
import { translationOf } from './japanese.ts';

/** The message or hint of an error in Japanese. Not for text that people wrote: `must be …` is a sentence of the catalog. */
export const errorInJapanese = translationOf({ ...decisions, ...errors });
