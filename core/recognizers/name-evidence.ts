/** What stands around a pair of capitalised words and speaks for a person: labels, verbs, degrees, neighbours in a list. */
import { isAsciiLetter } from '../characters.ts';
import { CodeSet } from '../code-set.ts';
import { WordSet } from '../word-set.ts';
import { nameLabel } from './japanese-name-words.ts';
import { isLatinLetter } from './latin-words.ts';

/** A word before a name that announces one. */
export type Cue = { readonly text: string; readonly weight: number };

/** Who may stand behind a label, in the singular: people, by what they are to somebody or do in a document. */
const roles =
  'account manager,adjuster,adviser,advisor,agent,analyst,apologies,applicant,approved by,approver,assigned to,assignee,attendee,attorney,attending,attention,attn,author,authorised by,authorized by,beneficiary,bill to,billed to,billing to,borrower,captain,command,brother,buyer,caller,candidate,caregiver,carer,cardholder,care of,case worker,caseworker,cc,chair,chaired by,child,children,claimant,client,clinician,clerk,co-signer,complainant,consultant,contact,contact person,counsel,customer,daughter,dear,debtor,defendant,delegate,dependant,dependent,director,doctor,driver,emergency contact,employee,engineer,escalation,examiner,executor,facilitator,father,fao,for the attention of,from,gp,guarantor,guardian,guest,heir,holder,host,husband,insured,interviewer,interviewee,investigator,issued to,judge,kin,landlord,lawyer,lead,lead passenger,learner,lessee,lessor,lodger,manager,member,mentor,midwife,minutes by,mother,next of kin,nominee,notary,note taker,nurse,occupant,officer,on call,on-call,operator,panel,companion,hirer,additional driver,cover teacher,executor,organiser,organizer,owner,parent,parents of,participant,partner,passenger,patient,payee,payer,pharmacist,physician,pilot,plaintiff,player,prepared by,present,presenter,primary,prime,principal,proctor,pupil,purchaser,raised by,re,recipient,recruiter,referee,reference,referred by,registrant,reported by,reporter,reports to,representative,requested by,requester,requestor,resident,respondent,reviewed by,reviewer,sales rep,salesperson,secondary,secretary,seller,sender,ship to,shipped to,shipping to,sign,signed,signed by,signatory,signature,sister,solicitor,son,speaker,spouse,staff,student,submitted by,supervisor,surgeon,surname,survivor,teacher,technician,tenant,testator,therapist,to,trainee,trainer,translator,traveler,traveller,trustee,tutor,undersigned,user,vendor contact,verified by,victim,visitor,wife,witness,worker,writer,written by'.split(
    ',',
  );
