/** What stands around a day and says that somebody was born on it: persons, ages, checks of identity; and what says otherwise. */
import { yearNow } from './birth-dates.ts';

/** Words of texts about persons, as they are searched for; without one, days away from their word are not looked at. */
export const birthSigns: readonly string[] = [
  'patient',
  'nhs',
  'hosp',
  'clinic',
  'prescription',
  'referral',
  'counselling',
  'applicant',
  'candidate',
  'passenger',
  'passport',
  'lead guest',
  'traveller',
  'traveler',
  'insured',
  'policyholder',
  'membership',
  'student',
  'pupil',
  'pid|',
  'player',
  'prisoner',
  'defendant',
  'voter',
  'tenant',
  'beneficiar',
  'dependant',
  'dependent',
  'spouse',
  'kids',
  'child',
  'daughter',
  'kindergarten',
  'nursery',
  'deceased',
  'mrn',
  'cardiology',
  'consult',
  'grandad',
  'grandson',
  'granddaughter',
  'lab ',
  'grandpa',
  'twins',
  'partner',
  'insurance',
  'driver',
  'licen',
  'dl scan',
  ' male',
  ' female',
  'missing person',
  'suspect',
  'undersigned',
  'background check',
  'my son',
  'next of kin',
  'guardian',
  'claimant',
  'resident',
  'employee',
  'power of attorney',
  'pension',
  'id check',
  'identity',
  'verified',
  'verification',
  'security q',
  'security check',
  "he's ",
  'he is ',
  'he was ',
  "dad's ",
  "mum's ",
  "mom's ",
  'mr ',
  'mrs ',
  ' ms ',
  'mr. ',
  'mrs. ',
  ' ms. ',
  'visa',
  'registration',
  'guest',
  'family',
  'wife',
  'husband',
  'roommate',
  'mum (',
  'mom (',
  'dad (',
  'nan (',
  'mum, ',
  'mom, ',
  'dad, ',
  'nan, ',
  'mother, ',
  'father, ',
  'care plan',
  'carer',
  'retiree',
  'donor',
  'infant',
  'attorney',
  'borrower',
  'petitioner',
  'nominee',
  '(m, ',
  '(f, ',
  '(male',
  '(female',
  ' y/o',
  ' yo ',
  'year-old',
  'years old',
  'aged ',
];
/** The same in Japanese: looked for in texts with a day only, so that the words of all recognizers need fewer characters. */
export const japaneseSigns =
  /患者|紹介状|本人(?:確認|様)|ご本人|本人|身元確認|応募者|候補者|申請者|申込者|請求者|契約者|保険|利用者|入居者|運転者|借受人|搭乗者|受診者|受給者|対象者|世帯|続柄|名簿|旅券|氏名|お名前|名前|家族|父は|母は|夫は|妻|長男|長女|次男|次女|息子|娘|園児|生徒|子ども|お子|相続|戸籍|住民票|年金|介護|歳|男性|女性|資格取得|委任|会員|社員|職員|従業員|家系|検診|健診|児童|学童|保護者|新郎|新婦|訃報|お子様|代表者|同伴者|同行者|乗客|搭乗|既往|持病|主訴|入所者/g;
