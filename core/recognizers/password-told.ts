/** How a secret is told in a sentence, a form or a chat, and what says that a word is none: the words around it and its own form. */
import { isOtherNumber } from '../other-numbers.ts';

/** `new one is `, `try `, `it's `. */
const toldEnglish =
  /(?<![a-z])(?:(?:one|it|that|this|those|mine|his|hers|ours|theirs|password|passcode|pin|phrase|secret|lock)(?:['’]?s| is| was| were| used to be| reads| should be| became)?(?: (?:now|still|currently|set to|actually|maybe|probably|just))?|it['’]?s(?: not)?|that['’]s(?: not)?|its|default|(?:isn|wasn)['’]?t|(?:is|was|be|been) (?:now|still|currently|literally|actually|just|always)|(?:pin|passcode|password|code|login|lock) to|wants|takes?|accepts?|dial(?:led|ed)?|wrote|punched(?: in)?|keyed(?: in)?|try|trying|tried|type|types|typed|typing|enter|enters|entered|use|used|uses|using|had|set|guess|guessed|pick(?:ed)?|chosen?|(?:gave|told) (?:me|her|him|us|them|you|support)|said|says|reads?|plus|now|again|was|is|were|be|(?:changed|reset|set|rotated|updated|switched)(?: it| that| them)?(?: back)? to|(?:the )?(?:key|word|code|string|following)|press|punch(?: in)?|key in|put in|input|been|in with|went with|old|new|previous|current|then|actually|sorry|wait|i think|maybe|like|times|works?|option|remember)[:,]? ?["'“(]{0,2}$/i;
const toldJapanese =
  /(?:は|を|が|に|で|も|から|たら|なら|の|たしか|多分|たぶん|確か|ようと|現在|今は|今の|新|旧|仮|前は|例|正しくは|ではなく|初回のみ|以下|こちら|しました|して|だと|より|へ|番号|コード|、|。)[: 　「『"'(]{0,2}$/;
/** `Lou: `, `[10:43] lou: `, `・`, `1. ` at the beginning of a line. */
const turn =
  /(?:^|\n)[ \t]{0,8}(?:[-*•・>→]{1,2} ?)?(?:\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\]? ?)?(?:[^\n:0-9]{1,24}: ?)?["'“「(]?$/;
const pointed = /(?:[:=：→「『（([“]|->|=>|["'“])[ \u3000]{0,3}["'“「『(]?$|<(?:value|text|secret|plain|string)> ?$/i;
const listed = /(?:[,、;/か!?。]|(?<![a-z])(?:and|or|not|then|maybe))[ \u3000]?["'“「]?$/i;

/** `管理者モード：` */
const ofMode =
  /(?:管理者?|保守|店長|責任者|親|保護者|admin|master)(?:用)?の?(?:モード|メニュー|画面|設定|コード| mode| menu)(?:は|:)[ 「『]{0,2}$/i;

/** `open it with ` */
const opening =
  /(?<![a-z])(?:open|unlock|unzip|decrypt|extract|disarm)(?:s|ed|ped|ing|ping)?(?: (?:it|them|these|this|that|(?:the|both|all) [a-z]{2,12}))?(?: (?:with|using|by (?:typing|entering)))[: ]{1,2}["'“]?$/i;
/** `log in as jo with ` */
const entering =
  /(?<![a-z])(?:log|logs|logged|logging|sign|signs|signed|signing|get|gets|got|getting|connect|connects|connected|connecting|rdp|ssh)(?: (?:back )?(?:in|on)(?:to (?:it|the [a-z]{2,12}))?)?(?: as ["']?[!-~]{2,40})? (?:with|using) ["'“]?$/i;
/** The most that {@link weightOfTold} gives. */
export const toldMax = 3;
/** 3 for the code of a mode and what opens a file, 2 for words that tell a secret, 1.5 behind a colon, in brackets and at the beginning of what somebody says, 0.5 in a list. */
export function weightOfTold(head: string): number {
  if (ofMode.test(head) || opening.test(head)) return toldMax;
  if (toldEnglish.test(head) || entering.test(head)) return 2;
  if (pointed.test(head) || turn.test(head)) return 1.5;
  if (toldJapanese.test(head)) return 1.5;
  return listed.test(head) ? 0.5 : 0;
}

const behindSecret =
  /^["'”」』)]{0,2} ?(?:です|でした|だった|だと|だよ|だね|だけど|に(?:変|設定|して|し(?:ま|た|て)|なって|戻)|と(?:入力|打|書|あり)|を(?:入力|使|入れ|打|押)|で(?:ログイン|解除|解凍|解錠|復号|開|入|接続|サインイン)|か「|、その後|(?:still |also |now )?(?:works|worked|until|expires|opens|to (?:open|unlock|get in|log in|disarm|arm|sign in|connect)|and it (?:opened|worked)))/i;

/** True when the words directly behind fit a secret. */
export const isToldBehind = (tail: string) => behindSecret.test(tail);

/** Names of users, networks and machines. */
const nameHead =
  /(?<![a-z])(?:user(?:[ _-]?(?:name|id))?s?|usr|(?:connect(?:ed|ing)?|join(?:ed|ing)?) to|uses|login(?:[ _-]?(?:name|id))?|log[ _-]in (?:name|id)|account(?:[ _-]?(?:name|id))?|handle|nick(?:name)?|alias|e-?mail|mail|ssid|network(?: name)?|net(?:work)? is|host(?:name)?|laptop|phone|tablet|pc|admin)["'`]?(?: ?(?:is|was|as|named|called))?[ :=#.,"'`(“-]{0,4}$|(?:ユーザー?(?:名|ID)?|ログイン(?=は|:|=)|ログイン名|(?:ログイン|会員|社員|共有)ID|ID|アカウント名?|SSID|ネットワーク名?|メール(?:アドレス)?)(?:は|が|を|:|=|「|（|\(| )*$/i;
/** Names of other things directly before a value. */
const otherHead =
  /(?<![a-z])(?:account (?:no|number)|server|domain|device|machine|computer|model|router|printer|terminal|version|v|release|build|branch|commit|tag|image|file|folder|path|table|column|job|ticket|case|id|ids|ref(?:erence)?|no|number|desk|room|flat|unit|ext(?:ension)?|tel|call|dial|fax|line|port|channel|step|page|chapter|section|rev|serial|s\/n|sku|order|invoice|booking|policy|claim|error|code[sd]? 0x|status|sqlstate|pid|session|request|event|uid|gid|form|spec|standard|rfc|cve|hash|checksum|sha|md5|key id|fingerprint|zip ?code|post(?:al)? ?code|amount|total|price|fee|cost|balance|usd|eur|gbp|year|since|until|by|in|on|at|over|about|around|of|ends? in|ending|least|most|than|cn|ou|dc|db|database|schema|bucket|region|zone|cluster|node|pod|namespace|service|role|group|team|tenant|staff|employee|member|badge(?! pin)|player|plate|flight|train|bus|route|gate|seat|lot|batch|part|item|product|isbn|asin|mac|ip|url|uri|href|src|locker is|combination(?: of [a-z ]{1,20})? is|name|title|label|puk|otp|2fa|mfa|totp|verification code|security code|one-time code|sms code|cvv|cvc)["'`]?(?:[ ]?(?:is|was|are|as|were|no\.?|number|called|named))?[ :=#.,"'`(“/-]{0,4}$/i;
const otherJapanese =
  /(?:(?:顧客|端末|機器|会議|ミーティング|メンバー|学生)(?:ID|Id)|アドレス|ホスト(?:名)?|サーバー?(?:名)?|型番|型式|機種|製品|品番|バージョン|版|シリアル|機器名|端末名?|PC名?|コミット|リビジョン|ブランチ|ハッシュ値?|ファイル名?|フォルダ名?|テーブル名?|(?:受付|予約|注文|会員|社員|口座|支店|店|取引|管理|整理|申込|申請|案件|電話|内線|学籍|契約|証券|保険|登録|請求書?|伝票|追跡|郵便|部屋|免許|旅券|年金|患者|診察|車両|問い?合わ?せ|照会|識別|お客様|設定)(?:番号|コード|No\.?|値)|内線|電話|TEL|FAX|〒|エラー(?:コード)?|金額|合計|費用|料金|残高|手数料|価格|(?<=[0-9])(?:年|月|日|時)|下|約|計|ポート|URL|IP|時間|時刻|型|名称?|認証コード|確認コード|ワンタイムパスワード)(?:は|が|を|の|に|で|:|：|=|「|（|\(| |\u3000|、)*$/;

/** `レシート番号は`, whatever it is; not `旧番号は`. */
const numbered =
  /(?<!暗証|鍵|錠|金庫|旧|新|現|元|前|仮|解除|解錠|ロック|当|同|本|PIN)(?<=[\u3400-\u9fff\u30a1-\u30fc])番号(?:は|が|を|の|:|=|「|\(| |\u3000){0,3}$/;
/** `アカウント名を sakura_mochi から ` */
const ofNames =
  /(?:ユーザー?名|アカウント名|ID|SSID|(?<![a-z])(?:user ?name|login|account name|ssid|user id))(?: (?:from|is|was))?(?:は|を|が|:| )* ?["'「]?[!-~]{3,40}["'」]? ?(?:から|と|→|、|,|and|to|->|or) ?["'「]?$/i;
const ofLog = /(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL)\]?:? {1,3}$/;
/** True for what a word in a line of a log stands behind. */
export const isOfLog = (head: string) => ofLog.test(head);
/** `Line 14 says ` */
const ofField = /(?<![a-z])(?:line|box|row|page|step|column|field) [0-9]{1,3}[a-z]? (?:says|reads|shows|is|was) $/i;

/**
 * True when the words directly before name something else.
 * @param isCertain the form of the value is that of no user, network or machine
 */
export function isOtherHead(shadow: string, start: number, isCertain = false): boolean {
  const head = shadow.slice(Math.max(0, start - 40), start);
  const own = head.slice(head.lastIndexOf('\n') + 1);
  if (!isCertain && (nameHead.test(own) || ofNames.test(own))) return true;
  return (
    isOfLog(own) ||
    otherHead.test(own) ||
    ofField.test(own) ||
    numbered.test(own) ||
    otherJapanese.test(own) ||
    isOtherNumber(shadow, start)
  );
}

/** Things that come with a number, counted or measured. */
const unit =
  /^["')]? ?(?:まで|以[降上下]|未満|年|月|日|時|分|秒|円|万|千|件|人|社|台|本|枚|冊|名|個|口|行|回|歳|列|通|桁|文字|ビット|ポイント|%|％|[0-9]|(?:ミリ|マイクロ|キロ|メガ|ギガ|yen|usd|eur|gbp|dollars?|euros?|pounds?|bytes?|[kmgt]i?b|ms|s|px|v|w|bits?|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|weeks?|months?|years?|words?|chars?|characters?|digits?|times|attempts?|tries|failed|failures?|users?|accounts?|logins?|people|units|connections|requests|records|entries|threads|cycles|rows?|files?|services?|items?|guesses|iterations|mah|mhz|ghz|kg|km|m)(?![a-z]))/i;

/** True when a number is counted or measured. */
export const isMeasured = (tail: string) => unit.test(tail);

/** Addresses, paths, versions, dates, codes of things, images and hosts with a port. */
const otherForm =
  /^(?:[a-z]{2}_[A-Z]{2}|[A-Za-z]+[-_]?v?[0-9]+(?:\.[0-9]+)+$|#[a-z_-]+[0-9]?$|[a-z]+\.[a-z][A-Za-z]*[0-9]?$|[a-z][a-z_-]*@[a-z][a-z0-9.-]*$|[0-9]+-(?:bit|byte|char|digit)|[^@\s]+@[^@\s.]+\.[^@\s]+$|[a-z][a-z0-9+.-]*:\/\/|(?:[A-Za-z]:)?[\\/].*[\\/]|\.{0,2}\/|~\/|[\w.-]+:(?:[0-9][\w.-]*|latest)$|v?[0-9]+(?:[._-][0-9]+)+[a-z0-9.-]*$|[0-9]+[-/.:][0-9]|[A-Z][A-Z0-9]*(?:[-_/.][A-Z0-9]+)*$|[0-9a-f]{8,}$|0x|\$|(?:sha|md)[0-9]|[a-z_]+=[0-9.]+[a-z]{0,2}$|[a-z]+(?:\.[a-z_]+){2,}\.|[\w./-]+@v?[0-9]+[\w.]*$|--?[a-z]|[A-Za-z_][\w.-]{2,}=|[a-z]+(?:_[a-z]+)*[0-9]?\.[a-z_]+[0-9]?$|[a-z-]+-v[0-9]+$|[a-z-]+[0-9]$|[a-z]+:[a-z]|[a-z]+[0-9]*(?:_[a-z]+)+$|[^!#$%&*?^~]*\/[^!#$%&*?^~]*$|u_|req-|AT\+|[A-Z]{2,6}[0-9]*-[0-9]+[A-Z]?$|[0-9]+[a-z]{1,3}$)/;
/** The same by any part of them. */
const otherPart =
  /[()[\]{}\\]|(?:2\.?4|5)G(?:Hz)?$|\.(?:[a-z]{2,4}|[a-z]{2,10}\.[a-z]{2,3}|json|yaml|html|local|internal|example)$|=.*&|&[a-z_]+=|\.{3}|\.[a-z]{2,4}#/;
const productName =
  /^(?:pixel|iphone|ipad|ipod|ios|galaxy|xperia|macbook|imac|windows|win(?=[-_ 0-9]|server|nt)|surface|thinkpad|aquos|rtx|gtx|core|wpa|wi-?fi|802|ubuntu|android|usb|hdmi|ps|xbox|switch|webauthn|fido|oauth|base64|utf|ipv|http|mp|log4j|node|java|python|php|mysql|postgres(?:ql)?|redis|oracle|office|outlook|excel|chrome|firefox|safari|edge|covid|co2|h2o|b2b|b2c|p2p|3d|2d|4k|5g|4g|k8s|s3|ec2|x86|x64|arm64|amd64|aes|rsa|tls|ssl|sms|2fa|nist|iso|iec|jis|sp800|pci|pbkdf|argon|bcrypt|scrypt|ed25519|step|item|option|test|user|demo|guest|room|lobby|page)[-_ ]?[a-z]{0,6}[-_.]?[0-9]/i;

/** What examples are filled with; encoded data. */
const noSecret = /^password[0-9]{1,4}$|^[A-Za-z0-9+/]{28,}={0,2}$/;
/** `Larkspur/Cottage/1922` */
const joined = /^(?:[A-Z][a-z]{2,12}[/.]){1,3}[0-9]{2,4}$/;

/** 2.5 for letters, a digit and a sign, less for what other words look like, too, 0 for what is no secret. */
export function weightOfForm(value: string): number {
  const first = value.charCodeAt(0);
  if (first >= 0x41 && first <= 0x5a && joined.test(value)) return 1;
  if (value.length < 6 || value.length > 64) return 0;
  // Most words are told by their characters, and all other forms take long patterns.
  const weight = weightOfCharacters(value);
  if (weight === 0 || otherPart.test(value) || otherForm.test(value) || noSecret.test(value)) return 0;
  return productName.test(value) && !/[!#$%&*?^~]/.test(value) ? 0 : weight;
}

function weightOfCharacters(value: string): number {
  if (!/[A-Za-z]/.test(value)) return 0;
  const hasDigit = /[0-9]/.test(value);
  const hasLower = /[a-z]/.test(value);
  const hasUpper = /[A-Z]/.test(value);
  if (!hasLower) return value.length > 7 && /[!#$%&*+=?@^~]/.test(value) && hasDigit ? 1.5 : 0;
  if (/[!#$%&*+?@^~]/.test(value.slice(1))) {
    if (hasDigit) return 2.5;
    return value.length >= 8 && /[A-Za-z][!#$%^*~][A-Za-z]/.test(value) ? 1 : 0;
  }
  if (!hasDigit) return 0;
  const joints = value.match(/[-_.][A-Za-z0-9]/g)?.length ?? 0;
  if (joints > 1) return hasUpper || /[a-z]-[0-9]/.test(value) ? 1.5 : 1;
  if (/^(?:[A-Z][a-z]{2,}){2,}[0-9]{1,4}$/.test(value)) return 1;
  if (/^[a-z]{4,}[A-Z][a-z]{3,}[0-9]{2,4}$/.test(value)) return 1;
  // `IMDSv2`, `iCloud17`
  if (/^[A-Za-z]*[a-zA-Z][A-Z][A-Za-z]*[0-9]{1,2}$/.test(value)) return 0;
  if (hasUpper && /[a-z0-9][A-Z]|[0-9][a-z]/.test(value)) return 1.5;
  return joints > 0 || /[0-9]{2}/.test(value) ? 1 : 0.5;
}
