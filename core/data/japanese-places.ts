/** The prefectures and municipalities of Japan, split and indexed on first use. */
import places from './municipalities.json' with { type: 'json' };

const prefecturesWithKen =
  '青森|岩手|宮城|秋田|山形|福島|茨城|栃木|群馬|埼玉|千葉|神奈川|新潟|富山|石川|福井|山梨|長野|岐阜|静岡|愛知|三重|滋賀|兵庫|奈良|和歌山|鳥取|島根|岡山|広島|山口|徳島|香川|愛媛|高知|福岡|佐賀|長崎|熊本|大分|宮崎|鹿児島|沖縄';
/** A pattern source for the name of a prefecture. */
export const prefecturePattern = `(?:東京都|北海道|(?:大阪|京都)府|(?:${prefecturesWithKen})県)`;
const prefectures = new Set([
  '東京都',
  '北海道',
  '大阪府',
  '京都府',
  ...prefecturesWithKen.split('|').map((name) => `${name}県`),
]);

/** True for the name of a prefecture. */
export function isPrefecture(name: string): boolean {
  return prefectures.has(name);
}

/** The longest name of a prefecture, in characters. */
export const prefectureLengthMax = 4;

/** The longest name of a municipality, in characters. */
export const municipalityLengthMax = 12;

let names: Set<string> | undefined;
let ends: Set<string> | undefined;

/**
 * True for the name of a municipality as the list has it (`札幌市中央区`, `余市郡余市町`) and for its parts by themselves
 * (`札幌市`, `中央区`, `余市町`).
 */
export function isMunicipality(name: string): boolean {
  names ??= readNames();
  return names.has(name);
}

/** False for two characters that end no name for which {@link isMunicipality} is true. */
export function mayEndMunicipality(pair: string): boolean {
  names ??= readNames();
  ends ??= new Set([...names].map((name) => name.slice(-2)));
  return ends.has(pair);
}

function readNames(): Set<string> {
  const all = new Set<string>();
  for (const row of places.municipalities)
    for (const name of row.split(' ').slice(1)) {
      all.add(name);
      const parts = /^(.+?郡|.+?市)(.+[区町村])$/.exec(name);
      if (parts === null) continue;
      if (parts[1]?.endsWith('市')) all.add(parts[1]);
      all.add(parts[2] as string);
    }
  return all;
}
