/** Forms of registration plates around the world, and how rare each is among other things with letters and digits. */

/** Of scripts that have little else of their form: Korea, China, Russia, Thailand. */
const ofOwnScript =
  '(?<![0-9가-힣])[0-9]{2,3}[가-힣] ?[0-9]{4}(?![0-9])|[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z][ ·•]?[A-Z0-9]{5,6}(?![0-9A-Za-z])|(?<![А-Яа-я])[АВЕКМНОРСТУХ][ ]?[0-9]{3}[ ]?[АВЕКМНОРСТУХ]{2}[ ]?[0-9]{2,3}(?![0-9])|(?<![ก-๛])[0-9]?[ก-ฮ]{2}[ -]?[0-9]{1,4}(?![0-9])';
/** What may be a plate; its form is weighed by {@link weightOfPlate}. Sees four characters before and eight behind. */
export const plateForms =
  /(?<![0-9A-Za-zÀ-ÿ_./$€£#@&+-])(?=[A-ZÄÖÜa-z -]{0,7}[0-9])(?:[A-ZÄÖÜ]{1,3}-[A-Z]{1,2}[ -]?[0-9]{1,4}[EH]?|[a-z]{2} ?[0-9]{2} ?[a-z]{3}|[A-ZÄÖÜ]{2}[ -]?[0-9]{1,2}[ -]?[A-Z]{1,3}[ -]?[0-9]{4}|[0-9]{2}[A-Z][0-9A-Z]?-?[0-9]{3}\.[0-9]{2}|[A-Z0-9]{1,4}(?:[ ·-][A-Z0-9]{1,5}){1,2}|[A-Z0-9]{5,8})(?![0-9A-Za-zÀ-ÿ_-]|[./@][0-9A-Za-z])/g;
/** The same of other scripts. */
export const plateFormsOfScripts = new RegExp(ofOwnScript, 'g');

/** Of the United Kingdom, Germany, France, India, Ireland, California, Belgium, Vietnam: little else looks so. */
const rare =
  /^(?:[A-Z]{2}[0-9]{2} ?[A-Z]{3}|[a-z]{2}[0-9]{2} ?[a-z]{3}|[A-Z]{2} [0-9]{2} [A-Z]{3}|[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} ?[0-9]{1,4}[EH]?|[A-Z]{2}-[0-9]{3}-[A-Z]{2}|[A-Z]{2}[ -]?[0-9]{1,2}[ -]?[A-Z]{1,3}[ -]?[0-9]{4}|[0-9]{2,3}-[A-Z]{1,2}-[0-9]{2,6}|[1-9][A-Z]{3}[0-9]{3}|[12]-[A-Z]{3}-[0-9]{3}|[A-Z]{3}[0-9][A-Z][0-9]{2}|[0-9]{2}[A-Z][0-9A-Z]?-?[0-9]{3}\.[0-9]{2}|(?:[A-Z]{3} [0-9]{3}|[A-Z]{2} [0-9]{2} [A-Z]{2}) (?:GP|EC|FS|MP|NC|NW|L))$/;
/** Of North America, Australia, Spain, Italy, Sweden, Kenya, Singapore: told from numbers of parts by what is around. */
const common =
  /^(?:[A-Z]{3}[ ·-]?[0-9]{3,4}|[0-9]{3,4}[ ·-]?[A-Z]{3}|[A-Z]{3} ?[0-9]{2,3}[A-Z]|[A-Z]{3}[ -][0-9]{2}[A-Z]|[A-Z]{3} [0-9]{1,3}[A-Z]|[A-Z][0-9]{2,3}[ -]?[A-Z]{3}|[A-Z]{3}[ -]?[A-Z][0-9]{2}|[0-9][A-Z]{2}[ -]?[0-9][A-Z]{2}|[A-Z]{2} [0-9]{3} [A-Z]{2}|[A-Z]{2}[0-9]{3}[A-Z]{2}|[A-Z]{3} ?[0-9]{4} ?[A-Z]|[0-9][A-Z]{3} [0-9]{3}|[A-Z]{1,3} [A-Z]{1,2} [0-9]{2,4}|[a-z]{2} [0-9]{2} [a-z]{3}|[A-Z]{3}-[0-9]{2}-[0-9]{2}|[A-Z]{3}-[0-9]{3}-[A-Z]|[0-9]{2}-[A-Z]{2,3}-[0-9]{1,2}|[A-Z]{2}-[0-9]{2}-[A-Z]{2}|[0-9]{2}-[0-9]{2}-[A-Z]{2}|[0-9]-[A-Z]{3}-[0-9]{2}|[A-Z]-[0-9]{3}-[A-Z]{2}|[0-8][0-9] (?!JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|AM|PM)[A-Z]{1,3} [0-9]{2,4})$/;
/** Of Poland, Switzerland, the Czech Republic, Denmark, South Africa, of trucks and of taxis. */
const wide =
  /^(?:[A-Z]{2,3} ?[0-9]{4}[A-Z]|[A-Z]{2} ?[0-9]{5}|[A-Z]{2} [0-9]{4}[ ]?[A-Z]{0,2}|[0-9][A-Z][0-9A-Z] [0-9]{4}|[A-Z] [0-9]{3} [A-Z]{3}|[A-Z]{2} [0-9]{3}[ -][0-9]{3}|[A-Z] ?[0-9]{6}[A-Z]|[A-Z]{2}[ -][0-9]{2} [0-9]{3}|[A-Z]{2} [0-9]{2,3} [A-Z]{2,3}|[A-Z]{1,2} [0-9]{2} [0-9]{3}|[A-Z]{1,2}[0-9]{5,6}|[A-Z]{3} [0-9]{5}|[A-Z]{2}-[0-9]{4}|[0-9]{3}-[A-Z][0-9][A-Z]|[A-Z]{3} [0-9]{1,2}[A-Z]{0,2}|[0-9]{4}-[A-Z]{2})$/;
/** Words, units, currencies, models and codes that have the form of a plate. */
const ofOthers =
  /^(?:(?:RFC|ISO|UTF|AES|SHA|CVE|CWE|ECU|DIN|IEC|API|CPU|GPU|USB|RTX|GTX|LED|HTTP|ICD|ASTM|ANSI|IEEE|RAL|PIN|EXT|ETA|ETD|MSG|TEL|FAX|CAM|APT|BAY|LOT|ROW|BOX|BUS|DOC|FIG|REV|VER|SKU|REF|INV|REG|VIN|CAD|USD|EUR|GBP|JPY|CHF|AUD|INR|SEK|NOK|DKK|PLN|MAX|MIN|CASE|ICE|TGV|RER|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|MON|TUE|WED|THU|FRI|SAT|SUN|AMG|BMW|RAM|GMC|KIA|KTM|CBR|GSX|YZF|RAV|GLA|GLB|GLC|GLE|GLS|CLA|CLS|CLK|SLK|GTI|GTD|GTS|TDI|TSI|CDI|HDI|ABS|ESP|OBD|DTC|SAE|API|ETC|GPS|SIM|IMEI|SLA|FAQ|NO|PO|CO|US|SR|RT|HWY|RTE|EXIT|GATE|UNIT|ROOM|ZONE|FROM|THE|AND|FOR|ALL|NEW|OLD|TOP|BUY|GET|PAY|DAY|CAR|VAN|KEY|AGE|TAX|FEE|JOB|TAB|LEVEL|BAR|OIL|WD|CAT|STE|DEV|BUG|KPI|TAG|REL|WEB|EVT|PDF|GFP|ATF|EVENT|ASSET|STAFF|TASK|ISSUE|TICKET)[ -]?[0-9].*|[A-Z][0-9]{3} (?:MAX|NEO|PRO|XLT|AMG)|[A-Z]{3} [A-Z][0-9]{2}(?<=KPI .*)|(?:at|in|of|to|on|by|is|it|we|he|an|as|or|so|up|no|my|do|go|if|us|am|be|me) .*|.* (?:mph|min|sec|lbs|kgs|hrs|pcs|cms|kph|kmh|and|the|for)|[A-Z]?[0-9]{2,4}[ -]?(?:MPH|KMH|KPH|KMS|MPG|BHP|RPM|HRS|MIN|SEC|LBS|KGS|CCM|PSI|EST|PST|CST|MST|EDT|PDT|UTC|GMT|CET|BST|USD|EUR|GBP|JPY|CAD|AUD|CHF|XLT|LTZ|LTE|AWD|FWD|RWD|SEL|SLT|EXL|TDI|TSI|CDI|HDI|DCI|AMG|LWB|SWB|MWB|GTI|GTS|GTD|PRO|MAX|NEO|THE|AND|FOR|PCS|QTY|BMW|KIA|GMC|RAM|VAC|VDC|KVA|NTU|PPM|LED|SUV)|[0-9]{2,3}[ -](?:CC|HP|PS|KW|KM|MI|NM)|(?:19[5-9]|20[0-4])[0-9][ -]?[A-Z]{2,3}|[A-Z]{1,3}[ -]?(?:19[5-9]|20[0-4])[0-9]|[0-9]{1,3}(?:ST|ND|RD|TH|GB|MB|TB|KWH)|(?=[A-F]*[0-9])[A-F0-9]{6}|[0-9]+[EX][0-9]+|F[1-6]50 [A-Z]{3}|[0-9]{4}[ -](?:AM|PM))$/;
/** What the parts of a plate are joined by. */
const joints = /[ :·.-]/g;

const british = /^[A-HK-PRSVWXY][A-Z](?:0[2-9]|[1257][0-9]|6[0-9]) [A-HJ-PR-Z]{3}$/;

/** 5 for a form that nothing else has, 4 for a rare one, 3 for a common one, 2 for one that codes have, 0 for none. */
export function weightOfPlate(written: string): number {
  if (/[^\0-\u024F]/.test(written)) return 5;
  // Most are numbers side by side.
  if (!/[A-Za-z]/.test(written)) return 0;
  if (british.test(written)) return 5;
  const weight = weightOfForm(written);
  return weight > 0 && ofOthers.test(written) ? 0 : weight;
}

function weightOfForm(written: string): number {
  if (rare.test(written)) return 4;
  if (common.test(written)) return 3;
  return wide.test(written) && written.replace(joints, '').length > 4 ? 2 : 0;
}
