import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tagNames } from '../../../core/names/index.ts';

const names = (text: string): string[] => tagNames(text).map(({ start, end }) => text.slice(start, end));

describe('names in texts of many kinds', () => {
  const rows: readonly (readonly [what: string, text: string, expected: readonly string[]])[] = [
    ['a full name', 'Yesterday I spoke with Maria Fernandez about the contract.', ['Maria Fernandez']],
    ['a title and a surname', 'Dear Ms. Okafor,\n\nthank you for your letter.', ['Okafor']],
    ['a greeting and a sign-off', 'Hi Tobias,\n\nsee you on Monday.\n\nBest,\nIngrid', ['Tobias', 'Ingrid']],
    ['family name first', 'Patient: Papadopoulos, Stavros, DOB 03.04.1971', ['Papadopoulos, Stavros']],
    ['initials with a surname', 'Yours faithfully,\n\nH.S. Rathore', ['H.S. Rathore']],
    ['a chat in lower case', 'ok thanks rohan, will do', ['rohan']],
    ['professional letters', 'Grace Wells, RN, BSN', ['Grace Wells']],
    ['a name in full before a suffix', 'Wesley Marsh, Jr.', ['Wesley Marsh, Jr']],
    ['professional letters with dots', 'Faith Rivers, Ph.D.', ['Faith Rivers']],
    ['professional letters without a comma', 'Faith Rivers PhD', ['Faith Rivers']],
    ['no title of a work before a number', 'World War III', []],
    ['no town before its state', 'Ocean City, MD', []],
    ['no job before professional letters', 'Clinical Director, RN', []],
    ['speakers', 'Kofi: are you coming?\nLena: yes, with Kofi', ['Kofi', 'Lena', 'Kofi']],
    ['a list of tasks', '- Kwame to draft the plan, Astrid reviews', ['Kwame', 'Astrid']],
    ['surnames behind a label', 'Anwesend: Brinkmann, Sato, Oyelaran', ['Brinkmann', 'Sato', 'Oyelaran']],
    ['a roster of surnames', 'Early   Novak   Ferreira\nLate   Okoro   -', ['Novak', 'Ferreira', 'Okoro']],
    [
      'a surname on no list',
      'Der Zeuge Brandmüller sagte nichts, Notar Wischnewski auch.',
      ['Brandmüller', 'Wischnewski'],
    ],
    ['a surname beside a reporting verb', '«Não há acordo», disse Malucelli.', ['Malucelli']],
    ['a profession before a surname', "L'ingegner Zanardelli passa domani.", ['Zanardelli']],
    ['a surname in katakana', 'マケインは2008年の選挙で敗れた。', ['マケイン']],
    ['capitals in a form', 'ATTN: GISELA BRANDT', ['GISELA BRANDT']],
    ['German titles', 'Herr Schneider hat Frau Yilmaz angerufen.', ['Schneider', 'Yilmaz']],
    ['a Spanish form', 'Nombre: Lucía\nApellidos: Romero Vidal', ['Lucía', 'Romero Vidal']],
    ['Japanese honorifics', '佐伯様、田中部長、鈴木さんにお伝えください。', ['佐伯', '田中', '鈴木']],
    ['a Japanese label', '氏名:佐伯健太\n電話:03-1234-5678', ['佐伯健太']],
    ['a spaced Japanese name', '担当は高橋 直樹です。', ['高橋 直樹']],
    [
      'a family name behind the full name',
      '高橋憲幸の死球に激怒し、止めに入った高橋を追いかけた。',
      ['高橋憲幸', '高橋'],
    ],
    [
      'a rare family name in a sentence',
      '納品が遅れたため、物流部の矢田堀も倉庫まで荷物を取りに行かなければならなかった。',
      ['矢田堀'],
    ],
    ['a German genitive', 'Die zahlreichen Aussprüche Luthers schrieben Studenten auf.', ['Luthers']],
    [
      'a first name that opens a mail',
      'Buenas, Jacinto: el fontanero viene el martes. Las llaves las tiene Rocío.',
      ['Jacinto', 'Rocío'],
    ],
    ['katakana with a middle dot', '監督はジョン・スミスである。', ['ジョン・スミス']],
    ['a Chinese label', '姓名:王小明\n电话:123', ['王小明']],
    ['Chinese prose', '据王小明介绍,该项目由陈志远负责,李娜参加了会议。', ['王小明', '陈志远', '李娜']],
    ['traditional characters', '陳志遠說,林美惠明天不能來。', ['陳志遠', '林美惠']],
    ['a family name in kanji and a given name in kana', '本日は佐々木トメ様のお宅へ伺います。', ['佐々木トメ']],
    ['a Korean honorific', '김민준 씨는 서울에서 태어났다.', ['김민준']],
  ];
  test.each(rows)('%s', (_, text, expected) => {
    expect(names(text)).toEqual(expected);
  });
});

