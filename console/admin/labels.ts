/**
 * Names for the codes of services, types and countries, loaded once. Nothing is shown until then; a code without a name is
 * shown unchanged.
 */
import { useEffect, useMemo, useState } from '../shared/html.ts';
import { usePreferences } from '../shared/preferences.ts';
import { type Names, namesFor, nothing } from './names.ts';
import { useApi } from './session.ts';

/** Display names. */
export type Labels = {
  readonly service: (key: string) => string;
  readonly kind: (kind: string) => string;
  /** The kinds that have a name. */
  readonly kinds: readonly string[];
  readonly type: (type: string) => string;
  /** All types of personal data with their names, by name. */
  readonly types: readonly (readonly [type: string, name: string])[];
  /** The names of all services. */
  readonly services: readonly string[];
  readonly reason: (reason: string) => string;
  /** The key of the service with this name, or the text unchanged. */
  readonly serviceKey: (name: string) => string;
  readonly isKnown: boolean;
};

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.trim().toLowerCase();

/** The names that are loaded so far. */
export function useLabels(): Labels {
  const api = useApi();
  const { language } = usePreferences();
  const [known, setKnown] = useState(nothing);
  useEffect(() => {
    let isHere = true;
    void namesFor(api, language).then((names) => isHere && setKnown(names));
    return () => {
      isHere = false;
    };
  }, [api, language]);
  const { services, kinds, types, reasons } = known;
  const isKnown = known !== nothing;
  const named = (names: Names, key: string) => (isKnown ? (Object.hasOwn(names, key) && names[key]) || key : '\u00a0');
  const keyOf = (names: Names, name: string) =>
    Object.entries(names).find(([, shown]) => isSame(shown, name))?.[0] ?? name;
  return {
    service: (key) => named(services, key),
    kind: (kind) => named(kinds, kind),
    kinds: Object.keys(kinds),
    type: (type) => named(types, type),
    types: Object.entries(types).sort(([, a], [, b]) => a.localeCompare(b, language)),
    services: Object.values(services),
    reason: (reason) => named(reasons, reason),
    serviceKey: (name) => keyOf(services, name),
    isKnown,
  };
}

/** The name of a country by its two-letter code. */
export function useCountryNames(): (country: string) => string {
  const { language } = usePreferences();
  const names = useMemo(() => new Intl.DisplayNames(language, { type: 'region', style: 'short' }), [language]);
  return (country) => (/^[A-Z]{2}$/.test(country) ? (names.of(country) ?? country) : country);
}
