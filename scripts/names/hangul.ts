/** Transliterates katakana names to Hangul, roughly as Korean newspapers do. */

const rows: Readonly<Record<string, string>> = {
  ア: '아이우에오',
  カ: '카키크케코',
  ガ: '가기그게고',
  サ: '사시스세소',
  ザ: '자지즈제조',
  タ: '타치츠테토',
  ダ: '다지즈데도',
  ナ: '나니누네노',
  ハ: '하히후헤호',
  バ: '바비브베보',
  パ: '파피프페포',
  マ: '마미무메모',
  ラ: '라리르레로',
};
const kana =
  'アイウエオカキクケコガギグゲゴサシスセソザジズゼゾタチツテトダヂヅデドナニヌネノハヒフヘホバビブベボパピプペポマミムメモラリルレロ';
const more: readonly (readonly [string, string])[] = [
  ...[...kana].map((char, at) => [char, (rows[kana.charAt(at - (at % 5))] ?? '').charAt(at % 5)] as const),
  ...Object.entries({ ヤ: '야', ユ: '유', ヨ: '요', ワ: '와', ヲ: '오', ヴ: '브' }),
  ...Object.entries({ シャ: '샤', シュ: '슈', ショ: '쇼', シェ: '셰', ジャ: '자', ジュ: '주', ジョ: '조', ジェ: '제' }),
  ...Object.entries({ チャ: '차', チュ: '추', チョ: '초', チェ: '체', ティ: '티', ディ: '디', トゥ: '투', ドゥ: '두' }),
  ...Object.entries({
    ファ: '파',
    フィ: '피',
    フェ: '페',
    フォ: '포',
    フ: '프',
    ヴァ: '바',
    ヴィ: '비',
    ヴェ: '베',
    ヴォ: '보',
  }),
  ...Object.entries({
    ウィ: '위',
    ウェ: '웨',
    ウォ: '워',
    キャ: '캐',
    ギャ: '개',
    キュ: '큐',
    リュ: '류',
    ミュ: '뮈',
    ニュ: '뉴',
  }),
  ...Object.entries({
    リャ: '랴',
    リョ: '료',
    キョ: '쿄',
    ヒュ: '휴',
    ビュ: '뷔',
    ピュ: '퓌',
    ミャ: '먀',
    ト: '트',
    ド: '드',
  }),
];
const syllables = new Map(more);
/** Syllables with their vowel, as before a long sound: `トム`, `ストーン`. */
const full = new Map([
  ['ト', '토'],
  ['ド', '도'],
  ['ル', '루'],
]);
const firstSyllable = 0xac00;
/** Pairs of particles: after a closed syllable, and after an open one. */
const particles = '은는이가을를과와';
/** Sounds that close the previous syllable, with the number of the closing consonant. */
const closing: Readonly<Record<string, number>> = { ン: 4, ル: 8, ム: 16 };

/** Transliterates a katakana name to Hangul. */
export function hangulOf(name: string): string {
  let written = '';
  for (let at = 0; at < name.length; ) {
    const next = name.charAt(at + 1);
    const closes = closing[name.charAt(at)];
    const last = written.charCodeAt(written.length - 1);
    const isOpen = last >= firstSyllable && (last - firstSyllable) % 28 === 0;
    if (closes !== undefined && isOpen && !/[ァィゥェォャュョー]/.test(next)) {
      written = written.slice(0, -1) + String.fromCharCode(last + closes);
      at++;
      continue;
    }
    const two = syllables.get(name.slice(at, at + 2));
    const isLong = next === 'ー' || closing[next] !== undefined;
    const one = isLong ? (full.get(name.charAt(at)) ?? syllables.get(name.charAt(at))) : syllables.get(name.charAt(at));
    written += two ?? one ?? '';
    at += two !== undefined && next !== '' ? 2 : 1;
  }
  return written;
}

/** The text after a word; a Korean particle takes the form that suits the word's last syllable. */
export function withParticle(rest: string, before: string): string {
  const last = before.charCodeAt(before.length - 1);
  const at = particles.indexOf(rest.charAt(0));
  if (at < 0 || !(last >= firstSyllable) || /^.[가-힣]/.test(rest)) return rest;
  const isOpen = (last - firstSyllable) % 28 === 0;
  return particles.charAt(at - (at % 2) + (isOpen ? 1 : 0)) + rest.slice(1);
}