/** Those of them that are no more than a reason to look. */
export const weakSign =
  /^(?:m(?:r|s|rs)[ .]| ms |he (?:is|was) |he's |employee|resident|visa|registration|guest|family|donor|attorney|borrower|petitioner|nominee|\((?:m, |f, |male|female)|本人|契約者|保険)$/i;

/** What may part the fields of a row. */
const joint = '[ \\t,;:/|=()（）\\[「、，・·／：\\u3000"“–—-]';
const sexWord = "(?:男性?|女性?|(?:white |black |asian |hispanic )?(?:male|female)|girl|boy|[MFmf](?![A-Za-z'’.]))";
const ageWord = '(?:[0-9]{1,3} ?(?:歳|代の?|才|y/?o|yrs?|years? old)|(?:aged?|年齢)[ :：]?[0-9]{1,3})';
const codeWord =
  '(?:(?:NI|NINO|NHS|SSN|MRN|PPSN?|SIN|NRIC)(?: (?:no|number))?[.:]? {0,2}[A-Z]{0,2}[0-9][0-9A-Z -]{5,12}|(?:AUS|BRA|CAN|CHN|DEU|ESP|FRA|GBR|IND|IRL|ITA|JPN|KOR|NGA|NLD|PHL|POL|SGP|USA|VNM|ZAF)(?![A-Za-z])|[A-Z]{0,3}[0-9][0-9A-Z-]{4,13}|PP|ID|No\\.?|Passport|旅券|番号)';
const kin =
  '(?:父親?|母親?|夫|妻|主人|家内|長男|長女|次男|次女|二男|二女|三男|三女|息子|娘|孫|祖父|祖母|兄|弟|姉|妹|子|本人|世帯主|配偶者)';
/** Between a person and the day: kin, sex, age, numbers of documents, where somebody lives. */
const fields = `(?:${joint}{1,4}(?:${sexWord}|${ageWord}|${kin}|${codeWord})|\\.?,? of [^,\\n]{3,28}(?=,))*`;
const rest = `${fields}${joint}{0,4}$`;
const latinWord = "[A-ZÀ-Þ][A-Za-zÀ-ÿ'’-]{1,18}";
const honorific = '(?:様|さま|さん|氏|殿|君|くん|ちゃん)';
const japaneseName =
  '(?:[\\u3400-\\u9FFF々ヶ]{1,4}[ \\u3000][\\u3400-\\u9FFF々\\u3041-\\u3096\\u30A1-\\u30FA]{1,5}|[\\u3400-\\u9FFF々]{1,3}[\\u3041-\\u3096]{2,4}|[\\u30A1-\\u30FAー]{1,10}(?:[・ \\u3000][\\u30A1-\\u30FAー]{1,10}){1,3})';
const japaneseRole = `(?:${kin}|患者|氏名|お?名前|申請者|申込者|請求者|契約者|被保険者|被相続人|相続人|利用者|入居者|運転者|借受人|搭乗者|受診者|受給者|対象者|応募者|候補者|生徒|園児|児童|亡くなった方|相談者|申立人|届出人|保護者|加入者|受取人|連絡者|会員名?|社員|職員|従業員|傷病者|祖父|祖母|曾祖父|曾祖母|故|新郎|新婦|大人|子ども|こども|小児|被扶養者|入所者|学生|選手|[\\u3400-\\u9FFF]{1,4}者)`;

/** `Mr Hale, `, `JOHN CARTER MR / ` */
const titled = new RegExp(
  `(?:^|[^A-Za-z])(?:(?:Mrs?|MRS?|Ms|MS|Miss|MISS|Mstr|Herr|Frau|Mme)\\.? (?:[A-Z]\\.? ?){0,2}${latinWord}(?:[ /]${latinWord}){0,3}|[A-Z]{2,18}/[A-Z]{2,18}(?: [A-Z]{2,18})? ?(?:MR|MRS|MS|MISS)?|[A-Z]{2,18}\\^[A-Z]{2,18}[|^]*)${rest}`,
);
const japaneseTitled = new RegExp(
  `(?:[A-Z\\u3041-\\u9FFF々ー]${honorific}|${japaneseRole}(?:の名前)?(?:は|が)?[ \\u3000：:／|（(・]{1,3}(?:${japaneseName}|[\\u3400-\\u9FFF々]{1,6}|[\\u3041-\\u3096]{2,6}))${rest}`,
);
/** `My son Peter Hale, `, `Patient: Ann Lee ` */
const latinRole = new RegExp(
  `(?<![A-Za-z])(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir)? ?(?:[Ss]on|[Dd]aughter|[Gg]rand(?:son|daughter|child)|[Cc]hild|[Kk]ids?|[Bb]aby|[Ww]ife|[Hh]usband|[Ss]pouse|[Pp]artner|[Mm]other|[Ff]ather|[Mm]um|[Mm]om|[Dd]ad|[Nn]an|[Gg]ran|[Uu]ncle|[Aa]unt|[Ff]lat ?mate|[Rr]oom ?mate|[Bb]rother|[Ss]ister|[Pp]atient|[Pp]t|[Pp]risoner|[Ii]nsured|[Aa]pplicant|[Cc]laimant|[Cc]lient|[Tt]enant|[Pp]assenger(?: [0-9])?|[Ss]tudent|[Pp]upil|[Gg]uest|[Cc]andidate|[Nn]ame)(?: (?:is|are|called|named|file|name))?[:,]? \\(?(?:[A-Z0-9]{5,9} )?(?:${latinWord}(?: ${latinWord}){0,3}|(?:[A-Z]\\.){2,3})${rest}`,
);
const plainName = new RegExp(
  `(?:^|[\\n.,;:)|=•·*>-] ?|[0-9][.)]? |(?<![A-Za-z])[a-z]{1,12} |[A-Z0-9]{6,9} |[\\u3041-\\u9FFF] )(?:I, )?(?:${latinWord}(?: [A-Z]\\.?)?(?: ${latinWord}){1,3}|[A-Z]\\. ${latinWord}|${latinWord} [A-Z]\\.|${latinWord}, ${latinWord}(?: [A-Z]\\.?)?|[A-Z]{2,18}, ?[A-Z]{2,18}(?: [A-Z]{1,18})?|[A-Z]{2,18} ${latinWord})${rest}`,
);
const japaneseRoleAlone = new RegExp(`(?:^|[^\\u3400-\\u9FFF])${japaneseRole}[ \\u3000：:（(]{1,3}$`);
const japanesePlain = new RegExp(
  `(?:^|[^0-9\\u3041-\\u3096\\u30A1-\\u30FA\\u3400-\\u9FFF々ー]|は)${japaneseName}${rest}`,
);
/** `He's `, `父は`: people are no days. */
const isPerson =
  /(?<![A-Za-z])(?:s?he|dad|mum|mom|mother|father|husband|wife|son|daughter|brother|sister|gran(?:dma|dpa|ny)?|nan)(?:['’]s| is| was) $/i;
const japaneseIsPerson = new RegExp(`(?:^|[^\\u3400-\\u9FFF])${kin}(?:は|が|：|:|[ \\u3000]|、)?[（(]?$`);
/** `me (`, `wife: `, `roommate ` */
const kinDirect =
  /(?<![A-Za-z])(?:me|myself|mine|self|wife|husband|spouse|partner|son|daughter|mum|mom|mother|dad|father|brother|sister|nan|gran(?:dma|dpa|ny|dad)?|grandson|granddaughter|baby|roommate|flatmate)(?: [0-9])?(?: ?[(:=,–—-] ?| )$/i;
export const isOfKinDirectly = (before: string) => kinDirect.test(before);
/** A check of identity, and in its sentence the day. */
const identityCheck =
  /(?:本人|身元|属性)様?確認(?:事項|済み?|OK|完了|内容|項目|しました|できました|取れました)?。?[^\n。0-9]{0,24}$|(?:\bid|identity|security|dpa|caller)[ _-]?(?:check|verif\w*|verified|questions?|confirmed|passed)[^\n.0-9]{0,40}$|(?<![a-z])(?:verified|authenticated|validated) (?:by|with|via|using|against|on|caller|customer|him|her|them)?[^\n.0-9]{0,36}$/i;

/** Children, whose days may be of these years. */
const child =
  /(?<![a-z])(?:kids?|child(?:ren)?|twins|girl|boy|son|kindergarten|nursery|preschool|sibling|daughter|baby|newborn|pupils?|toddler|grand(?:son|daughter)|u1[0-9]|year [0-9])(?![a-z])|子ども|お子|子供|長男|長女|次男|次女|息子|娘|孫|園児|児童|母子|乳児|続柄|子[／ ：:\u3000]/i;
export const isOfChild = (before: string) => child.test(before);
/** The days of a family and of a class stand close to each other. */
export const isOfKin = (above: string) =>
  child.test(above) ||
  /修学旅行|学生名簿|奨学生|(?<![a-z])(?:spouse|wife|husband|class list)(?![a-z])|配偶者/i.test(above);

/** `me: `, `カスタマー「` */
const turnOnly = /^[ \t>*-]{0,6}(?:\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\]? ?)?[^\n:：「0-9]{1,16}[:：「] ?$/;

/** True for a line that begins with who speaks, and the day alone. */
export const isTurn = (line: string) => turnOnly.test(line) && !labelOnly.test(line);

/** A word that is neither a name nor said of a person: nothing before it is looked at. */
const wordBefore = /(?<![A-Za-z'’])(?!(?:fe)?male|girl|boy|yo|old|yrs?|mr?s?(?![a-z]))[a-z]{2,} $/;

/** The number of a pension says whose day follows. */
const pensionBefore = /(?<![0-9-])[0-9]{4}-[0-9]{6}[、,/| \u3000]{1,3}$/;

/** Labels of days, not those who speak. */
const labelOnly = /date|day|time|日|時|on:|start|end|from|to:|since|until|期|年月|作成|更新|[a-z]ed ?:/i;

/** Nothing but a sex. */
export const isSexAlone = (line: string) => /^[ \t]*(?:(?:fe)?male|[mf]|男性?|女性?)?[ \t/,|、\u3000]*$/i.test(line);

/** How clearly the words before a day in its line speak of a person: 3 with a title or a role, 2 for a name alone. */
export function weightOfPerson(line: string): number {
  if (isPerson.test(line)) return 3.5;
  if (kinDirect.test(line)) return 3;
  if (wordBefore.test(line)) return identityCheck.test(line) ? 3 : 0;
  if (titled.test(line) || japaneseTitled.test(line) || latinRole.test(line)) return 3;
  if (japaneseIsPerson.test(line) || identityCheck.test(line)) return 3;
  if (/(?:^|[ (（])[A-Z][a-z]{1,14} \($/.test(line) && isOfChild(line)) return 3;
  return pensionBefore.test(line) ||
    japaneseRoleAlone.test(line) ||
    plainName.test(line) ||
    japanesePlain.test(line) ||
    isTurn(line)
    ? 2
    : 0;
}

const nameLine = new RegExp(
  `^[ \\t]{0,8}(?:${latinWord}(?: [A-Z]\\.?)?(?: ${latinWord}){1,4}|${latinWord}, ${latinWord}(?: [A-Z]\\.?)?|${japaneseName})[ \\t]*$`,
);
const role =
  'patient|applicant|lead (?:guest|passenger)|passenger|guest|client|insured|tenant|claimant|student|employee|spouse|child|dependant|dependent|beneficiary|name|患者|申請者|申込者|応募者|利用者|被保険者|契約者|請求者|搭乗者|本人|配偶者|氏名|名前';
const roleLine = new RegExp(`^[ \\t#*_]{0,6}(?:${role})(?: [0-9])?(?: details| name)?[ \\t:：*_]{0,4}$`, 'i');
const roleAndName = new RegExp(
  `^[ \\t#*_-]{0,6}(?:${role})(?: [0-9]| name)?[:：] ?(?=${latinWord}|[\\u3040-\\u9FFF])[^\\n0-9]{2,40}$`,
  'i',
);
/** `NI: QQ123456C` */
const codeLine = /^[ \t]{0,8}[^\n:：]{1,20}[:：] ?[A-Z0-9][A-Z0-9 -]{4,16}$/;

/** The same for the lines above a day that begins its own: `PATIENT`, `Ann Lee`. */
export function weightOfLinesAbove(above: string): number {
  const lines = above.split(/\r?\n/).slice(-5, -1);
  if (codeLine.test(lines.at(-1) ?? '')) lines.pop();
  const last = lines.at(-1) ?? '';
  if (roleAndName.test(last)) return 2.5;
  if (!nameLine.test(last)) return 0;
  return roleLine.test(lines.at(-2) ?? '') ? 3 : 1.5;
}

const ages =
  /^[\s,、;:|/()（）・\u3000-]{0,4}(?:(?:男性?|女性?|male|female|[mf])[\s,、;|/・\u3000]{1,2})?(?:(?:now |aged? |満|年齢[:：]?|当時)?([0-9]{1,3}) ?(?:歳|才|y\/?o|yrs?|years?[ -]old)|aged?:? ?([0-9]{1,3})(?![0-9])|([0-9]{2})[)）])/i;
const agesBefore =
  /(?:([0-9]{1,3}) ?(?:歳|才|y\/?o|yrs?(?: old)?|years?[ -]old|[MF])|aged? ([0-9]{1,3}))[\s,、;|/・(（\u3000]{1,3}(?:(?:男性?|女性?|male|female|[mf])[\s,、;|/・\u3000(（]{1,3})?$/i;
const sexBehind =
  /^[\s,、;|/()（）・\u3000]{1,4}(?:[男女]性?(?![\u3041-\u3096\u30A1-\u30FA\u3400-\u9FFF])|(?:male|female|[mf])(?![A-Za-z0-9'’.]))/i;
const sexBefore =
  /(?:^|[\s,、;:|/()（・·：\u3000]|代の?)(?:男性?|女性?|girl|boy|(?:male|female|[mf]))[\s,、;|/()（・·\u3000]{1,4}$/i;

/** What an age, a sex, a phone or a place beside the day says. @param year of the day */
export function weightOfFields(line: string, tail: string, year: number): number {
  const age = ages.exec(tail) ?? agesBefore.exec(line);
  const years = Number(age?.[1] ?? age?.[2] ?? age?.[3] ?? Number.NaN);
  const now = yearNow();
  if (year + years <= now && year + years >= now - 25 && years > 0) return 3;
  if (sexBehind.test(tail) || sexBefore.test(line)) return 2;
  if (/^[\s,、;|/()（・\u3000-]{1,4}(?:[a-z]{2,6}[ :]{1,2})?(?:tel|\+?0[0-9]{1,4}[- 0-9]{6,12})/i.test(tail)) return 1;
  return /^(?:[,、|] ?|[ \u3000]{1,3})(?:[0-9]{1,4} [A-Z]|[A-Z0-9]{6,}|\+[0-9]|[0-9]{4}-[0-9]{6})|^[,（(] ?[A-Z\u30A1-\u30FA\u3400-\u9FFF]/.test(
    tail,
  )
    ? 0.5
    : 0;
}

/** The clause that ends with a day is of another one. */
const otherClause =
  /(?<![a-z])(?:issued?|issuance|expir\w+|released?|updated?|valid|until|hired?|effective|admi(?:tted|ssion)|discharged?|visit\w*|join\w*|signed|signature|registered|deceased|died|death|dod|confirmed|created|changed|checked|modified|next|graduated|married|published|founded|retired|retires|seen|start(?:s|ed|ing)?|end(?:s|ed|ing)?|due|deadline|dated|meeting|appointment|appt|booked|booking|arriv\w+|depart\w+|check-?in|check-?out|flight|outbound|return\w*|invoice|order\w*|placed|purchase\w*|bought|deliver\w*|renew\w*|review\w*|surgery|operation|scan|x-?ray|echo|test|films?|hearing|filed|sent|received|paid|payment|period|lmp|since|enrolled|moved?|term|contract|lease|policy effective|statement|version|section|launch\w*|opened|closed|completed|submitted|posted|printed|recorded|reported|on file since|last|first|service|warranty|mot|flying|leav\w+|date)(?![a-z])(?!['’]s (?:name|maiden))|(?:登録|発行|更新|有効|提出|申請日|受付|受診|診察|初診|入社|退社|退職|取得|交付|期限|締切|〆切|契約日|開始|終了|満期|設立|創業|創立|竣工|公布|施行|判決|死亡|没|逝去|入院|退院|手術|検査|予約|来院|来所|訪問|面接|出発|到着|搭乗日|往路|復路|出国|入国|納品|検収|請求日|支払|入金|注文|購入|発送|転入|転出|喪失|転居|入居予定|婚姻|結婚|離婚|認定日|記入|作成|実施|開催|発売|デビュー|解散|登記|接種|入学|卒業|採用日|勤務|日時|資格取得日?|署名|交通)(?!者)[^、。，,;|\n]{0,12}$/i;
/** Words that a day of something done follows. */
const ofDay =
  /(?<![a-z])(?:on|since|from|until|till|by|of|before|after|at|for|in|between|around|the|v|version|section|no)[ :]{1,2}$/i;
const otherTail =
  /^(?:[ T]{1,2}[0-9]{1,2}:[0-9]{2}|,? ?[0-9]{1,2} ?[ap]m|[ 　]?(?:現在|時点|付|発行|開催|設立|創業|交付|取得|撮影|更新|施行|公布|判決|改正|入社|退職|入院|退院|受診|初診|死亡|没|着|発|締|[^、。\n]{1,6}(?:手術|骨折|発症|診断|摘出)|まで|より|から|以降|以前)|に(?!訂正|生|出生|修正|変更|誕生)|で(?!す|、|し|ご|お)|[ \u3000]?[～~〜](?![^)）\n]{4,20}(?:死亡|没|逝去))|の(?:予約|便|会議|ご?注文|契約|時点|朝|夜|午)|[、, \u3000]{1,2}(?:金|¥|￥|\$|£|€)? ?[0-9,]{1,9} ?円|[ \u3000]?金[0-9]| ?(?:to|until|at|[-–—]) ?[0-9]|,? (?:at|when|after|before|meeting|flight|in [A-Z]?[a-z]+ing)(?![a-z]))/i;
/** Whose day is one of work: who signs, checks, writes, sits. */
const byStaff =
  /(?:(?<![A-Za-z])(?:Dr\.?|Dear|Nurse|PC|Judge|Justice|Prof\.?|[A-Za-z]*(?:[Aa]uthor|[Rr]eviewer|[Pp]rescriber|[Ww]itness|[Nn]otary|[Pp]resident|[Ss]ecretary|[Tt]reasurer|[Cc]hair|[Ii]nspector|[Tt]rustees?|[Vv]olunteers?|[Aa]pprove[rd]|[Cc]ontact|[Cc]omment|[Rr]eply|[Ss]eller|[Bb]uyer|[Pp]repared)(?: by)?|by)[: ] ?[A-Z][A-Za-z.'’]*(?: [A-Z][A-Za-z.'’]*){0,3}|[A-Z][a-z]+,? (?:MD|M\.D\.|RN|GP|PhD|JP),?|[営経総人開製技管業務理事発造術企画]{2}[部課]|(?:医師|主治医|担当医?|会長|副会長|担任|講師|弁護士|書記|議長|署名|立会人?|承認者?|作成者?|点検者|確認者|検査者|投稿者|来訪者|受理者?|施工|選手|内科|外科|科長|院長|校長|著者?|監督)[：: \u3000]{1,2}[^\n。、0-9]{1,12})[ ,、，/\u3000(（-]{1,3}$/;
/** Behind a day of something done. */
const doneBehind =
  /^(?:: [a-z]{4}| re: |,? (?!(?:of|year|in|at|is|lives?|sibling|driving|mum|dad|child|spouse|wife|husband|son|daughter|postcode|class|living|from|and|or|male|female|girl|boy|aged?|age|not|but|born|who|tel|phone|mobile|email|mrn|nhs|id|he|she|they|so|as|with [A-Z]|on (?:the|my|file|record)|same|both|also|full|blood|allerg\w*|address\w*|nationality|national|citizen|British|twin|u[0-9]|the|now|has|have|my|his|her|please|can|could|for|new|reg\w*|pass\w*|policy|matches|match\w*|[a-z]{1,2}\d)(?![a-z]))[a-z]{4,}(?![a-z]*[:：=])|,? with [A-Z]| [A-Z]{3}[-–/][A-Z]{3}(?![A-Z])|[、, \u3000]{1,2}(?:外来|入会|稼働|入浴|通院|同行|[0-9]{1,2}[時:]|合格|不合格|抽選|内閣|面談|訪問|相談|発表|改訂|初版|処方|許可|ご?来店|営業|来所))/;

/** True for a line that ends with somebody at work. */
export const isByStaff = (line: string) => byStaff.test(line.slice(-64));
export const isDoneBehind = (tail: string) => doneBehind.test(tail);

/** `TT3098175　`, `; Brazil; passport` */
const papersBefore = /[ ,、|\u3000](?=[A-Z0-9]*[0-9]{5})[A-Z]{1,3}[0-9]{5,9}[ ,、|\u3000]{1,3}$/;
const papersBehind =
  /^[^\n]{0,20}(?:passport|nhs|(?<![a-z])(?:ni|nino|ssn|mrn)(?![a-z])|旅券|アレルギー|allerg)|^[ ,;-]{1,3}(?:mum|dad|mom|tel)/i;
/** True beside the number of somebody's papers, a parent, an allergy. */
export const isOfPapers = (line: string, tail: string) => papersBefore.test(line.slice(-32)) || papersBehind.test(tail);

/** A range: `～令和5年11月20日死亡` is a life. */
export function isOtherDay(line: string, tail: string): boolean {
  if (otherTail.test(tail)) return true;
  // Names come before the last of these; what is a label stands behind it.
  const end = line.slice(-48);
  const clause = end
    .replace(/[\s,、;|(（／・:：\u3000"'-]+$/, '')
    .replace(/^.*(?:[,、。，;|(（「／・：\u3000\t]|[.:]\s|:(?=[^0-9]))/s, '');
  return ofDay.test(end) || otherClause.test(clause);
}

/** Texts about things with other days. */
export const otherDays =
  /(?<![a-z])(?:hire[ds]? dates?|joined|start dates?|invoice|receipt|concert|bookings?|table for|purchas\w+|court of appeal|comments|wedding|in memory|obituary|parade|exchange|photos?|interview with|last[ _]log-?in)(?![a-z])|最終ログイン|利用日|購入日|来店日|貸出日|入社日|採用日|受診日|領収書|請求書|予約|設立|判例|判決|契約日|昇任|昇進|就任|異動|採用(?=\n)/gi;
