/** The user's own recognizers, from the configuration. */
import type { Config } from '../config/load.ts';
import { withoutUndefined } from '../core/defined.ts';
import type { CustomRecognizer } from '../core/dictionary/custom-recognizers.ts';

/** The recognizers of a configuration, in the words of core. */
export function recognizersOf({ recognizers }: Pick<Config['masking'], 'recognizers'>): CustomRecognizer[] {
  return recognizers.map(({ context_needed: contextNeeded, ...rest }) => {
    return withoutUndefined({ ...rest, contextNeeded }) as CustomRecognizer;
  });
}
