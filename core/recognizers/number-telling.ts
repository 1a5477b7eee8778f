/** How a number is told in a sentence, a form or a chat: what stands directly before it, and whether it follows another as a list or in its place. */
import { stateBefore } from './us-states.ts';

/** Words that a number follows when its own word stands further off. */
const tellers =
  /(?<![A-Za-z_])(?:it'?s|it is|its|is|was|are|were|be|been|have|has|had|hold(?:s|ing)?|used?|using|types?|gives?|gave|given|got|get|put|shows?|showed|showing|shown|rejects?|that'?s|that|reads?|reading|says|said|saying|writes|wrote|written|as|mine|to|numbers?|num|nr|no|nos|with|under|actually|again|one|ones|this|here|sure|ok|okay|yes|yeah|yep|sorry|quotes?|carrying|bearing|confirms?|uh|um|erm?|hmm|well|i mean|i meant|rather|correct|correction|right|new|old|current|previous|previously|former|formerly|now|value|answer|valid|invalid|active|id|against|namely|viz|i\.e\.|being|like this|for you|follows|below|[a-z]{3,}ed|lists?|returns?|run|ran|stating|state[ds]?|(?:wrote|copied|noted|jotted|took|written|wrote it|put it|scribbled) down|is still|too|as well|not|nummer|n[uú]mero|num[eé]ro|numer|n[°º]|ist|lautet|est|è|es)[.:,#"'`*_…-]{0,4} ?["'“„(#№]?$/i;
/** Those that look like tellers: `required D1234567`. */
const noTellers =
  /(?<![A-Za-z])(?:need|required|needed|seed|feed|speed|red|bed|led|fixed|united|limited|expired|dated|priced|located|based|attached|enclosed)[.:,"']{0,2} ?$/i;
/** `Lou: `, `[10:43] Lou: `, `> `, `Q3) ` at the beginning of a line. */
const turn =
  /(?:^|\n) {0,8}(?:[-*•<>#]{1,3} {0,3})?(?:\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[ap]m)?\]?[ -]{0,3})?(?:[^\n:>]{1,24}(?: ?\([0-9:apm ]{4,8}\))?[:：>=-]{1,2} ?)?["'“「(]?$/i;
/** `…番号は`, `…：`, `…です。` */
const japaneseTelling =
  /(?:番号|ナンバー|No\.?|正しくは|新しい(?:の|番号)?|今の|現在|以下|こちら|次の通り|控え)?(?:は、?|が|も|を|で|、|：|:|＝|=|→|「|『|（|\(|です|。|　|に|と)[ \u3000「『（(]{0,2}第?$|(?:番号|ナンバー|No\.?) ?第?$/;
const punctuation = /[→–—>|“"„「『([{]["'(]? ?$|(?:->|=>|--|::) ?$|[.…]{2,3} ?$|[;|\t]["']?$/;
/** `bag no. `, `posting `, `tier: ` */
const lastWord =
  /(?<![A-Za-z])([A-Za-z][A-Za-z'’-]*)((?:[ _.-]{1,2}(?:no|nr|num|number|id|#|code))?[.:]{0,2}["'`*_]{0,2}) ?([:=#]{0,2}) ?["'`*_“(#]{0,2}$/i;
/** Who answers, `guest: `. */
const persons =
  /^(?:customers?|clients?|guests?|callers?|users?|agents?|members?|applicants?|renters?|hirers?|patients?|visitors?|drivers?|me|him|her|them|answer|reply|response)$/i;
const linkWord =
  /^(?:[a-z]|ll|bearing|digits?|master|permit|it'?s|that'?s|as|with|under|new|s|is|was|has|had|says|said|yes|ok|same|this|and|or|but|to|of|by|on|for|in)$/i;
/** The numbered fields of the European and American cards. */
const fieldMark = /(?:^|[\s(,;])(?:4[a-d]|5)[.)] ?$/;
/** Behind the end of a sentence, or between quotes. */
const opening = /[.!?…]["'”’)]{0,2}\s["'“(]?$|["'”’)]\s["'“(]$|[→–—>|([{「『“„]["'(]? ?$/;
/** `Mine: Ana Ruiz, `, `driver Ana Ruiz (` */
const ofPerson =
  /(?:^|[:;.\n(,]|(?<![a-z])(?:driver|renter|hirer|applicant|guest|me|mr|ms|mrs)\.?) ?[A-Z][a-zé'-]+ (?:[A-Z]\.? )?[A-Z][A-Za-zé'-]+(?:, | [(]|: )$/;
/** `check ID: `: of the check. */
const ofQuery = /^(?:check|verify|verification|lookup|search|query|result|box|file|photo)$/i;
/** What a label of any number may be made of. */
const plainWord =
  /^(?:document|doc|id|identification|card|state|issued|number|numbers|no|num|nr|nos|value|val|text|new|old|correct|current|actual|real|right|full|the|my|his|her|their|your|our|a|an|and|or|of|in|on|for|from|by|it|me|him|answer|reply|response|result|reading|output|entered|typed|scanned|copy|scan|back|front|digits|same|first|second|other|last|details?|info|information|data|below|here|usa|was|is|nummer|lookup|search|query|check|verify|verification|field|box|line|raw|ocr|mrz|barcode|aamva|daq)$/i;
/** Things with numbers of their own, whatever stands between them and the number. */
const things =
  /(?<![A-Za-z])(codes?|case|orders?|tickets?|confirmation|conf|policy|policies|claims?|accounts?|acct|a\/c|passports?|visas?|badges?|membership|employees?|emp|staff|payroll|bookings?|reservations?|invoices?|ref|references?|serials?|parts?|items?|articles?|plates?|tag|registration|reg|rego|vin|chassis|engine|tel|telephone|phone|mobile|cell|fax|call|dial|whatsapp|gate|rooms?|flights?|seats?|models?|insurance|insurer|templates?|keys?|applications?|requests?|images?|receipts?|tracking|parcels?|shipments?|sku|versions?|builds?|devices?|bank|students?|incidents?|jobs?|errors?|dockets?|citations?|summons|contracts?|agreements?|certificates?|certification|cert|offices?|exams?|tests?|courses?|lessons?|products?|activation|subscriptions?|zip|postcode|pin|sn|ssn|social security|tax|ein|itin|medicare|medicaid|nhs|npi|dea|units?|bus|route|trip|bay|dock|locker|amount|fees?|fine|total|price|cost|balance|payments?|transactions?|txn|deposit|mileage|odometer|km|miles|questions?|page|section|row|index|port|count|size|bytes|batch|lot|asset|equipment|machine|container|vehicle|fleet|project|task|issue|pr|commit|ip|extension|ext|barcode|patent|stock|bill|quotation|estimate|po|rma|warrant|court|voter|library|gym|loyalty|rewards?|isbn|hash|token|session|facility|store|branch|desk|building|suite|apartment|apt|box|drawer|bag|folder|envelope|cabinet|shelf|lease|cheque|check)(?:[ _]?(?:no|nr|num|number|id|code|key|nbr|reference|ref)\.?)?(?: (?:card|record|file))?(?: (?:is|was|are|of|for|as|to|with|under|your|my|the)){0,2}[.:,="'`*_ #№(“[-]{0,6}$/i;
const japaneseThings =
  /(?:コード|(?:会員|予約|注文|受付|社員|顧客|整理|管理|案件|契約|伝票|商品)(?:番号|No\.?|ID)?)(?:は|[:：= ]){0,2}$/;
/** `on account to `, `over the phone: `: said of how, not of what. */
const manner =
  /(?<![A-Za-z])(?:over|by|on|via|in|from|for|into|to) (?:(?:the|my|your|his|her|our|their|this) )?(?:[a-z]+ )?(?:phone|account|file|profile|card|system|form|application|app|booking|reservation|policy|portal|page|screen|record|contract|agreement|claim|case|ticket)(?=(?: (?:to|as|is|was|shows?|reads?|says|now|,)| ?[:,—–-])["'“(]? ?["'“]?$)/gi;
/** The number is the example of a rule. */
const isExample =
  /(?<![a-z])(?:formats?|patterns?|samples?|looks? like|such as|like|e\.g\.|eg|for example|for instance|regex|placeholder|dummy|fake)[^\n0-9]{0,16}$/i;

/** White space as it is written inside of strings of code and logs, `\n`, as such. */
export const spaced = (text: string) => (text.includes('\\') ? text.replace(/\\[nrt]/g, ' \n') : text);

/** True when words directly before a number say where it is told, not what it is. */
export const isManner = (head: string) => head.replace(manner, '') !== head;

/**
 * True when the words directly before a number say of what other thing it is.
 * @param own words for the number itself
 */
export function isOfThing(head: string, own: RegExp): boolean {
  return isNamedThing(head, own) || isExample.test(head) || isOtherLabel(head, own);
}

/** The same for things that are known to have numbers. */
export function isNamedThing(head: string, own?: RegExp): boolean {
  const plain = head.replace(manner, '');
  const thing = things.exec(plain)?.[1];
  return (thing !== undefined && own?.test(thing) !== true) || japaneseThings.test(plain);
}

/**
 * How clearly the words directly before a number tell it: 1.5 for `it's`, 1 for brackets and the beginning of a sentence,
 * 0 for a comma, -2 for the name of something unknown.
 */
export function weightOfTelling(head: string, own: RegExp): number {
  if (/[\u3000-\u9FFF\uFF1A][^\u3000-\u9FFF\uFF1A]{0,6}$/.test(head) && japaneseTelling.test(head)) return 1.5;
  if ((tellers.test(head) && !noTellers.test(head)) || turn.test(head) || fieldMark.test(head)) return 1.5;
  if (opening.test(head)) return 1;
  if (ofPerson.test(head)) return 1;
  const word = lastWord.exec(head);
  if (word !== null) {
    const [, name = '', joint = '', sign = ''] = word;
    const isLabel = sign !== '' || /[:=#]/.test(joint);
    if (plainWord.test(name) || own.test(name) || (isLabel && persons.test(name))) return 1.5;
    return isLabel || /^[a-z]/.test(name) ? -2 : 0;
  }
  return punctuation.test(head) ? 1 : 0;
}

/** `posting number `, `user_id=`: of a thing that is no licence. */
function isOtherLabel(head: string, own: RegExp): boolean {
  const named = otherLabel.exec(head);
  const label = named?.[1];
  return (
    label !== undefined &&
    ((!plainWord.test(label) && !own.test(label)) || ofQuery.test(label)) &&
    !linkWord.test(label) &&
    // `New York ID`
    !stateBefore.test(`${head.slice(0, (named?.index ?? 0) + label.length)} `)
  );
}

const otherLabel =
  /(?<![A-Za-z])([A-Za-z][A-Za-z'’]*)\.?[ _-](?:no|nr|num|nos|number|id)["'`]?(?: (?:is|was))?[.:=]{0,2} ?["'“(#]?$/i;

/** Between a number and one that replaces it or stands beside it. */
const cue =
  /(?<![A-Za-z])(?:and|or|not|but|to|instead|sorry|nope|wait|oops|actually|mean|meant|rather|should|correct(?:ed|ion)?|now|new|old|previous(?:ly)?|former(?:ly)?|other|second|wife|husband|partner|spouse|brother|sister|son|daughter|anybody else|anyone else|additional|replaced|changed?|updated|versus|vs|maybe|mine|hers|ours|theirs|typo|wrong|respectively|plus|then|also|application says|that one)(?![A-Za-z])|→|->|=>|、|と|ではなく|正しくは|訂正|誤/i;
const justList = /^["'”’)]{0,2} ?[,;/&、・|]? ?(?:and|or|&)? ?["'“(]?$|^[ \t]*\r?\n[ \t]*(?:[-*•・][ \t]*)?$/i;

/** True when the text between two numbers says that they are alike: a list, a correction, an old one and a new one. */
export function isInstead(gap: string, told: number): boolean {
  if (justList.test(gap)) return true;
  return cue.test(gap) && told > -1 && !/[0-9]{3}/.test(gap) && (gap.match(/\n/g)?.length ?? 0) < 3;
}
