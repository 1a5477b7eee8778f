/**
 * Attribute values, comments and instructions of office documents: texts by people are found, technical values stay.
 */
import { describe, expect, it, test } from 'vitest';
import { builtinTypes } from '../../../core/detect/detector.ts';
import { MemoryVault } from '../../../core/vault.ts';
import { withTexts, xmlTexts } from '../../../gateway/convert/office/xml-texts.ts';
import { BodyMasker } from '../../../gateway/proxy/body/masking.ts';
import { makeDocx, makePackage, makePptx, makeXlsx } from '../../support/documents.ts';
import { textsOf } from '../../support/masked-part.ts';

/** Addresses, a name and long numbers become tokens. */
function mask(xml: string): string {
  const groups = xmlTexts(xml);
  const newTexts = groups.map(({ text }) =>
    text
      .replaceAll(/[\w.]+@[\w.]+\.example/g, '[EMAIL-1]')
      .replaceAll('Hana Mori', '[NAME-1]')
      .replaceAll(/\d{9,}/g, '[CARD-1]'),
  );
  return withTexts(xml, groups, newTexts);
}

const card = '4111111111111111';

describe('values typed by people', () => {
  test.each<[name: string, xml: string]>([
    ['filters', '<filters><filter val="a@b.example"/><filter val="#"/></filters>'],
    ['custom filters', '<customFilter operator="equal" val="Hana Mori"/>'],
    ['filters of numbers', '<filter val="#"/>'],
    ['values of a pivot table', '<sharedItems><s v="a@b.example"/></sharedItems>'],
    [
      'scenarios',
      '<scenario name="x" user="Hana Mori" comment="by a@b.example"><inputCells r="A1" val="#"/></scenario>',
    ],
    ['connections', '<dbPr connection="Provider=X;User ID=a@b.example" command="SELECT 1 -- Hana Mori"/>'],
    ['mail merge', '<w:mailMerge><w:connectString w:val="User ID=a@b.example"/><w:query w:val="n=#"/></w:mailMerge>'],
    ['simple fields', '<w:fldSimple w:instr=" HYPERLINK &quot;mailto:a@b.example&quot; "/>'],
    ['items of lists', '<w:listItem w:displayText="Hana Mori" w:value="#"/>'],
    ['lists of forms', '<w:ddList><w:listEntry w:val="#"/></w:ddList>'],
    ['values of forms', '<form:text form:current-value="#" form:value="#"/><form:button form:label="#"/>'],
    ['lists of fields', '<text:drop-down><text:label text:value="#"/></text:drop-down>'],
    ['filters of OpenDocument', '<table:filter-condition table:value="#"/>'],
    ['rules of formats', '<cfRule type="containsText" text="#"/>'],
    ['pictures', '<wp:docPr id="1" name="#"/>'],
    ['fields of forms', '<w:default w:val="#"/><w:statusText w:type="text" w:val="ask Hana Mori"/>'],
    ['variables', '<w:docVar w:name="x" w:val="#"/>'],
    ['WordArt', '<v:textpath style="font-size:1pt" string="Hana Mori"/>'],
    ['bookmarks', '<w:bookmarkStart w:id="0" w:name="a@b.example"/>'],
    ['shapes', '<p:cNvPr id="4" name="Hana Mori" descr="Hana Mori" title="Hana Mori"/>'],
    ['tags', '<p:tag name="MAIL" val="a@b.example"/>'],
    ['names of properties', '<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="Hana Mori"/>'],
    ['unknown attributes', '<my:customer card="#" contact="a@b.example"/>'],
    ['telephone numbers', '<a b="090-1234-567890123456"/>'],
    ['comments', '<!-- Hana Mori, a@b.example --><a/>'],
    ['instructions', '<?mso-x a@b.example?><a/>'],
    ['entities', '<!DOCTYPE a [<!ENTITY x "a@b.example">]><a>&x;</a>'],
  ])('%s', (_name, xml) => {
    const part = xml.replaceAll('"#"', `"${card}"`).replaceAll('n=#', `n=${card}`);
    const masked = mask(part);
    expect(masked).toBe(
      part
        .replaceAll('a@b.example', '[EMAIL-1]')
        .replaceAll('Hana Mori', '[NAME-1]')
        .replaceAll(/(?<!\{D5CDD)\d{9,}(?!2B)/g, '[CARD-1]'),
    );
    expect(masked).not.toBe(part);
  });

  test.each([
    '<w:listEntry w:val="#"/>',
    '<form:text form:current-value="#"/>',
    '<form:text form:value="#"/>',
    '<form:option form:label="#"/>',
    '<text:label text:value="#"/>',
    '<table:filter-condition table:value="#"/>',
    '<cfRule type="containsText" text="#"/>',
    '<wp:docPr id="1" name="#"/>',
  ])('telephone numbers count as text there: %s', (xml) => {
    for (const phone of ['09012345678', '+819012345678']) {
      expect(textsOf(xml.replace('#', phone))).toContain(phone);
    }
  });
});

describe('non-text values', () => {
  test.each<[name: string, xml: string, masked: string]>([
    ['numbers of a pivot table with an exponent', '<r><n v="4.111111111111111E15"/></r>', '<r><n v="0"/></r>'],
    [
      'numbers of a chart with an exponent',
      '<c:pt idx="0"><c:v>4.111111111111111E15</c:v></c:pt>',
      '<c:pt idx="0"><c:v>[CARD-1]</c:v></c:pt>',
    ],
    [
      'a cell of OpenDocument with a fraction',
      `<table:table-cell office:value-type="float" office:value="${card}.0"><text:p>###</text:p></table:table-cell>`,
      '<table:table-cell office:value-type="string" office:string-value="[CARD-1]"><text:p>###</text:p></table:table-cell>',
    ],
    [
      'a cell of OpenDocument with other prefixes',
      `<ns0:x xmlns:ns0="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:ns1="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><ns1:table ns1:name="Hana Mori"><ns1:table-cell ns0:value-type="float" ns0:value="${card}"/></ns1:table></ns0:x>`,
      '<ns0:x xmlns:ns0="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:ns1="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><ns1:table ns1:name="(NAME-1)"><ns1:table-cell ns0:value-type="string" ns0:string-value="[CARD-1]"/></ns1:table></ns0:x>',
    ],
    [
      'a property with a number',
      `<property><vt:i8>${card}</vt:i8></property><property><vt:i4>7</vt:i4></property>`,
      '<property><vt:lpwstr>[CARD-1]</vt:lpwstr></property><property><vt:i4>7</vt:i4></property>',
    ],
    [
      'a cell whose formula is that of other cells',
      `<c r="A1"><f t="shared" ref="A1:A3" si="0">B1</f><v>${card}</v></c><c r="A2"><f t="shared" si="0"/><v>5</v></c><c r="A3"><f t='shared' si='0'>B3</f><v>6</v></c><c r="A4"><f t="shared" si="1"/><v>7</v></c>`,
      '<c r="A1" t="inlineStr"><is><t>[CARD-1]</t></is></c><c r="A2"><v>5</v></c><c r="A3"><v>6</v></c><c r="A4"><f t="shared" si="1"/><v>7</v></c>',
    ],
    ['numbers of a pivot table', `<r><n v="${card}"/></r>`, '<r><n v="0"/></r>'],
    [
      'their maximum and minimum',
      `<sharedItems minValue="1" maxValue="${card}"/>`,
      '<sharedItems minValue="1" maxValue="0"/>',
    ],
    [
      'a cell of OpenDocument whose text is the number',
      `<table:table-cell office:value-type="float" office:value="${card}" calcext:value-type="float"><text:p>${card}</text:p></table:table-cell>`,
      '<table:table-cell office:value-type="string" office:string-value="[CARD-1]" calcext:value-type="string"><text:p>[CARD-1]</text:p></table:table-cell>',
    ],
    [
      'a cell whose text is another one',
      `<table:table-cell office:value-type="float" office:value="${card}"><text:p>4.11E+15</text:p></table:table-cell>`,
      '<table:table-cell office:value-type="string" office:string-value="[CARD-1]"><text:p>4.11E+15</text:p></table:table-cell>',
    ],
    [
      'a cell of which only the text is found',
      '<table:table-cell office:value-type="date" office:date-value="1980-01-31"><text:p><text:span>Hana Mori</text:span></text:p></table:table-cell>',
      '<table:table-cell office:value-type="string" ><text:p><text:span>[NAME-1]</text:span></text:p></table:table-cell>',
    ],
    [
      'a cell with a note, which is not its value',
      '<table:table-cell office:value-type="float" office:value="7"><office:annotation><text:p>Hana Mori</text:p></office:annotation><text:p>7</text:p></table:table-cell>',
      '<table:table-cell office:value-type="float" office:value="7"><office:annotation><text:p>[NAME-1]</text:p></office:annotation><text:p>7</text:p></table:table-cell>',
    ],
    [
      'a cell with a text',
      '<table:table-cell office:value-type="string" office:string-value="Hana Mori"><text:p>Hana Mori</text:p></table:table-cell>',
      '<table:table-cell office:value-type="string" office:string-value="[NAME-1]"><text:p>[NAME-1]</text:p></table:table-cell>',
    ],
    [
      'sheets, and formulas that name them',
      `<sheet name="Hana Mori"/><worksheetSource sheet="Hana Mori"/><definedName name="x">'Hana Mori'!A1</definedName><c:f>'Hana Mori'!A1+T1[Sum]</c:f>`,
      `<sheet name="(NAME-1)"/><worksheetSource sheet="(NAME-1)"/><definedName name="x">'(NAME-1)'!A1</definedName><c:f>'(NAME-1)'!A1+T1[Sum]</c:f>`,
    ],
    [
      'sheets of OpenDocument',
      `<table:table table:name="Hana Mori"><table:table-cell table:formula="of:=[$'Hana Mori'.A1]"/></table:table>`,
      `<table:table table:name="(NAME-1)"><table:table-cell table:formula="of:=[$&apos;(NAME-1)&apos;.A1]"/></table:table>`,
    ],
    [
      'names of tables, which are letters only',
      '<table name="Hana Mori" displayName="Hana Mori"/><f>SUM(Hana Mori[Sum])+Hana Mori!A1</f>',
      '<table name="_NAME_1_" displayName="_NAME_1_"/><f>SUM(_NAME_1_[Sum])+\'(NAME-1)\'!A1</f>',
    ],
  ])('%s', (_name, xml, masked) => {
    expect(mask(xml)).toBe(masked);
  });
});

// None of these is changed, although every number of nine digits would be masked.
it.each([
  ['positions', '<a:off x="914400123" y="914400123456"/><a:ext cx="914400123" cy="914400123"/>'],
  ['lengths', '<w:tcW w:w="123456789" w:type="dxa"/><wp:extent cx="914400123" relativeHeight="251659264"/>'],
  ['32-bit identifiers', '<wp:docPr id="1234567890"/><p14:creationId val="2406273178"/><w:id w:val="-1234567890"/>'],
  [
    'identifiers',
    '<w:p w14:paraId="12345678" w14:textId="77777777" w:rsidR="00123456"/><a xr:uid="{12345678-1234-1234-1234-123456789012}"/>',
  ],
  ['lists', '<text:list xml:id="list1234567890123456" text:continue-list="list1234567890123456"/>'],
  ['fonts', '<w:panose1 w:val="02020603050405020304"/><a:latin typeface="ＭＳ 明朝" panose="02020603050405020304"/>'],
  ['bit masks', '<w:cnfStyle w:val="100000000000"/>'],
  ['paths', '<v:shape path="m123456789,l987654321,xe" coordsize="123456789,987654321"/><a d="M 123456789 1"/>'],
  ['margins', '<pageMargins left="0.69999999999999996" header="0.51180555555555496"/>'],
  ['instants', '<w:ins w:date="2024-01-01T00:00:00Z"/><meta:x meta:y="2024-01-01T00:00:00.000000000"/>'],
  ['protection checksums', '<workbookProtection hashValue="123456789012" saltValue="123456789012"/>'],
  ['numbers with fractions', '<a:x val="12345.6789012345678"/><n v="0.1234567890123456"/>'],
  ['namespaces', '<a xmlns="urn:x:123456789" xmlns:b="urn:x:123456789"/>'],
  ['the declaration', '<?xml version="1.0" encoding="UTF-8" x="123456789"?><a/>'],
])('%s stay', (_name, xml) => {
  expect(mask(xml)).toBe(xml);
});

test('no value is mistaken for the label of the next one', () => {
  const texts = xmlTexts('<a title="Name" descr="Times New Roman"/>').map(({ text }) => text);
  expect(texts).toEqual(['', 'Name', '', 'Times New Roman']);
});

describe('documents without personal data are unchanged', () => {
  const drawing =
    '<w:p w14:paraId="12345678" w14:textId="77777777" w:rsidR="00123456" w:rsidRDefault="00654321"><w:pPr><w:pStyle w:val="ListParagraph"/>' +
    '<w:rPr><w:rFonts w:ascii="Times New Roman" w:eastAsia="ＭＳ 明朝" w:hAnsi="游明朝" w:hint="eastAsia"/></w:rPr></w:pPr>' +
    '<wp:anchor distT="0" relativeHeight="251659264" wp14:anchorId="41111111" wp14:editId="11111111"><wp:extent cx="914400123" cy="4111111111"/>' +
    '<wp:docPr id="1234567890" name="Picture 1" descr="A chart"/><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"/></wp:anchor>' +
    '<v:shape id="_x0000_s1026" style="position:absolute;margin-left:123.45pt;width:468pt;mso-wrap-distance-left:9pt" ' +
    'coordsize="21600,21600" path="m@7,l@8,m@5,21600l@6,21600e" o:gfxdata="UEsDBBQABgAIAAAAIQC2gziS"/></w:p>';
  const styles =
    '<w:styles><w:latentStyles w:count="376"><w:lsdException w:name="Table Professional"/><w:lsdException w:name="Intense Quote"/></w:latentStyles>' +
    '<w:style w:styleId="a"><w:name w:val="Normal"/><w:rsid w:val="00411111"/></w:style><w:font w:name="ＭＳ Ｐゴシック"><w:altName w:val="MS PGothic"/>' +
    '<w:panose1 w:val="020B0600070205080204"/><w:sig w:usb0="E00002FF" w:csb0="4002009F"/></w:font></w:styles>';
  const ods =
    '<office:document-content><style:style style:name="ce1"><style:text-properties fo:font-family="&apos;Noto Sans CJK JP&apos;" officeooo:rsid="00123456"/></style:style>' +
    '<table:table table:name="Sheet1"><table:table-cell office:value-type="float" office:value="123456789"><text:p>123456789</text:p></table:table-cell>' +
    '<table:table-cell office:value-type="date" office:date-value="2024-01-31"><text:p>2024/01/31</text:p></table:table-cell></table:table>' +
    '<draw:custom-shape svg:width="2.258cm" draw:z-index="0"><draw:enhanced-geometry svg:viewBox="0 0 21600 21600" draw:enhanced-path="M 0 0 L 21600 0 21600 21600"/></draw:custom-shape></office:document-content>';
  const book =
    '<worksheet><sheetPr codeName="Sheet1"/><dimension ref="A1:C411111111"/><cols><col min="1" max="16384" width="9.140625"/></cols>' +
    '<pageMargins left="0.69999999999999996" header="0.51180555555555496"/><conditionalFormatting sqref="A1:B2 C1:D2"/></worksheet>';
  test.each<[name: string, bytes: Uint8Array]>([
    [
      'a text',
      makeDocx([['Report']], { 'word/document.xml': `<w:document>${drawing}</w:document>`, 'word/styles.xml': styles }),
    ],
    ['a workbook', makeXlsx([['Total', 123456789]], { 'xl/worksheets/sheet2.xml': book })],
    ['slides', makePptx(['Outlook', 'Numbers'])],
    [
      'an OpenDocument',
      makePackage({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': ods }),
    ],
  ])('%s', async (_name, bytes) => {
    const masker = new BodyMasker({
      vault: new MemoryVault({ ttlMs: 60_000 }),
      types: {},
      dictionary: [],
      bodyBytesMax: 2 ** 20,
      uninspectable: { image: 'block', audio: 'block', document: 'extract', binary: 'block', signed: 'block' },
      tokenTtlMs: 60_000,
      batchTtlMs: 60_000,
      hints: [],
      builtinTypes,
    });
    const body = Buffer.from(bytes);
    const input = { body, contentType: 'application/octet-stream', contentEncoding: undefined, host: 'h', path: '/' };
    const result = await masker.mask({ ...input, session: 's', mode: 'mask' });
    expect(result).toMatchObject({ changed: false, counts: undefined });
    expect(result.body.equals(body)).toBe(true);
  });
});
