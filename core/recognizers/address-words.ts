/** The words of postal addresses in Latin letters. */
import { WordSet } from '../detect/word-set.ts';

/** Street words that are little else when they stand behind a number and a name. */
const plainSuffixes =
  'street st avenue ave av road rd boulevard blvd lane ln drive dr court ct highway hwy parkway pkwy terrace ter crescent cres close mews turnpike tpke expressway expy freeway fwy alley aly circle cir';
/** Street words that are ordinary words, too: only where the address goes on or the line ends. */
const looseSuffixes =
  'way place pl square sq loop trail trl row walk plaza plz park pike path pass run point pt cove hill hills heights gardens green grove gate bridge rise view vista ridge dam route junction mall quay broadway bypass crossing common commons landing lodge manor meadow meadows mount orchard spur summit valley villa ville vale yard end wynd esplanade parade promenade approach wharf strand circus garth croft fold arcade broadwalk embankment gait brae loan marg nagar salai';
/** Words that open the name of a street in other languages; also before a number. */
const prefixes =
  'rue via calle avenida av rua rúa avinguda carrer paseo camino carretera plaza piazza viale corso largo travessa praça praca estrada chemin allée allee quai impasse boulevard bd place cours strada vicolo ul ulica al aleja os plac place vul ulitsa bulvar calea jalan jl';
/** Endings of street names in other languages. */
const streetEnding =
  /(?:stra(?:ß|ss)e|str\.?|gasse|gass|weg|allee|platz|damm|ufer|ring|gürtel|brücke|markt|hof|steig|chaussee|laan|straat|plein|gracht|kade|dijk|singel|steeg|hove|gade|vej|vænge|allé|plads|gata|gatan|gate|vägen|väg|veien|vegen|vei|gränd|stien|braut|vegur|stígur|tún|rodda|katu|tie|polku|kuja|raitti|utca|út|útja|köz|tér|tere|sor|ulica|ulice|třída|náměstí|nábřeží|ská|ská|ova|sokağı|caddesi|cad|sok|sokak|bulvarı|odos)$/i;

export const isPlainSuffix = wordTest(plainSuffixes);
export const isLooseSuffix = wordTest(looseSuffixes);
export const isStreetPrefix = wordTest(prefixes);

/** The last two characters of those endings: enough to tell most words apart. */
const lastPairs = new WordSet(
  'ße se tr r. ss eg ee tz mm er ng el ke kt of ig an at in ht de jk ve ej ge lé ds ta te en äg ei nd ut ur ún da tu ie ku ja ti ca út öz ér re or ce tí ží ká va ğı si ad ok ak rı os'.split(
    ' ',
  ),
);

/** True for a word such as `Ziegelgasse` or `Vesterskovvej`. */
export function hasStreetEnding(word: string): boolean {
  return word.length > 2 && lastPairs.hasIn(word, word.length - 2, word.length) && streetEnding.test(word);
}

/** Compass directions before and behind the name of a street. */
export const isDirection = wordTest(
  'n s e w ne nw se sw north south east west northeast northwest southeast southwest',
);

/** A part of a building that a number follows. */
export const isUnitWord = wordTest('apt apartment suite ste unit');

/** Two-letter codes of the states, districts and territories of the United States, and of Canada. */
export const isState = wordTest(
  'al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa ri sc sd tn tx ut vt va wa wv wi wy dc pr gu vi as mp aa ae ap ab bc mb nb nl ns nt nu on pe qc sk yt',
);

/** Small words inside the names of streets and towns. */
export const isLinkWord = wordTest(
  'de la del della dei degli delle di da do dos das du des d aux le les lo los las el al van von der den des dem het ter ten of the and on upon in am an im zu sur y e i u saint',
);

function wordTest(list: string): (word: string) => boolean {
  const words = new WordSet(list.split(' '));
  return (word) => words.has(word);
}
