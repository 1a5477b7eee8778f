/** Creates detectors for calls and caches recent ones, because compiling a dictionary takes time. */
import { LRUCache } from 'lru-cache';
import { checkActions, type MaskActions, type Replacements, replacementsOf } from '../../core/actions.ts';
import { Detector, type DetectorOptions } from '../../core/detect/detector.ts';
import type { Lang } from '../../core/detect/scan.ts';
import type { DictionaryEntry } from '../../core/dictionary/dictionary.ts';
import { PrivetError } from '../../core/errors.ts';
import { outsideTokens, tokensIn } from '../../core/mask.ts';
import type { PieceDetector } from '../../core/rag/index.ts';
import type { Detection } from '../../core/recognizer.ts';
import { Hmac } from '../hmac.ts';
import { copyUnits } from '../long-texts/copy-units.ts';
import {
  asideOrHere,
  atOnceFor,
  detectAside,
  type Survey,
  shortTextMax,
  surveyAside,
} from '../long-texts/long-texts.ts';
import { ClientLimit } from '../threads/client-limit.ts';
import type { JobClient } from '../threads/thread-pool.ts';
import type { Parties } from './fast-call.ts';
import { type FieldProblem, invalidFields } from './validate.ts';

/** The caller of a long job, and whether it is still connected. */
export type Asker = Pick<Parties, 'caller' | 'gone'>;

/** The same for threads. */
export const jobClient = ({ caller, gone }: Asker): JobClient => ({ client: caller.tenant, gone });

/** What a call detects; absent fields mean everything. */
export type Wanted = {
  readonly lang?: Lang | undefined;
  readonly types?: readonly string[] | undefined;
  readonly minScore?: number | undefined;
  readonly dictionary?: readonly DictionaryEntry[] | undefined;
  readonly explain?: boolean | undefined;
};

/** Maximum number of values per call: the response lists each of them. */
export const detectionsMax = 20_000;

/** Maximum number of long texts of one tenant that are processed at the same time. */
const longTextsMax = 4;

export const longTexts = new ClientLimit({
  max: longTextsMax,
  message: `${longTextsMax} long texts of your account are being processed.`,
});

/** Limits of the cache: number of detectors, and characters of their options. */
const detectorsMax = 200;
const charactersMax = 4_000_000;

export class Detectors {
  readonly #secret: (() => Buffer) | undefined;
  readonly #all = new Detector({ copyUnits, detectionsMax });
  readonly #known = new LRUCache<string, Detector>({
    max: detectorsMax,
    maxSize: charactersMax,
    sizeCalculation: (_detector, key) => key.length,
  });

  /** `secret`: shared by all replicas; without it the action `hash` is not available. */
  constructor(secret?: () => Buffer) {
    this.#secret = secret;
  }

  /** The actions of a call. Hashes of one account cannot be compared with those of another. */
  replacementsOf(
    actions: MaskActions,
    tenant: string,
    dictionary: readonly DictionaryEntry[] = [],
  ): Replacements | undefined {
    const secret = this.#secret;
    const key = secret && (() => new Hmac(secret()).digest(Buffer.from(`key of the action hash for ${tenant}`)));
    const labels = dictionary.map(({ label }) => label);
    return replacementsOf(checkActions(actions, labels), key);
  }

  /**
   * Detects in a text, in a worker thread if it is long, alone or together with the `before` characters of the call that
   * were already searched. @throws PrivetError like {@link for} and `detectAside`.
   */
  detect(wanted: Wanted, text: string, asker: Asker, before = 0): Detection[] | Promise<Detection[]> {
    const detector = this.for(wanted);
    const here = () => detector.detect(text);
    if (before + text.length <= atOnceFor(wanted)) return here();
    if (text.length <= shortTextMax) return asideOrHere(detectAside(optionsOf(wanted), text, jobClient(asker)), here);
    return longTexts.run(asker.caller.tenant, () => detectAside(optionsOf(wanted), text, jobClient(asker)));
  }

  /**
   * Detects in a long text, and also finds the tokens in it; undefined for a short text.
   * @throws PrivetError like {@link detect}.
   */
  survey(wanted: Wanted, text: string, asker: Asker, before = 0): Promise<Survey> | undefined {
    if (before + text.length <= atOnceFor(wanted)) return undefined;
    const detector = this.for(wanted);
    if (text.length <= shortTextMax) {
      return asideOrHere(surveyAside(optionsOf(wanted), text, jobClient(asker)), () => ({
        detections: outsideTokens(text, detector.detect(text)),
        taken: [...tokensIn(text)],
      }));
    }
    return longTexts.run(asker.caller.tenant, () => surveyAside(optionsOf(wanted), text, jobClient(asker)));
  }

  /**
   * A detector for a text of this length that works piece by piece; for a long text in a worker thread.
   * @throws PrivetError like {@link for}; its results reject like those of `detectAside`.
   */
  ofPieces(wanted: Wanted, length: number, asker: Asker): PieceDetector {
    const detector = this.for(wanted);
    if (length <= atOnceFor(wanted)) return detector;
    return {
      detect: (piece) =>
        detectAside(optionsOf(wanted), piece, jobClient(asker)).catch((error) => {
          // The call has been charged already, and a piece of this size does not delay other calls for long.
          if ((error as PrivetError).code !== 'unavailable' || piece.length > shortTextMax) throw error;
          return detector.detect(piece);
        }),
    };
  }

  /** The detector for a call. @throws PrivetError `invalid_input` naming the invalid dictionary entries. */
  for({ lang, types, minScore, dictionary, explain = false }: Wanted): Detector {
    const isPlain = lang === undefined && types === undefined && minScore === undefined && dictionary === undefined;
    if (isPlain && !explain) return this.#all;
    const key = JSON.stringify([lang, types, minScore, dictionary, explain]);
    let detector = this.#known.get(key);
    if (detector === undefined) {
      detector = build({ lang, types, minScore, dictionary, explain });
      this.#known.set(key, detector);
    }
    return detector;
  }
}

function build(wanted: Wanted): Detector {
  try {
    return new Detector({ ...optionsOf(wanted), copyUnits });
  } catch (error) {
    throw byField(error);
  }
}

function optionsOf({ lang, types, minScore, dictionary, explain }: Wanted): DetectorOptions {
  return { lang, detectionsMax, explain, types, minScore, dictionary };
}

type DictionaryDetails = {
  readonly problems?: readonly { index: number; field?: string; position?: number; message: string }[];
};

/** Converts dictionary problems to field problems. */
function byField(error: unknown): unknown {
  if (!(error instanceof PrivetError) || error.code !== 'invalid_input') return error;
  const { problems } = (error.details ?? {}) as DictionaryDetails;
  if (problems === undefined) return error;
  return invalidFields(
    problems.map(({ index, field, position, message }): FieldProblem => {
      const path = `dictionary[${index}]${field === undefined ? '' : `.${field}`}`;
      return { field: path, message, position };
    }),
    error,
  );
}
