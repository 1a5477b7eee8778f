/** PDF files built by hand. */

/** Additional content of a document: entries of its dictionaries, as written, and further objects. */
export type PdfParts = {
  catalog?: string;
  page?: string;
  trailer?: string;
  /** Of the page. */
  resources?: string;
  content?: string;
  objects?: readonly string[];
};

/** One page with the text `plain`; its font is object 3, the page is object 4, and `objects` are numbered from 6. */
export function pdf({
  catalog = '',
  page = '',
  trailer = '',
  resources = '',
  content = 'BT /F1 12 Tf 72 700 Td (plain) Tj ET',
  objects = [],
}: PdfParts): Uint8Array {
  const all = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> ${resources} >> ${page} >>`,
    stream('', content),
    ...objects,
  ];
  return pdfFile(all, trailer);
}

/** A file of these objects, numbered from 1, the first of which is the catalog. */
export function pdfFile(objects: readonly string[], trailer = ''): Uint8Array {
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, i) => {
    const at = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(file, 'latin1'));
}

/** A stream with these entries in its dictionary. */
export function stream(entries: string, content: string): string {
  return `<< ${entries} /Length ${Buffer.byteLength(content)} >>\nstream\n${Buffer.from(content).toString('latin1')}\nendstream`;
}

/** A stream of metadata. */
export const xmp = (inside: string) =>
  stream(
    '/Type /Metadata /Subtype /XML',
    `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${inside}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  );