describe('no names', () => {
  const rows: readonly (readonly [what: string, text: string])[] = [
    ['German nouns', 'Alle Mitarbeiter sind informiert. Die Sitzung des Ausschusses findet im Rathaus statt.'],
    ['menus', 'Open Settings, choose Privacy and click Save Changes.'],
    ['code', 'export class RequestHandler extends BaseHandler {\n  private readonly cache = new Map();\n}'],
    ['months and places', 'The office in London is closed from Monday to Friday in August.'],
    ['French prose', 'Tous les salariés sont informés. La réunion aura lieu lundi à Paris.'],
    ['Japanese departments', '総務部、経理部、営業部、開発部に連絡してください。'],
    ['a place that opens a line without a sentence', '千葉 300 か所で実施'],
    ['Japanese technical words', 'コンポーネントのプロパティをテンプレートで参照します。'],
    ['a country in katakana', 'イギリスは1914年に宣戦した。'],
    ['a log', '2024-01-02 10:11:12 INFO [main] Started Application in 3 seconds'],
    ['JSON', '{"type":"Order","status":"Active","region":"North America"}'],
    ['nothing', ''],
  ];
  test.each(rows)('%s', (_, text) => {
    expect(names(text)).toEqual([]);
  });
});

test('a given name alone counts when the text has it in a full name', () => {
  const text = 'Present: Wilhelmina de Groot.\nThe report by Wilhelmina was read.';
  expect(names(text)).toContain('Wilhelmina');
});

describe('laws', () => {
  const piece = fc.constantFrom(
    ..."Anna|Müller|de| |, |.|\n|:|@|Mr |佐藤|太郎|様|さん|スミス|・|김민준|王|A.|the |😀|\ud800|9|\u{3000}|-|'".split(
      '|',
    ),
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary' }),
  );

  test('spans are sorted, disjoint, within the text, and scores are shares', () => {
    fc.assert(
      fc.property(text, (input) => {
        let last = 0;
        for (const { start, end, score } of tagNames(input)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(input.length);
      }),
      { numRuns: 300 },
    );
  });

  test('equal texts have equal spans, whatever was tagged in between', () => {
    fc.assert(
      fc.property(text, text, (input, other) => {
        const first = tagNames(input);
        tagNames(other);
        expect(tagNames(input)).toEqual(first);
      }),
      { numRuns: 100 },
    );
  });

  test('a name is found at the end of a block as well as inside one', () => {
    const filler = 'the cat sat on the mat and looked at the rain.\n'.repeat(1500);
    const found = tagNames(`${filler}Dear Ms. Okafor,\n${filler}`).filter((span) => span.start >= filler.length);
    expect(found[0]).toMatchObject({ start: filler.length + 9, end: filler.length + 15 });
  });

  test.each([
    ['initials', 'A a '],
    ['capitalised words', 'Anna Berg '],
    ['one word', 'A'],
    ['capitals with commas', 'Anna, '],
    ['kanji', '佐藤'],
    ['one kanji', '森'],
    ['katakana', 'ア'],
    ['hangul', '김'],
    ['middle dots', '・ス'],
    ['blanks', ' '],
    ['combining marks', 'a\u0301'],
  ])('long runs of %s come to an end', (_, unit) => {
    const input = unit.repeat(200_000 / unit.length);
    for (const { end } of tagNames(input)) expect(end).toBeLessThanOrEqual(input.length);
  });
});
