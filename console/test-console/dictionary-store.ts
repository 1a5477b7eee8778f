/** The user's dictionary, stored in this browser only; calls send its entries while it is on. */
import { stored } from '../shared/preferences.ts';
import { checkDictionary, type DictionaryEntry } from './dictionary.ts';

/** The draft, the applied text, and whether the dictionary is on. */
export type StoredDictionary = { readonly draft: string; readonly saved: string; readonly isOn: boolean };

const storeName = 'privet.dictionary';

/** An example to start from. */
export const dictionaryExample = `[
  { "label": "PROJECT", "pattern": "Apollo" },
  { "label": "EMPLOYEE_NO", "pattern": "/\\\\bE-\\\\d{5}\\\\b/" }
]`;

/** The dictionary of this browser. If it is no longer valid, it is off and its text is kept. */
export function loadDictionary(): StoredDictionary {
  try {
    const kept = JSON.parse(stored.get(storeName) ?? '') as Partial<StoredDictionary>;
    const draft = String(kept.draft ?? dictionaryExample);
    const saved = String(kept.saved ?? '');
    return { draft, saved, isOn: kept.isOn === true && checkDictionary(saved).ok };
  } catch {
    return { draft: dictionaryExample, saved: '', isOn: false };
  }
}

export function keepDictionary(dictionary: StoredDictionary): boolean {
  return stored.set(storeName, JSON.stringify(dictionary));
}

/** The entries sent with calls; none if the dictionary is off. */
export function entriesInForce({ isOn, saved }: StoredDictionary): readonly DictionaryEntry[] {
  if (!isOn) return [];
  const check = checkDictionary(saved);
  return check.ok ? check.entries : [];
}