const roleLabel = new RegExp(
  `(?:^|[^A-Za-z])((?:${roles.join('|')})(?:'?s)?(?:[ _-]?(?:full[ _-]?)?name)?|(?:[a-z]{2,12}[ _-]){0,2}name(?:s|\\(s\\))?(?: as in passport)?)[ _-]?[0-9]{0,2}["'\`*_\\])]{0,3}(?: ?\\([^()\\n]{1,24}\\))?["'\`*_\\])]{0,3}[ \\t]{0,3}(?:[:=|\\t\\u2013\\u2014]|->| {2})["'\`*_]{0,3}[ \\t:|]{0,8}\\n?[ \\t]{0,8}(?:\\(?[0-9]{1,2}[.)] )?["'\`*_\\[(]{0,3}$`,
  'i',
);
const personRoles = roles.filter(
  (role) =>
    !/^(?:cc|dear|from|to|re|present|lead|sign|signed|user|primary|secondary|prime|reference|on.call|.* (?:to|by|of))$/.test(
      role,
    ),
);
/** `adjuster Jo Doe`, `her solicitor, Jo Doe`. */
const roleBefore = new RegExp(
  `(?:^|[^A-Za-z])(?:${personRoles.join('|')}|aider|colleague|neighbour|neighbor|friend|boss|accountant|trainee|captain|pilot|chef|founder|editor|professor|coach),? $`,
  'i',
);
/** Phrases that a name follows without a sign between. */
const phrase =
  /\b(my name(?: is|'s)|name is|full name|name of|dear|attn|attention|hello|hi|hey|regards|sincerely|faithfully|truly|cheers|yours|thanks|best|wishes|signed|(?:customer|patient|employee|tenant|applicant|claimant|witness|driver|student|passenger|resident|colleague|manager|solicitor|attorney|counsel|husband|wife|spouse|son|daughter|brother|sister|father|mother|teacher|contact) ?)[,:]?\s{1,4}["']?$/i;
const strongLabel =
  /name|dear|attn|patient|customer|employee|holder|recipient|passenger|applicant|tenant|landlord|spouse|wife|husband|claimant|witness|attendee|present|apologies|signatory|beneficiary|kin|insured|pupil|student/i;
const mailLabel = /^(?:from|to|cc|by|re|sign(?:ed)?|present|primary|secondary|lead|user|reference)$/i;
const tag = /<\/?([a-z][\w.-]{0,30})[^<>]{0,40}>/gi;
const htmlTag = /^(?:t[dhr]|tbody|table|d[dtl]|[buip]|br|li|ul|ol|em|strong|span|div|h[1-6]|a|small|label|section)$/i;
const labelReach = 72;

/** The last words of labels and phrases; most words before a name are none of them. */
const cueWords = new WordSet([
  ...roles.map((role) => role.slice(role.lastIndexOf(' ') + 1).replace(/^.*-/, '')),
  ...'s is of hello hi hey regards sincerely faithfully truly best wishes cheers yours thanks pilot command captain borrower td th dd dt b strong span em p li passport colleague'.split(
    ' ',
  ),
]);

/** False when the last word before `start` is no word of a cue. */
function mayBeCue(text: string, start: number): boolean {
  let end = start;
  while (end > 0 && start - end < 12 && !isLatinLetter(text.charCodeAt(end - 1))) end--;
  let from = end;
  while (from > 0 && end - from < 14 && isLatinLetter(text.charCodeAt(from - 1))) from--;
  if (end === from) return false;
  const word = lastPartStart(text, from, end);
  if (cueWords.hasIn(text, word, end)) return true;
  const singular = (text.charCodeAt(end - 1) | 0x20) === 0x73 ? end - 1 : end;
  return (
    (singular < end && cueWords.hasIn(text, word, singular)) ||
    ((text.charCodeAt(singular - 1) | 0x20) === 0x65 &&
      singular - word > 3 &&
      isName(text.slice(singular - 4, singular)))
  );
}

function isName(word: string): boolean {
  return word.toLowerCase() === 'name';
}

/** Where the last word in camel case begins. */
function lastPartStart(text: string, from: number, end: number): number {
  let start = end;
  while (start > from && isSmall(text.charCodeAt(start - 1))) start--;
  const capital = text.charCodeAt(start - 1);
  const isPart = start - 1 > from && capital >= 0x41 && capital <= 0x5a && isSmall(text.charCodeAt(start - 2));
  return isPart ? start - 1 : from;
}

function isSmall(c: number): boolean {
  return c >= 0x61 && c <= 0x7a;
}

/** The label or phrase directly before a place. */
export function cueBefore(text: string, start: number): Cue | undefined {
  const sign = text.charCodeAt(start - 1);
  if (sign > 0x2fff || text.charCodeAt(start - 2) > 0x2fff) {
    const label = nameLabel.exec(text.slice(Math.max(0, start - 24), start))?.[0];
    return label === undefined ? undefined : { text: label.trim(), weight: 2.2 };
  }
  if (!mayBeCue(text, start)) return undefined;
  const near = text.slice(Math.max(0, start - labelReach), start);
  const plain = near.includes('>') ? withoutTags(near) : near;
  const label = endsInSign(plain) ? roleLabel.exec(plain)?.[1]?.toLowerCase() : undefined;
  if (label !== undefined)
    return { text: label, weight: mailLabel.test(label) ? 1 : strongLabel.test(label) ? 2.2 : 1.5 };
  const said = phrase.exec(near)?.[1]?.trim().toLowerCase();
  return said === undefined ? undefined : { text: said, weight: strongLabel.test(said) ? 2.2 : 1.2 };
}

/** What may stand between the sign behind a label and a name, other than digits and white space. */
const behindSign = new CodeSet('"\'`*_.)([');
/** What is or ends such a sign; two blanks are one, too. */
const labelSigns = new CodeSet(':=|\t>\u2013\u2014');

/** False when no sign stands before a name, so that {@link roleLabel} is not looked for. */
function endsInSign(near: string): boolean {
  for (let i = near.length - 1; i >= 0; i--) {
    const c = near.charCodeAt(i);
    if (labelSigns.has(c) || (c === 0x20 && near.charCodeAt(i - 1) === 0x20)) return true;
    if (c !== 0x20 && c !== 0x0a && !behindSign.has(c) && !(c >= 0x30 && c <= 0x39)) return false;
  }
  return false;
}

/** Tags as signs behind labels; the names of XML elements are labels themselves. */
function withoutTags(near: string): string {
  return near
    .replace(tag, (whole, name: string) => (whole[1] === '/' || htmlTag.test(name) ? ' : ' : ` ${name}: `))
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[:\s]*:[:\s]*$/, ': ');
}

