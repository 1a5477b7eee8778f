import { expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';

const detector = new Detector({ types: ['ADDRESS'] });
const found = (text: string) => detector.detect(text).map(({ value }) => value);

/** Each stands in the middle of a sentence, most without a street word that is common in its country. */
test.each([
  ['send it to ', '41 Alder Bank, Skipton BD23 5LW'],
  ['it goes to ', '8 Marlpit, Ludlow SY8 4RT'],
  ['im at ', '9 birch grove, leeds ls6 4xp'],
  ['its ', '240 alder st, apt 3, dayton oh 45402'],
  ['leave it at ', 'Unit 3/14 Jetty Rd, Ballina NSW 2478'],
  ['send it to ', '5 Brolga Cct, Dubbo NSW 2830'],
  ['send it to ', '6 Pine Knoll, Barre VT 05641'],
  ['moved to ', '900 Alder Trace, Franklin, Tennessee 37069'],
  ['write to ', 'RR 4 Box 22, Salina, KS 67401'],
  ['write to ', 'c/o Hale, 22 Prospect Ave, Hartford CT 06106'],
  ['send it to ', '3 Fairlawn Tce, Athlone, Co. Westmeath'],
  ['post to ', 'Ballyduff, Midleton, Co. Cork, P25 A4F2'],
  ['treffen uns in der ', 'Goethestr. 31'],
  ['ich wohne jetzt ', 'ahornallee 7, 10435 berlin'],
  ['an ', 'Lindenhain 4, Kassel'],
  ['à livrer au ', '15 bd Carnot 75011 Paris'],
  ['la casa de ', 'C/ Serrano 88, 2º dcha, Madrid'],
  ['vive en ', 'Callejón del Sol 4, Puebla'],
  ['abita in ', 'V.le Mazzini 20, Roma'],
  ['na ', 'ul.Dolna 4/6, Poznań'],
  ['mieszka na ', 'ul. św. Anny 7, Kraków'],
  ['bor på ', 'Norra Kyrkogatan 6, lgh 1203, Stockholm'],
  ['moro na ', 'Alameda Jaú 900, conj. 12, São Paulo'],
  ['yeni yerimiz ', 'Fatih Mah. Menekşe Sk. No:8 Kat:3, Nilüfer'],
  ['주소는 ', '서울 은평구 통일로 12가길 9 (우 03371)'],
])('%s%s', (before, address) => {
  expect(found(`${before}${address} today`)).toEqual([address]);
});

test.each([
  'We picked 12 apples lane by lane, then 3 more.',
  'There are 5 Red Bank, Inc. reports in Q4 2024.',
  'we need 4 court dates, manchester first',
  '3 files under src, step a1 2ab',
  '6 bank transfers, London time',
  'Lot 12, Lot 14, Apple shares',
  'Block 12, Bitcoin Core, London',
  'R. Madrid 3, Valencia 2',
  'Rione 4 contro Borgo 3',
  'RSTR 01 und Ministro 5',
  '3 square metres of wood, 2 bank holidays',
  'Radio FM 102, London',
  'Le 14 juillet, 3 mail non lus',
  'Vol. 12, No:3, Cambridge',
  '海淀区10号线',
])('is no address: %s', (text) => {
  expect(found(text)).toEqual([]);
});
