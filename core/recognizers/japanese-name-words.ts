/** The words around Japanese names, and the kinds of characters that names are written in. */
import { CodeSet } from '../code-set.ts';

/** A kanji, or the sign that repeats one. */
export function isKanji(c: number): boolean {
  return (c >= 0x4e00 && c <= 0x9fff) || c === 0x3005 || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0xf900 && c <= 0xfaff);
}

/** A katakana letter, or the long vowel mark. */
export function isKatakana(c: number): boolean {
  return (c >= 0x30a1 && c <= 0x30fa) || c === 0x30fc;
}

/** A hiragana letter. */
export function isHiragana(c: number): boolean {
  return c >= 0x3041 && c <= 0x3096;
}

/** Hiragana as katakana. */
export function toKatakana(text: string): string {
  return text.replace(/[\u3041-\u3096]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0x60));
}

/** What follows a name and is no part of it, and says that it is a person's. */
const honorific = /^ ?(?:様|さま|氏(?![名族子])|殿(?![堂下様])|さん|くん|ちゃん|先生|君(?!主|臨))/;
const honorificFirsts = new CodeSet('様さ氏殿くち先君');

/** True when one of those follows. */
export function isHonorificBehind(text: string, at: number): boolean {
  const c = text.charCodeAt(text.charCodeAt(at) === 0x20 ? at + 1 : at);
  return honorificFirsts.has(c) && honorific.test(text.slice(at, at + 4));
}

/**
 * A pattern of many words, apart by `|`, none of which begins with a sign of patterns. What none of them begins with is
 * told at once.
 */
function anyOf(before: string, words: string, behind = ''): RegExp {
  const firsts = [...firstsOf(words)].map((c) => String.fromCharCode(c));
  return new RegExp(`${before}(?=[${firsts.join('')}])(?:${words})${behind}`);
}

/** The codes of the first characters of words as {@link anyOf} takes them. */
function firstsOf(words: string): Set<number> {
  const firsts = words.split('|').flatMap((word) => (word[1] === '?' ? [word[0], word[2]] : [word[0]]));
  return new Set(firsts.map((first) => (first as string).charCodeAt(0)));
}

const titlesBehind =
  '様|さま|氏|殿|先生|さん|くん|君|ちゃん|選手|監督|投手|捕手|内野|外野|騎手|棋士|横綱|大関|関脇|力士|教授|准教授|助教|講師|博士|医師|弁護士|税理士|会計士|司法書士|社長|会長|専務|常務|部長|課長|係長|次長|主任|主査|室長|所長|支店長|店長|工場長|局長|処長|本部長|取締役|代表|顧問|理事|総裁|頭取|首相|総理|大臣|長官|知事|市長|町長|村長|区長|議員|議長|元首相|大統領|主席|書記|候補|被告|容疑者|受刑者|死刑囚|夫妻|夫人|一家|親子|兄弟|姉妹|殿下|陛下|親王|内親王|天皇|上皇|皇后|皇太子|法皇|将軍|大将|中将|少将|大佐|中佐|少佐|大尉|中尉|少尉|軍曹|元帥|艦長|提督|技佐|技師|技官|警部|刑事|巡査|裁判官|裁判長|検事|記者|編集長|編集|作家|画伯|画家|作詞|作曲|編曲|脚本|監修|原作|演出|主演|出演|共演|主宰|主催|著|訳|編(?!集部)|作(?![業成品戦])|画(?![面像])|名義|本人|御中|宛|自身|ら(?=[がのはもを、])|役|扮|九段|八段|七段|六段|五段|四段|名人|竜王|棋聖|王将|本因坊|先輩|後輩|同僚|主事|参事|審議官|園長|校長|教頭|院長|副院長|師長|技士|技術士|薬剤師|看護師|保健師|助産師|介護士|保育士|弁理士|行政書士|社労士|建築士|委員|幹事|隊長|班長|組長|役員|部員|担当|リーダー|マネージャー|マネジャー|チーフ|エンジニア|様方|嬢|師匠|師|和尚|上人|住職|アナ|アナウンサー|プロデューサー|ディレクター|コーチ|の方';
/** A title or an office behind a name. */
const titleBehind = anyOf('^', titlesBehind);

