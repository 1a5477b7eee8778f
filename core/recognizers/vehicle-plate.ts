/** Vehicle registration plates: Japanese ones by their issuing office, others by context. */
import type { ContextType } from '../context/context-type.ts';
import { japanesePlates, platesOfScripts } from '../context/japanese-plates.ts';
import { wordsOfType } from '../context/type-words.ts';

export const vehiclePlate: ContextType = {
  name: 'vehicle-plate',
  type: 'VEHICLE_PLATE',
  forms: [
    // United Kingdom; Germany; France and Italy; India.
    /[A-Z]{2}[0-9]{2} ?[A-Z]{3}/,
    /[A-ZÄÖÜ]{1,3}(?:[ :-]| - )[A-Z]{1,2}[ -]?[0-9]{1,4}[EH]?/,
    /[A-Z]{2}[ -]?[0-9]{3}[ -]?[A-Z]{2}/,
    /[A-Z]{2}[ -]?[0-9]{1,2}[ -]?[A-Z]{1,3}[ -]?[0-9]{4}/,
    // North America, Australia, Spain and others.
    /[A-Z]{3}[ ·-]?[0-9]{3,4}/,
    /[0-9]{3,4}[ ·-]?[A-Z]{3}/,
    /[1-9][A-Z]{3}[0-9]{3}/,
    /[A-Z]{3} ?[0-9]{1,3}[A-Z]|[A-Z][0-9]{1,3} ?[A-Z]{3}/,
    /(?=.*[0-9])(?=.*[A-Z])[A-Z0-9]{5,8}/,
    /(?=.*[0-9])(?=.*[A-Z])[A-Z0-9]{1,4}[ ·-][A-Z0-9]{1,6}/,
    /(?=.*[0-9])(?=.*[A-Z])[A-Z0-9]{1,4}(?:[ ·.-][A-Z0-9]{1,5}){2,3}/,
    /(?=.*[0-9])(?=.*[a-z])[A-Za-z0-9]{2,4}[ -]?[A-Za-z0-9]{2,4}/,
    /[0-9]{5,8}|[0-9]{1,3}[ -][0-9]{2,4}(?:-[0-9]{2})?/,
  ],
  spans: (text, stretches) => [...japanesePlates(text, stretches), ...platesOfScripts(text, stretches)],
  mayHold: ({ kanaJoints }) => kanaJoints.length > 0,
  words: wordsOfType('VEHICLE_PLATE'),
};
