/** Names of other languages in katakana, their parts joined by middle dots. */

import { CodeSet } from '../code-set.ts';
import { isKatakanaGivenName, isKatakanaSurname } from '../data/katakana-names.ts';
import { isHonorificBehind, isKanji, isKatakana, isTitleBefore, isTitleBehind } from './japanese-name-words.ts';

/** A name in a text; `context` is the label that spoke for it. */
export type FoundName = {
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly context?: string;
};

const middleDot = 0x30fb;
const dottedPart = /[・=](?:[\u30A1-\u30FA\u30FC]{1,15}|[A-Z]\.?(?=[・=]))/y;
const linkWords = new Set('オブ アンド ザ イン オン フォー ウィズ トゥ エンド ファー バイ アット'.split(' '));
const organisation =
  /(?:フランス|イタリア|スペイン|ドイツ|アメリカ|イギリス|ロシア|ブラジル|カンパニー|コーポレーション|グループ|ホールディングス?|スタジオ|スタジオズ|レコード|レコーズ|ブラザーズ|チーム|プロジェクト|システム|システムズ|サービス|ライン|パーク|ホテル|タワー|センター|スタジアム|シティ|ユナイテッド|クラブ|カップ|オープン|バンド|オーケストラ|カルテット|トリオ|ショー|シリーズ|アワード|ジャパン|マガジン|ニュース|タイムズ|ポスト|ストリート|アベニュー|アヴェニュー|スクエア|ビル|ハウス|ホール|オリンピック|ストア|マーケット|ブック|ガーデン|アイランド|リバー|レイク|マウンテン|バレー|ビーチ|ベイ|テスト|データ|コード|モデル|エンジン|ツール|ソフト|ソフトウェア|アプリ|ネットワーク|サーバー?|ファイル|キー|リスト)$/;
const notAPerson =
  /^(?:社(?!長)|大学|賞|病院|財団|銀行|空港|駅|州|市|郡|県|島|記念|国際|号|級|症|病|法(?!皇)|定理|方程式|関数|効果|指数|反応|通り|広場|橋|美術|博物|図書|教会|学校|高校|研究所|山|川|湖|湾|海|杯|線|座|城|宮殿)/;
/** Before a name they end no title. */
const noTitle = new CodeSet('年月日元家');
const nobiliary = new Set('フォン ファン ヴァン デル デラ デッラ ビン イブン ドス ダス'.split(' '));

/**
 * A name in katakana with middle dots: マイケル・アンダーソン. Its first part is `start..firstEnd`; `next` is where to go on.
 */
export function dottedName(
  shadow: string,
  start: number,
  firstEnd: number,
): { readonly next: number; readonly hit?: FoundName } {
  const parts = [shadow.slice(start, firstEnd)];
  let end = firstEnd;
  for (dottedPart.lastIndex = end; parts.length < 6; ) {
    const match = dottedPart.exec(shadow);
    if (match === null) break;
    parts.push(match[0].slice(1));
    end = dottedPart.lastIndex;
  }
  if (parts.length < 2) return { next: end + 1 };
  const last = parts.at(-1) as string;
  const behind = shadow.charCodeAt(end);
  if (parts.length > 5 || last.length < 2 || isKatakana(behind) || behind === middleDot) return { next: end };
  const isNamed =
    isHonorificBehind(shadow, end) ||
    isTitleBehind(shadow, end) ||
    (isKanji(shadow.charCodeAt(start - 1)) &&
      !noTitle.has(shadow.charCodeAt(start - 1)) &&
      isTitleBefore(shadow, start - 6, start));
  const isKnown =
    isKatakanaGivenName(parts[0] as string) || (parts.length > 2 && isKatakanaGivenName(parts[1] as string));
  const isNoble = parts.length > 2 && parts.slice(1, -1).some((part) => nobiliary.has(part));
  if (!isNamed && !isKnown && !isNoble && !isKatakanaSurname(last)) return { next: end };
  if (parts.some((part) => linkWords.has(part)) || organisation.test(last)) return { next: end };
  if (isKanji(behind) && notAPerson.test(shadow.slice(end, end + 8))) return { next: end };
  return { next: end, hit: { start, end, score: isKnown || isNamed ? 0.8 : 0.6 } };
}
