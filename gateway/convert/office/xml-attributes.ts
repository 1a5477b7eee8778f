/**
 * Decides which attributes of a part may contain personal text. All are inspected except pure machinery (style names,
 * colours, positions, identifiers), whose change would damage the document.
 */

import { wholeDigits } from './number-cells.ts';

/** How a changed value is written; see `Run` in `text-runs.ts`. */
export type AttributeForm = 'text' | 'sheet' | 'name' | 'number' | 'cell-value';

/** Attributes with human-written text: author names, image descriptions, link URLs. */
const words = new Set(
  (
    'author title descr description alt tooltip Target href userName displayName userId display prompt promptTitle error ' +
    'errorTitle string-value uniqueName caption manager company user comment string displayText instr label ' +
    'current-value form:value'
  ).split(' '),
);
/** Attributes of particular elements whose values people enter or choose. */
const wordsOf: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    name: 'sheet cacheField tableColumn table definedName cNvPr docPr property',
    text: 'cfRule',
    val: 'alias tag docVar listEntry filter customFilter inputCells default statusText helpText query connectString',
    v: 's n',
    value: 'listItem label filter-condition',
  }).map(([attribute, elements]) => [attribute, new Set(elements.split(' '))]),
);
/** Values that must be numbers. */
const numbersOnly: ReadonlySet<string> = new Set(['minValue', 'maxValue', 'startNum', 'endNum']);
const cellValues: ReadonlySet<string> = new Set(['value', 'date-value', 'time-value']);

/** Drawings, fonts and protection: long runs of digits and letters without a personal meaning. */
const machinery = new Set(
  (
    'd path points polypoints viewBox coordsize coordorigin wrapcoords adj eqn enhanced-path gfxdata panose panose-1 ' +
    'typeface hash salt hashValue saltValue hashData saltData algorithmName formatCode'
  ).split(' '),
);
const machineryElements = /^(?:rFonts|font|altName|panose1?|cnfStyle|sig|numFmt)$/;
const guid = /^\{?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\}?$/i;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)?$/;
const number = /^[-+]?[\d.,]+(?:e[-+]?\d+)?(?:[a-z]{1,2}|%)?$/i;
/** Maximum digits of 32-bit identifiers, and of lengths in drawings. */
const idDigitsMax = 11;
/** Longer words may be secrets. */
const wordLengthMax = 19;

/**
 * How to inspect an attribute; undefined to skip it.
 * @param element the element's name with the usual prefix (`w:tag`, `sheet`)
 * @param name the attribute's name with the usual prefix
 * @param raw its value, with entities
 */
export function attributeForm(element: string, name: string, raw: string): AttributeForm | undefined {
  if (raw.length < 4 || name === 'xmlns' || name.startsWith('xmlns:')) return undefined;
  const local = localName(name);
  const owner = localName(element);
  const isPersonal = words.has(local) || words.has(name) || wordsOf.get(local)?.has(owner) === true;
  if (name.startsWith('office:') && cellValues.has(local)) return hasLongNumber(raw) ? 'cell-value' : undefined;
  if (numbersOnly.has(local) || (local === 'v' && owner === 'n')) return hasLongNumber(raw) ? 'number' : undefined;
  if (!isPersonal && isMachinery(owner, local, raw)) return undefined;
  return referenceForm(element, name);
}

/** True for the value of an OpenDocument cell or variable, which its text repeats. */
export function isCellValue(name: string): boolean {
  return name.startsWith('office:') && cellValues.has(localName(name));
}

/** True for texts that refer to sheets and names of a workbook, as formulas do in any vocabulary. */
export function isFormula(element: string | undefined): boolean {
  return element !== undefined && /^(?:f|definedName|formula\d?)$/.test(localName(element));
}

function isMachinery(owner: string, local: string, raw: string): boolean {
  if (machinery.has(local) || machineryElements.test(owner) || guid.test(raw) || instant.test(raw)) return true;
  const digits = raw.replace(/\D/g, '').length;
  const isId = /ids?$/i.test(local) || local === 'continue-list' || /^rsid/i.test(local);
  // `x`, `cx`: positions and sizes.
  if (number.test(raw)) return isId || local.length <= 2 || /\D/.test(raw) || digits <= idDigitsMax;
  return /^[\w.:-]+$/.test(raw) && (isId || (digits < 9 && raw.length <= wordLengthMax));
}

/** True for a number too long for an amount, as in cells. */
function hasLongNumber(raw: string): boolean {
  return wholeDigits(raw) !== undefined || !number.test(raw);
}

function referenceForm(element: string, name: string): AttributeForm {
  const local = localName(name);
  if (
    (element === 'table' && /^(?:name|displayName)$/.test(local)) ||
    (element === 'definedName' && local === 'name')
  ) {
    return 'name';
  }
  const isSheet =
    (element === 'sheet' && local === 'name') ||
    (/^(?:worksheetSource|dataRef)$/.test(element) && /^(?:sheet|name)$/.test(local)) ||
    (element === 'hyperlink' && local === 'location') ||
    (name.startsWith('table:') && local !== 'value') ||
    name === 'config:name' ||
    local.endsWith('address');
  return isSheet ? 'sheet' : 'text';
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