const titleFirsts = new CodeSet(firstsOf(titlesBehind));
const titleBehindMax = 6;

/** True when a title or an office stands at the place. Most characters begin none. */
export function isTitleBehind(text: string, at: number): boolean {
  return titleFirsts.has(text.charCodeAt(at)) && titleBehind.test(text.slice(at, at + titleBehindMax));
}

const titlesBefore = new Set(
  '私 小生 拙者 氏名 名前 担当 担当者 代表 代表者 代表取締役 取締役 社長 会長 専務 常務 部長 課長 係長 主任 室長 所長 店長 局長 院長 学長 校長 園長 総長 理事長 議長 委員長 編集長 船長 艦長 隊長 団長 座長 頭取 総裁 顧問 首相 総理 総理大臣 大臣 長官 知事 市長 町長 村長 区長 議員 大統領 監督 選手 投手 捕手 主将 騎手 棋士 作家 作者 著者 筆者 訳者 作詞 作詞家 作曲 作曲家 編曲 編曲家 脚本 脚本家 漫画家 画家 写真家 建築家 評論家 実業家 政治家 小説家 詩人 俳人 歌人 俳優 女優 声優 歌手 司会 司会者 演出 演出家 振付師 指揮者 講師 教授 准教授 博士 医師 弁護士 税理士 学者 研究者 記者 記者会 役員 会員 患者 顧客 被告 容疑者 申込 申込者 申請 申請者 契約 契約者 依頼 依頼者 利用者 購入者 受取人 差出人 名義 名義人 宛名 保護者 世帯主 夫 妻 父 母 兄 弟 姉 妹 息子 長男 次男 三男 長女 次女 三女 娘 孫 祖父 祖母 養子 弟子 門弟 師匠 同僚 後任 前任 友人 相方 盟友 恩師 主演 共演 出演 原作 監修 落語家 芸人 元 故 現 同 兼 及び 並びに 対 城主 藩主 当主 主君 名将 家令 秘書 芸名 本名 旧姓 通称 当院 当社 弊社 当店 同院 先方 指導医 記載者 評価者 一次評価者 二次評価者 被評価者 債務者 債権者 来訪者 出張者 拾得者 喪主 前任 主任 施主 荷主 発注者 受注者 監督員 現場代理人 立会人 宛先 主治医 担当医 執刀医 看護師 薬剤師 面接官 申立人 届出人 相談者 連帯保証人 保証人 賃借人 賃貸人 貸主 借主 委任者 受任者 代理人 被害者 加害者 運転者 目撃者 被保険者 証人 参加者 出席者 発表者 報告者 記録者 作業者 責任者 管理者 応募者 候補者 求職者 入居者 受講者 生徒 児童 園児 学生 担任 同居人 後見人 相続人 被相続人 喪主 寄贈者 受診者 紹介者 送迎者 課 係 室 店 支店 部 班 組 科 病棟 年 月 日 家 者 員 師 優'.split(
    ' ',
  ),
);
const titleLasts = new CodeSet([...titlesBefore].map((title) => title.charCodeAt(title.length - 1)));
const titleLengthMax = 5;

/** False behind what no title ends with. */
export const mayEndTitle = (c: number) => titleLasts.has(c);

/** True when a title, an office or a label ends at `end`, in the same run of kanji. */
export function isTitleBefore(text: string, from: number, end: number): boolean {
  if (!titleLasts.has(text.charCodeAt(end - 1))) return false;
  for (let start = Math.max(from, end - titleLengthMax); start < end; start++)
    if (titlesBefore.has(text.slice(start, end))) return true;
  return false;
}

/** A `?` stands behind what may be left out. */
const nameLabels =
  '氏名|お?名前|姓名|担当者?名?|申込者名?|申請者名?|契約者名?|依頼者名?|代表者名?|利用者名?|購入者名?|患者名?|会員名|顧客名|受取人名?|差出人名?|名義人?|宛名|保護者名?|連絡者名?|責任者名?|世帯主|被保険者名?|届出人|記入者|作成者|提出者|送信者|受信者|主治医|担当医|指導医|記載者|評価者|訪問先|当番|相談者|参加者|出席者|発表者|連帯保証人|保証人|賃借人|賃貸人|委任者|受任者|代理人|被害者|加害者|運転者|依頼主|届け?先|送り主|貸主|借主|甲|乙|丙|問い?合わ?せ先|窓口|承認者|検収者|講師|司会|議長|座長|書記|記録|本人|フリガナ|ふりがな|カナ氏名|口座名義人?';

