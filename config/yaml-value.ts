/**
 * Parses YAML ten times as fast as the `yaml` package, but without positions. Texts that the two parsers might read
 * differently, and all errors, are left to that package.
 */
import { CORE_SCHEMA, load } from 'js-yaml';

const nullKey = String.raw`(?:^|[\s{[,-])(?:~|null)?\s{0,9}:(?:[\s,}\]]|$)|[{,]\s*(?:~|null)\s*[,}]`;
/** A byte order mark, tabs, several documents; anchors, aliases, tags, merges and explicit keys; keys that are null. */
const beyondPlain = new RegExp(
  String.raw`^\ufeff|\t|^(?:---|\.\.\.)|(?:^|[\s,[{:])(?:[&*!%]\S|\?(?:\s|$)|<<)|${nullKey}`,
  'im',
);

/**
 * The value of a mapping; undefined if only the `yaml` package can parse the text or report its error.
 * @throws RangeError when it is nested too deeply
 */
export function yamlValue(text: string): Record<string, unknown> | undefined {
  if (beyondPlain.test(text.replace(/^ *#.*$/gm, ''))) return undefined;
  try {
    const value = load(text, { schema: CORE_SCHEMA });
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (/maxDepth/.test(String(error))) throw new RangeError('nested too deeply', { cause: error });
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
