/** Writes tables in every record format and file type. */
import { strToU8, zipSync } from 'fflate';
import { pdfFile } from '../test/support/pdf.ts';

export type Table = { readonly headings: readonly string[]; readonly rows: readonly (readonly string[])[] };
type Form = readonly [name: string, file: string, render: (table: Table) => string | Uint8Array];

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const csv =
  (separator: string) =>
  ({ headings, rows }: Table) =>
    [headings, ...rows]
      .map((cells) => cells.map((cell) => (cell.includes(separator) ? `"${cell}"` : cell)).join(separator))
      .join('\n');
const records = ({ headings, rows }: Table) =>
  rows.map((row) => Object.fromEntries(headings.map((heading, i) => [heading, row[i] as string])));
const pairs = ({ headings, rows }: Table, line: (heading: string, value: string) => string, end = '\n') =>
  rows.map((row) => headings.map((heading, i) => line(heading, row[i] as string)).join('\n')).join(`\n${end}`);
const snake = (heading: string) => heading.replace(/[ -]/g, '_');
const rowsOf = (table: Table) => [table.headings, ...table.rows];
const turned = ({ headings, rows }: Table): Table => ({
  headings: [headings[0] as string, ...rows.map((row) => row[0] as string)],
  rows: headings.slice(1).map((heading, i) => [heading, ...rows.map((row) => row[i + 1] as string)]),
});
const packed = (parts: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const docx = (body: string) =>
  packed({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<w:document ${word}><w:body>${body}</w:body></w:document>`,
  });
const wordText = (text: string) => `<w:p><w:r><w:t>${xml(text)}</w:t></w:r></w:p>`;
const docxTable = (table: Table) =>
  docx(
    `<w:tbl>${rowsOf(table)
      .map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${wordText(cell)}</w:tc>`).join('')}</w:tr>`)
      .join('')}</w:tbl>`,
  );
const pptxTable = (table: Table) =>
  packed({
    '[Content_Types].xml': '<Types/>',
    'ppt/presentation.xml': '<p:presentation xmlns:p="p"/>',
    'ppt/slides/slide1.xml': `<p:sld xmlns:p="p" xmlns:a="a"><a:tbl>${rowsOf(table)
      .map(
        (cells) =>
          `<a:tr>${cells.map((cell) => `<a:tc><a:txBody><a:p><a:r><a:t>${xml(cell)}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`,
      )
      .join('')}</a:tbl></p:sld>`,
  });
const openDocument = (kind: 'text' | 'spreadsheet') => (table: Table) =>
  packed({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:${kind}><table:table table:name="T">${rowsOf(
      table,
    )
      .map(
        (cells) =>
          `<table:table-row>${cells.map((cell) => `<table:table-cell><text:p>${xml(cell)}</text:p></table:table-cell>`).join('')}</table:table-row>`,
      )
      .join('')}</table:table></office:${kind}></office:body></office:document-content>`,
  });
const sheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const xlsx = (table: Table) =>
  packed({
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook ${sheet} xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet ${sheet}><sheetData>${rowsOf(table)
      .map(
        (cells, row) =>
          `<row r="${row + 1}">${cells.map((cell, at) => `<c r="${'ABCDEFG'[at]}${row + 1}" t="inlineStr"><is><t>${xml(cell)}</t></is></c>`).join('')}</row>`,
      )
      .join('')}</sheetData></worksheet>`,
  });
/** A page with each cell drawn at its position; PDF strings of Latin 1 only. */
const pdf = (table: Table) => {
  const isLatin = (text: string) => !/[^\x20-\xff]/.test(text);
  const lines = rowsOf(table).flatMap((cells, row) =>
    cells.map(
      (cell, at) =>
        `BT /F1 8 Tf ${40 + at * 190} ${720 - row * 20} Td (${isLatin(cell) ? cell.replace(/[()\\]/g, '\\$&') : '-'}) Tj ET`,
    ),
  );
  const content = lines.join('\n');
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1200 792] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]);
};

