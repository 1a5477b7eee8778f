import { unpackModel } from './model.ts';
import type { NameSpan } from './span.ts';
import { NameTagger, type TagOptions } from './tagger.ts';
import east from './weights-east.json' with { type: 'json' };
import latin from './weights-latin.json' with { type: 'json' };

let tagger: NameTagger | undefined;

/**
 * The spans of people's names in `text`, sorted and disjoint, in UTF-16 code units. `text` is the folded text: full-width
 * ASCII as ASCII. Titles and honorifics are not part of a span.
 *
 * `lang` (`en`, `de`, ...) helps with short texts; longer ones show their language themselves.
 *
 *     tagNames('Dear Ms. Okafor,')  // [{ start: 9, end: 15, score: …, isKana: false }]
 */
export function tagNames(text: string, options: TagOptions = {}): NameSpan[] {
  tagger ??= new NameTagger(unpackModel(latin), () => unpackModel(east));
  return tagger.tag(text, options);
}
