/** Parts of office documents that are broken on purpose: read in time linear in their length. */
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { convertDocument, openDocument } from '../../../gateway/convert/index.ts';
import { elementsOf } from '../../../gateway/convert/office/xml-elements.ts';
import { markupOf } from '../../../gateway/convert/office/xml-markup.ts';
import { expectLinear } from '../../support/linear-time.ts';

/** The length of a short part, in characters. */
const shortLength = 16_384;

test.each<[name: string, unit: string, end: string]>([
  ['tags within values', ' ="<a"', '<'],
  ['tags within values of both quotes', ` ="<a" ='<b'`, '<'],
  ['values that begin within values', ` ="<a ='"`, '<'],
  ['values that end the part', ' ="<a  "', ''],
])('markup: %s', (_name, unit, end) => {
  expectLinear(
    (length) => {
      const xml = `<a${unit.repeat(length / unit.length)}${end}`;
      return () => expect([...markupOf(xml)]).toEqual([]);
    },
    shortLength,
    4,
  );
});

test.each([
  ['rows that do not end', '<row>'],
  ['tags that do not end', '<row '],
])('elements: %s', (_name, unit) => {
  expectLinear(
    (length) => {
      const xml = unit.repeat(length / unit.length);
      return () => expect([...elementsOf(xml, 'row')]).toEqual([]);
    },
    shortLength,
    4,
  );
});

test('elements: unclosed ones are skipped', () => {
  const xml = '<row a="1"><c/></row><rows/><row/><row b="2" /><row><row>x</row></rows><row>y';
  const found = [...elementsOf(xml, 'row')].map(({ attributes, inside }) => [attributes, inside]);
  expect(found).toEqual([
    [' a="1"', '<c/>'],
    ['', undefined],
    [' b="2" ', undefined],
    ['', '<row>x'],
  ]);
});

describe('a workbook of 1 MB is opened within the time limit', () => {
  const styles = (inside: string) => ({ 'xl/styles.xml': inside });
  const sheet = (inside: string) => ({ 'xl/worksheets/sheet1.xml': inside });
  const strings = (inside: string) => ({ 'xl/sharedStrings.xml': inside });
  test.each<[name: string, parts: Record<string, string>]>([
    ['rows', sheet('<row>'.repeat(200_000))],
    ['cells', sheet(`<row>${'<c>'.repeat(330_000)}</row>`)],
    ['strings', strings('<si>'.repeat(250_000))],
    ['readings', strings(`<si>${'<rPh>'.repeat(200_000)}</si>`)],
    ['texts', strings(`<si>${'<t '.repeat(330_000)}</si>`)],
    ['formats', styles('<numFmt '.repeat(125_000))],
    ['lists of formats', styles('<cellXfs>'.repeat(110_000))],
  ])('%s', async (_name, parts) => {
    const entries = { 'xl/workbook.xml': '<workbook/>', ...parts };
    const file = zipSync(Object.fromEntries(Object.entries(entries).map(([name, xml]) => [name, strToU8(xml)])));
    await expect(convertDocument(file)).resolves.toMatchObject({ kind: 'xlsx', sections: [] });
  });
});

test('a PDF with an endless program version is opened within the time limit', async () => {
  const digits = '1'.repeat(400_000);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [] /Count 0 >>',
    `<< /Producer (${digits}) >>`,
  ];
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('');
  const file = Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Root 1 0 R /Info 3 0 R >>\n%%EOF\n`);
  expect((await openDocument(file)).texts).toContain(`Producer: ${digits}`);
});

test('a cell with much white space in its tag is rewritten within the time limit', async () => {
  const sheet = `<row><c r="A1"${' '.repeat(400_000)}s="1"><v>4111111111111111</v></c></row>`;
  const parts = { 'xl/workbook.xml': strToU8('<workbook/>'), 'xl/worksheets/sheet1.xml': strToU8(sheet) };
  const { texts, rewrite } = await openDocument(zipSync(parts));
  const written = await rewrite?.(texts.map((text) => (/^\d+$/.test(text) ? '[CARD_1]' : undefined)));
  expect((await openDocument(written as Uint8Array)).texts).toContain('[CARD_1]');
});