export const forms: readonly Form[] = [
  ['csv ,', 'a.csv', csv(',')],
  ['csv ;', 'a.csv', csv(';')],
  ['csv |', 'a.csv', csv('|')],
  ['csv tab', 'a.tsv', csv('\t')],
  ['csv ^', 'a.csv', csv('^')],
  ['csv ~', 'a.txt', csv('~')],
  [
    'csv , quoted',
    'a.csv',
    ({ headings, rows }) => [headings, ...rows].map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n'),
  ],
  ['csv turned', 'a.csv', (table) => csv(',')(turned(table))],
  [
    'aligned',
    'a.txt',
    (table) =>
      rowsOf(table)
        .map((cells) =>
          cells
            .map((cell) => cell.padEnd(44))
            .join('  ')
            .trimEnd(),
        )
        .join('\n'),
  ],
  [
    'markdown',
    'a.md',
    ({ headings, rows }) =>
      [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
  ],
  [
    'markdown turned',
    'a.md',
    (table) => {
      const { headings, rows } = turned(table);
      return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    },
  ],
  [
    'html',
    'a.html',
    ({ headings, rows }) =>
      `<table><thead><tr>${headings.map((h) => `<th>${h}</th>`).join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${xml(cell)}</td>`).join('')}</tr>`).join('\n')}</tbody></table>`,
  ],
  [
    'html turned',
    'a.html',
    ({ headings, rows }) =>
      `<table>${headings.map((h, i) => `<tr><th scope="row">${h}</th>${rows.map((row) => `<td>${xml(row[i] as string)}</td>`).join('')}</tr>`).join('')}</table>`,
  ],
  ['html list', 'a.html', (table) => `<dl>${pairs(table, (h, v) => `<dt>${h}</dt><dd>${xml(v)}</dd>`)}</dl>`],
  [
    'html form',
    'a.html',
    (table) => pairs(table, (h, v) => `<label>${h}</label><input name="${snake(h)}" value="${xml(v)}">`),
  ],
  ['json', 'a.json', (table) => JSON.stringify(records(table), null, 2)],
  ['json minified', 'a.json', (table) => JSON.stringify({ data: records(table) })],
  [
    'json lines',
    'a.jsonl',
    (table) =>
      records(table)
        .map((record) => JSON.stringify(record))
        .join('\n'),
  ],
  ['json columns, rows', 'a.json', ({ headings, rows }) => JSON.stringify({ columns: headings, rows })],
  [
    'json split',
    'a.json',
    ({ headings, rows }) => JSON.stringify({ columns: headings, index: rows.map((_, i) => i), data: rows }),
  ],
  ['json arrays', 'a.json', (table) => JSON.stringify(rowsOf(table))],
  [
    'json values',
    'a.json',
    (table) => JSON.stringify({ range: 'A1:E4', majorDimension: 'ROWS', values: rowsOf(table) }, null, 1),
  ],
  [
    'json by column',
    'a.json',
    ({ headings, rows }) => JSON.stringify(Object.fromEntries(headings.map((h, i) => [h, rows.map((row) => row[i])]))),
  ],
  [
    'json name, value',
    'a.json',
    (table) =>
      JSON.stringify(records(table).map((record) => Object.entries(record).map(([name, value]) => ({ name, value })))),
  ],
  [
    'json fields apart',
    'a.json',
    ({ headings, rows }) =>
      JSON.stringify({
        schema: { fields: headings.map((name) => ({ name, type: 'STRING' })) },
        rows: rows.map((row) => ({ f: row.map((v) => ({ v })) })),
      }),
  ],
  ['json in text', 'a.txt', (table) => `Reply: ${JSON.stringify(JSON.stringify(records(table)))}`],
  [
    'sql insert',
    'a.sql',
    ({ headings, rows }) =>
      `INSERT INTO people (${headings.map(snake).join(', ')}) VALUES\n${rows.map((row) => `(${row.map((cell) => `'${cell.replaceAll("'", "''")}'`).join(', ')})`).join(',\n')};`,
  ],
  [
    'sql insert each',
    'a.sql',
    ({ headings, rows }) =>
      rows
        .map(
          (row) =>
            `INSERT INTO "people" ("${headings.map(snake).join('", "')}") VALUES (${row.map((cell) => `'${cell.replaceAll("'", "''")}'`).join(',')});`,
        )
        .join('\n'),
  ],
  [
    'sql client',
    'a.txt',
    ({ headings, rows }) =>
      `+--+\n${[headings, ...rows].map((cells) => `| ${cells.map((cell) => cell.padEnd(30)).join(' | ')} |`).join('\n')}\n+--+`,
  ],
  [
    'xml',
    'a.xml',
    ({ headings, rows }) =>
      `<people>${rows.map((row) => `<person>${row.map((cell, i) => `<${snake(headings[i] as string)}>${xml(cell)}</${snake(headings[i] as string)}>`).join('')}</person>`).join('\n')}</people>`,
  ],
  [
    'xml namespaces',
    'a.xml',
    (table) =>
      pairs(table, (h, v) => `<p:${snake(h)} xsi:type="xs:string"><![CDATA[${v}]]></p:${snake(h)}>`, '<p:next/>\n'),
  ],
  ['ruby', 'a.txt', (table) => pairs(table, (h, v) => `:${snake(h)} => '${v}',`)],
  ['toml', 'a.toml', (table) => pairs(table, (h, v) => `"${h}" = "${v}"`, '[[people]]\n')],
  [
    'xml attributes',
    'a.xml',
    ({ headings, rows }) =>
      `<people>${rows.map((row) => `<person ${row.map((cell, i) => `${snake(headings[i] as string)}="${xml(cell)}"`).join(' ')}/>`).join('\n')}</people>`,
  ],
  [
    'xml field names',
    'a.xml',
    ({ headings, rows }) =>
      `<people>${rows.map((row) => `<row>${row.map((cell, i) => `<field name="${headings[i]}">${xml(cell)}</field>`).join('')}</row>`).join('\n')}</people>`,
  ],
  [
    'yaml',
    'a.yaml',
    ({ headings, rows }) =>
      rows.map((row) => row.map((cell, i) => `${i === 0 ? '- ' : '  '}${headings[i]}: ${cell}`).join('\n')).join('\n'),
  ],
  [
    'yaml quoted',
    'a.yaml',
    ({ headings, rows }) =>
      rows
        .map((row) =>
          row.map((cell, i) => `${i === 0 ? '- ' : '  '}${snake(headings[i] as string)}: "${cell}"`).join('\n'),
        )
        .join('\n'),
  ],
  ['env', 'a.env', (table) => pairs(table, (h, v) => `${snake(h).toUpperCase()}=${v}`)],
  ['env quoted', 'a.env', (table) => pairs(table, (h, v) => `export ${snake(h).toUpperCase()}="${v}"`)],
  ['ini', 'a.ini', (table) => pairs(table, (h, v) => `${snake(h)} = ${v}`, '[next]\n')],
  ['key: value', 'a.txt', (table) => pairs(table, (h, v) => `${h}: ${v}`, '\n')],
  ['key - value', 'a.txt', (table) => pairs(table, (h, v) => `${h} - ${v}`, '\n')],
  ['key .... value', 'a.txt', (table) => pairs(table, (h, v) => `${h} ......... ${v}`, '\n')],
  ['key tab value', 'a.txt', (table) => pairs(table, (h, v) => `${h}\t${v}`, '\n')],
  ['key below', 'a.txt', (table) => pairs(table, (h, v) => `${h}:\n${v}`, '\n')],
  ['**key** value', 'a.md', (table) => pairs(table, (h, v) => `- **${h}:** ${v}`, '\n')],
  [
    'query',
    'a.txt',
    ({ headings, rows }) =>
      rows
        .map(
          (row) =>
            `https://example.com/f?${row.map((cell, i) => `${encodeURIComponent(snake(headings[i] as string))}=${encodeURIComponent(cell)}`).join('&')}`,
        )
        .join('\n'),
  ],
  ['docx table', 'a.docx', docxTable],
  ['docx table turned', 'a.docx', (table) => docxTable(turned(table))],
  [
    'docx lines',
    'a.docx',
    (table) =>
      docx(
        pairs(table, (h, v) => `${h}: ${v}`)
          .split('\n')
          .map(wordText)
          .join(''),
      ),
  ],
  ['pptx table', 'a.pptx', pptxTable],
  ['odt table', 'a.odt', openDocument('text')],
  ['ods', 'a.ods', openDocument('spreadsheet')],
  ['xlsx', 'a.xlsx', xlsx],
  ['xlsx turned', 'a.xlsx', (table) => xlsx(turned(table))],
  ['pdf table', 'a.pdf', pdf],
];