/** People speak, are asked and are met. */
const verbBefore =
  /\b(?:sp(?:oke|eak|oken|eaking)|talk(?:s|ed|ing)?|chat(?:s|ted|ting)?|met|meet(?:s|ing)?|call(?:s|ed|ing)?|contact(?:s|ed|ing)?|ask(?:s|ed|ing)?|tell|told|e-?mail(?:s|ed|ing)?|ping(?:s|ed)?|remind(?:s|ed)?|thank(?:s|ed)?|invite[sd]?|hire[sd]?|report(?:s|ed|ing)?|assign(?:s|ed)?|refer(?:s|red)?|introduce[sd]?|interview(?:s|ed)?|represented|accompanied|married|named|known as|described as|identified as|aka|nee|née|1:1|one-on-one|behalf|congratulat(?:e|ions)|thanks|grateful|confirms? that|certif(?:y|ies) that|stay(?:s|ed|ing)?|note to|letter (?:to|for)|message to|under|blocked|waiting|behalf of|care of|met up|lunch|dinner|coffee|loop(?:ed)? in|cc(?:'d|ed)?|this is|i'm|i am|it's)(?: (?:in )?(?:to|with|by|for|of|from|about|on|at|out to|over to))?[ ,(]{1,2}$/i;
/** The same, of other things as well. */
const linkBefore =
  /\b(?:wish(?:es)?|employs?|sue[sd]?|agreed?|discuss(?:ed)?|deal(?:t|s)?|v|vs|versus|and|or|with|by|for|from|to|that|is|between)(?: (?:with|by))?[ ,(]{1,2}$/i;
/** The last words of what verbs and links match; most words before a name are none of them. */
const verbEnds = new WordSet(
  [
    'spoke speak spoken speaking talk talks talked talking chat chats chatted chatting met meet meets meeting call calls called calling contact contacts contacted contacting ask asks asked asking tell told mail mails mailed mailing email emails emailed emailing ping pings pinged remind reminds reminded thank thanks thanked invite invited invites hire hired hires report reports reported reporting assign assigns assigned refer refers referred introduce introduced introduces interview interviews interviewed represented accompanied married named as aka nee née one behalf congratulate congratulations grateful that stay stays stayed staying to for under blocked waiting of up lunch dinner coffee in cc cced d is m am s',
    'with by from about on at out over',
    'wish wishes employ employs sue sued sues agree agreed discuss discussed deal deals dealt v vs versus and or between',
    'aider colleague neighbour neighbor friend boss accountant trainee captain pilot chef founder editor professor coach',
    ...personRoles,
  ]
    .join(' ')
    .split(/[ -]/),
);

/** False when what ends at `start` can neither be a verb nor a link nor a role. */
function mayEndVerb(text: string, start: number): boolean {
  let end = start;
  while (end > 0 && start - end < 2 && isVerbGap(text.charCodeAt(end - 1))) end--;
  if (end === start) return false;
  let from = end;
  while (from > 0 && end - from < 16 && isLatinLetter(text.charCodeAt(from - 1))) from--;
  // `1:1` ends in no letter.
  return from === end ? text.charCodeAt(end - 1) === 0x31 : verbEnds.hasIn(text, from, end);
}

/** A blank, a comma and `(`. */
function isVerbGap(c: number): boolean {
  return c === 0x20 || c === 0x2c || c === 0x28;
}

/** Degrees, ages, and what people do. */
const behind =
  /^(?:,? (?:M\.?D|Esq|Ph\.?D|[KQ]C|RN|R\.N|CPA|MP|DDS|D\.D\.S|JP|Jr|Sr|I{2,3}|OBE|MBE|CBE|FRCS|FRCP|MBBS|MRCP|LLB|LLM|MBA|PE|DVM|JD|LCSW|CFA)(?![a-z])|,? \(?(?:aged? )?[0-9]{1,2}(?:[,)]| years)| <[\w.+-]{1,64}@|,? \((?:chair|he|she|they|him|her|b\.|born|aged?|d\.?o\.?b|ext|x[0-9]|mother|father|spouse|wife|husband|son|daughter|sister|brother|parent|guardian|minutes|notes|remote|dial-in|via|year [0-9]|tier [0-9]|hr\b|finance|legal|[\w.+-]{1,64}@)| (?:and (?:his|her|their|my|I)\b|on behalf|said|says|asked|told|wrote|writes|replied|confirmed|called|calls|joined|joins|emailed|mentioned|suggested|agreed|explained|resigned|signed|complained|requested|reported|reports|thinks|wants|lives|lived|works|worked|left|starts|started|moved|noted|added|raised|presented|apologi[sz]ed|died|was born|will (?:be |contact|call|send|join|lead|take|drop|collect|present|attend|visit|follow|circulate|draft|prepare|check|update|review|share)|is (?:on |the |our |my |a |your |in |out |away|based|leaving|joining|moving|not |available|responsible|requesting|asking)|has (?:asked|been|confirmed|requested|joined|left|agreed|sent|reported|not |never )|who\b|whom\b|would like|never received|needs|has a)|['’]s (?:number|mobile|cell|phone|birthday|bday|email|e-mail|address|manager|account|laptop|mother|father|wife|husband|partner|son|daughter|file|record|passport|salary|contract|appointment|team|desk|password|claim|case|estate|request|referral|insurance|policy|leave)\b|,? (?:residing|of [0-9]|born|resident|holder of|d\.?o\.?b|employee|ssn|tel\b|mobile|phone|email|e-mail|ext)|: | seconded| moved| abstained| (?:in|from|at) (?:HR|IT|Finance|Legal|Accounts|Payroll|Sales|Marketing|reception|procurement)\b| [|·•] (?:Senior|Junior|Lead|Head|Chief|Vice|Account|Sales|Director|Manager|Partner|Consultant|Engineer|Analyst|Buyer|Solicitor|Associate)| \u2013 Year [0-9]| wrote:| -{1,2} |\s[\u2013\u2014] )/i;
/** The first two letters of the words in those: most words behind a name begin with others. */
const behindPairs = new Set(
  'ab ad ag an ap as at bo ca cb cf co cp dd di do dv em es ex fr ha ho ii in is jd jo jp jr kc lc le li ll mb md me mo mp mr ne no ob of on pe ph pr qc ra re rn sa se si sr ss st su te th to wa wh wi wo wr'
    .split(' ')
    .map((pair) => pairOf(pair.charCodeAt(0), pair.charCodeAt(1))),
);

function pairOf(first: number, second: number): number {
  return ((first | 0x20) << 8) | (second | 0x20);
}

/** False when what begins at `end` can be none of those. */
function mayBeBehind(text: string, end: number): boolean {
  const c = text.charCodeAt(end);
  let at = end + 1;
  if (c === 0x2c) {
    if (text.charCodeAt(at++) !== 0x20) return false;
  } else if (c !== 0x20) return c === 0x27 || c === 0x2019 || c === 0x3a || c < 0x20 || c > 0x7e;
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  return !isAsciiLetter(first) || !isAsciiLetter(second) || behindPairs.has(pairOf(first, second));
}

/** Behind a name, before the next one of a list. */
const listGap =
  /^(?:\)|['’]s)?(?:,? (?:and|&|or|y|et|und|with|vs\.?|v\.?) (?:by |to |with )?|, |; | \/ |,?\r?\n[ \t]*(?:[-*\u2022] |[0-9]{1,2}[.)] ))$/;

/**
 * How much the words around a pair speak for a person, from 0 to about 2.
 * @param previousEnd where the name before ended, or -1
 */
export function evidenceAround(text: string, start: number, end: number, previousEnd: number): number {
  let weight = 0;
  if (previousEnd >= 0 && start - previousEnd < 16 && listGap.test(text.slice(previousEnd, start))) weight += 2;
  if (mayBeBehind(text, end) && behind.test(text.slice(end, end + 72))) weight += 1;
  if (!mayEndVerb(text, start)) return weight;
  const near = text.slice(Math.max(0, start - 32), start);
  if (verbBefore.test(near) || roleBefore.test(near)) weight += 1;
  else if (linkBefore.test(near)) weight += 0.5;
  return weight;
}

const occupations = new WordSet(
  'Engineer Developer Manager Director Analyst Officer Consultant Nurse Partner Associate Assistant Administrator Architect Accountant President Chair Chairman Chairwoman Secretary Treasurer Head Lead Senior Junior Principal Chief Vice Executive Founder CEO CTO CFO COO VP Sales Marketing Software Product Project Human Customer Account Finance Financial Legal Solicitor Attorney Surgeon Physician Professor Lecturer Teacher Editor Designer Recruiter Coordinator Specialist Technician Supervisor Representative Registrar Tel Phone Mobile Cell Email Fax Esq Jr Sr'.split(
    ' ',
  ),
);

/** True for what a person does for a living, as a capitalised word behind the name: no sign that the pair is something else. */
export function isOccupation(word: string): boolean {
  return occupations.hasExactly(word);
}