/** A form label directly before a name. */
export const nameLabel = anyOf(
  '',
  nameLabels,
  `(?:[(（][^)）\\n]{0,8}[)）])?(?:["'」】\\]]?\\s{0,2}[:：=は,、\\t|｜]?\\s{0,2}["'「【]?|の)$`,
);

/** What those labels end in, two characters as one number: `氏名` by `氏` and `名`; a label of one kanji by that. */
const labelSpellings = nameLabels.split('|').flatMap(spellingsOf);
const labelEnds = new Set(labelSpellings.map(endOf));
const labelLasts = new CodeSet(labelSpellings.map((label) => label.charCodeAt(label.length - 1)));
/** What may stand between a label and a name, or be the label's particle. */
const labelTails = new CodeSet('"\'」】]:：=は,、|｜「【の');
const labelTailMax = 8;

/** `担当者?名?` → `担当`, `担当者`, `担当名`, `担当者名`. */
function spellingsOf(label: string): string[] {
  const at = label.indexOf('?');
  if (at < 0) return [label];
  const rest = spellingsOf(label.slice(at + 1));
  return rest.flatMap((behind) => [label.slice(0, at - 1) + behind, label.slice(0, at) + behind]);
}

function endOf(label: string): number {
  return label.length === 1
    ? label.charCodeAt(0)
    : pairOf(label.charCodeAt(label.length - 2), label.charCodeAt(label.length - 1));
}

function pairOf(first: number, last: number): number {
  return first * 65_536 + last;
}

/** False when no label can end before `start`: most places are told so at once. */
export function mayLabelEnd(text: string, start: number): boolean {
  for (let i = start - 1; i >= 0 && start - i <= labelTailMax; i--) {
    const c = text.charCodeAt(i);
    // Brackets with a remark may stand behind a label.
    if (c === 0x29 || c === 0xff09) return true;
    if (labelLasts.has(c) && (labelEnds.has(c) || (i > 0 && labelEnds.has(pairOf(text.charCodeAt(i - 1), c)))))
      return true;
    if (!labelTails.has(c) && (text[i] as string).trim() !== '') return false;
  }
  return false;
}

/** One kanji that is a given name by itself often enough, and seldom a place, a size or a noun behind a surname. */
export const singleGivenNames = new CodeSet(
  '誠隆健豊清明実茂進勇剛修聡徹亮淳翔蓮葵凛愛恵薫忍純優翼猛博宏弘浩満稔勝功勲武毅昇守仁肇巌旭暁梓渚瞳望晃輝昭彰章敦篤渉航匠巧拓卓孝敬敏聖哲潤隼駿俊舜瞬涼遼諒凌律龍竜玲怜梢楓桜桃杏藍彩綾舞雅幹樹勉努謙賢憲悟豪滋静尚崇貴瑞澪透亨享寛裕祐佑悠耀陽歩司学要瑛蛍瑠碧湊陸空海颯樹昴圭慧慎新晋晶智暢廉翠響恭恒操昌昶朗椿毬泰紘紬結絢絵純翠聖胤芳芹茜莉萌蘭虎衛譲護豊蒼琴凪柊栞櫂煌晴詩岳峻塁路達遥鉄鉄鋭隆雄静顕馨駆鷹爽研伴',
);

/** Surnames of one kanji that may open a name without a space and without a cue. */
export const singleSurnames = new CodeSet(
  '林森原関辻堀岡谷菅泉星乾畑桂榊梶橘櫻桜柳楠椿樋浜東南西北城島嶋滝瀧脇芹荒藤辰轟葛蔡蛯袴西角越辺郡鎌長門間榎伴堤仲牧岸峰塙畠磯梅杉桑栗菊萩笹篠湊淵渕塚巽柏槙槇浦湯窪芦荻薮藪迫隅駒鶴鷲沢澤宮',
);

/** True for a word that is a title, an office or a label, or begins like one. */
export function isTitleOnly(word: string): boolean {
  return isTitleBefore(word, 0, word.length) || nameLabel.test(word) || titleBehind.test(word);
}
