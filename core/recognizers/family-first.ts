/** Names whose family name stands first, as in China, Korea, Vietnam and Singapore. */
import { latinClassOf } from '../data/names.ts';
import { word as ordinary, place, stop } from '../data/word-class.ts';
import { WordSet } from '../word-set.ts';
import type { RunWord } from './latin-words.ts';

/** What the lists say of a word of a run, by its part before a hyphen. */
export function classOf(word: RunWord): number {
  if (word.bits < 0) {
    const { text } = word;
    const hyphen = text.indexOf('-');
    word.bits = latinClassOf(hyphen > 0 ? text.slice(0, hyphen) : text);
  }
  return word.bits;
}

/** Chinese, Korean and Vietnamese family names as they are written in Latin letters; they stand first. */
const familyNames = new WordSet(
  'tan lim lee ng ong wong goh chua chan koh teo ang yeo tay ho low toh sim chong chia chew cheong cheng chen chang chung choo choi cho chow chu dai deng ding dong du fan fang feng foo fong fu fung gan gao gu guo han hao he heng ho hong hsu hu hua huang hui jiang jin ko kong kuo kwan kwok lai lam lau law leong leung li liang liao lien lin ling liu loh loo lu lui luo ma mak meng mok neo ngo oh ooi pan pang peh peng phua poh qian qiu quek seah see seet seow shen shi siew sin soh song su sun tang tao thio tian tong tsai tsang tse tung wan wang wei wen wu xia xiao xie xu yan yang yao yap ye yee yeoh yeung yin yip yong yu yuan yuen zeng zhang zhao zheng zhong zhou zhu zou kim park jung kang yoon jang jeong lim shin seo kwon hwang ahn oh bae nguyen tran le pham huynh vo dang bui do ngo duong phan'.split(
    ' ',
  ),
);
/** One syllable of those languages. */
const syllable =
  /^(?:b|bh|c|ch|d|f|g|gh|gi|h|hs|hw|j|k|kh|kw|l|m|n|ng|nh|p|ph|q|qu|r|s|sh|t|th|tr|ts|v|w|x|y|z|zh)?(?:a|ah|ai|ak|am|an|ang|ao|ap|at|au|ay|e|ee|eh|ei|ek|en|eng|eo|eok|eon|eong|er|eu|eul|eum|eun|ew|i|ia|iah|iak|ian|iang|iao|iat|ie|iem|ien|iet|ieu|ik|im|in|ing|io|iok|iong|ip|it|iu|o|oan|oat|oe|oei|oh|oi|ok|om|on|ong|oo|ook|oon|op|ou|ow|oy|u|ua|uah|uan|uang|uat|ue|uen|uh|ui|uk|um|un|ung|uo|uong|up|uy|uyen|uynh|y|yu|yun|yung)$/;

/**
 * The index of the last word of a family name and two syllables, as `Tan Wei Ling` or `Park Soo-yeon`; -1 for none. One of the
 * two must be no English word.
 */
export function familyFirstEnd(words: readonly RunWord[], first: number): number {
  const [family, second, third] = [words[first], words[first + 1], words[first + 2]] as (RunWord | undefined)[];
  if (family?.kind !== 'word' || second?.kind !== 'word') return -1;
  if (!familyNames.has(family.text)) return -1;
  // Park Soo-yeon: the hyphen tells.
  const parts = second.text.split('-');
  if (parts.length === 2 && parts.every(isSyllable)) return first + 1;
  if (third?.kind !== 'word') return -1;
  if (!isSyllable(second.text) || !isSyllable(third.text)) return -1;
  const isStrange = [second, third].some((word) => (classOf(word) & (ordinary.mask | place | stop)) === 0);
  return isStrange && words[first + 3]?.kind !== 'word' ? first + 2 : -1;
}

function isSyllable(word: string): boolean {
  return word.length < 7 && syllable.test(word.toLowerCase());
}
