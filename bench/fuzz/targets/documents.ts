/** Office documents and PDFs. */
import { strToU8, zipSync } from 'fflate';
import { PrivetError } from '../../../core/errors.ts';
import { defaultLimits } from '../../../gateway/convert/limits.ts';
import { OfficeDocument } from '../../../gateway/convert/office/office.ts';
import { officeSections } from '../../../gateway/convert/office/sections.ts';
import { withTexts, xmlTexts } from '../../../gateway/convert/office/xml-texts.ts';
import { readPdf } from '../../../gateway/convert/pdf/index.ts';
import { type FuzzTarget, must, mustEqual } from '../target.ts';

const paragraph =
  '<w:p><w:r><w:t>Hana Mor</w:t></w:r><w:r><w:t xml:space="preserve">ita &amp; co</w:t></w:r><w:tab/></w:p>';
const xmlWords = [
  '<w:p>',
  '</w:p>',
  '<w:t>',
  '</w:t>',
  '<w:t xml:space="preserve">',
  '<w:r/>',
  '<a:t>',
  '<si><t>',
  '</t></si>',
  '<c r="A1" t="s"><v>0</v></c>',
  '<c r="A1"><v>4111111111111111</v></c>',
  '<f>SUM(A1)</f>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  '&amp;',
  '&#x41;',
  '&#55357;',
  '&lt;',
  '<sheet name="Hana"/>',
  ' Target="mailto:a@b.example"',
  '"',
  "'",
  '<',
  '>',
  '/>',
  'HIT',
];

/** Texts of a part: writing the same texts changes nothing, and tokens replace values. */
export const xml: FuzzTarget = {
  seeds: () => [
    `<?xml version="1.0"?><w:document>${paragraph}</w:document>`,
    '<sst><si><t>HIT</t></si><si><r><t>a </t></r><r><t>HIT</t></r></si></sst>',
    '<worksheet><c r="A1"><v>4111111111111111</v></c><c t="inlineStr"><is><t>HIT</t></is></c><f>"HIT"</f></worksheet>',
    '<Relationship Target="mailto:HIT@b.example"/><a author="HIT me"/>',
    '<text:p>HIT<text:span> x</text:span><text:s/></text:p><![CDATA[HIT]]>',
  ],
  words: xmlWords,
  bytesMax: 800,
  run(input) {
    const source = input.toString('utf8');
    const groups = xmlTexts(source);
    for (const { text, runs } of groups) {
      mustEqual(runs.map((run) => run.text).join(''), text, 'a text and its runs');
      for (const run of runs)
        must(run.start >= 0 && run.end >= run.start && run.end <= source.length, 'a run is outside the part');
    }
    must(
      withTexts(
        source,
        groups,
        groups.map((group) => group.text),
      ) === source,
      'the same texts, yet the part changes',
    );
    const masked = groups.map(({ text }) =>
      text.replaceAll('HIT', '[NAME-1]').replaceAll('4111111111111111', '[CARD-1]'),
    );
    const out = withTexts(source, groups, masked);
    // A `<` that is not markup is escaped when its text changes, so the part is parsed differently.
    if (groups.some(({ runs }) => runs.some((run) => source.slice(run.start, run.end).includes('<')))) return undefined;
    for (const { text } of xmlTexts(out)) must(!text.includes('HIT'), 'a value was not masked');
    return undefined;
  },
};

const docx = () =>
  zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    'word/document.xml': strToU8(`<w:document>${paragraph}</w:document>`),
    'word/media/a.png': new Uint8Array([1, 2, 3]),
  });

/** Packages: damaged ones are rejected with our error, intact ones keep their texts. */
export const office: FuzzTarget = {
  seeds: () => [
    docx(),
    zipSync(
      {
        'xl/workbook.xml': strToU8('<sheet name="HIT"/>'),
        'xl/sharedStrings.xml': strToU8('<sst><si><t>HIT</t></si></sst>'),
      },
      { level: 0 },
    ),
    zipSync(
      { mimetype: strToU8('application/vnd.oasis.opendocument.text'), 'content.xml': strToU8('<text:p>HIT</text:p>') },
      { level: 0 },
    ),
    zipSync({ 'ppt/presentation.xml': strToU8('<a/>'), 'ppt/embeddings/a.docx': docx() }, { level: 0 }),
  ],
  words: ['PK\x01\x02', 'PK\x03\x04', 'PK\x05\x06', '\x00\x00', '\xff\xff\xff\xff', ...xmlWords],
  bytesMax: 3000,
  run(input) {
    let document: OfficeDocument;
    try {
      document = new OfficeDocument(input, { ...defaultLimits, unpackedBytesMax: 1 << 20 });
      officeSections(document);
    } catch (error) {
      if (!(error instanceof PrivetError)) throw error;
      return error.code;
    }
    const { texts } = document;
    const out = document.rewrite(texts.map((text) => text.replaceAll('HIT', '[NAME-1]')));
    const again = new OfficeDocument(out, defaultLimits);
    mustEqual(again.texts.length, texts.length, 'texts after masking');
    return undefined;
  },
};

const pdfSeed = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length 42>>stream
BT /F1 12 Tf 10 100 Td (Hello HIT) Tj ET
endstream endobj
trailer<</Root 1 0 R>>
%%EOF
`;

/** PDFs are read, or rejected with our error. */
export const pdf: FuzzTarget = {
  seeds: () => [pdfSeed],
  words: [
    'obj',
    'endobj',
    'stream',
    '/Kids[3 0 R 3 0 R]',
    '/Parent 2 0 R',
    '2 0 R',
    '/Count 99999999',
    '/Length -1',
    '/Filter/FlateDecode',
    '/Names',
    '/JavaScript',
    '/EmbeddedFile',
    '/Encrypt',
    '<<',
    '>>',
    '(',
    ')',
  ],
  bytesMax: 2000,
  msMax: 10_000,
  async run(input) {
    // As in gateway/convert/worker.ts; each target has its own thread.
    if (process.listenerCount('unhandledRejection') === 0) process.on('unhandledRejection', () => {});
    try {
      await readPdf(new Uint8Array(input), { ...defaultLimits, pagesMax: 20 });
    } catch (error) {
      if (!(error instanceof PrivetError)) throw error;
      return error.code;
    }
    return undefined;
  },
};
