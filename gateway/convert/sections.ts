/** The text of an office document in sections as people count them: body and notes, sheets, slides. */
import type { OfficeDocument } from './office.ts';
import { decodeXml } from './xml-texts.ts';

/** A part of a document; without a title for the body of a text. */
export type Section = { readonly title?: string; readonly text: string };

/** The sections that hold text. */
export function officeSections(document: OfficeDocument): Section[] {
  const sections = document.kind === 'xlsx' ? sheets(document) : partSections(document);
  return sections.filter((section) => section.text.trim() !== '');
}

const partNames: Readonly<Record<string, readonly [name: RegExp, title: string | undefined][]>> = {
  docx: [
    [/^word\/document\.xml$/, undefined],
    [/^word\/header\d*\.xml$/, 'Header'],
    [/^word\/footer\d*\.xml$/, 'Footer'],
    [/^word\/footnotes\.xml$/, 'Footnotes'],
    [/^word\/endnotes\.xml$/, 'Endnotes'],
    [/^word\/comments\.xml$/, 'Comments'],
  ],
  pptx: [
    [/^ppt\/slides\/slide\d+\.xml$/, 'Slide'],
    [/^ppt\/notesSlides\/notesSlide\d+\.xml$/, 'Notes'],
    [/^ppt\/comments\/.*\.xml$/, 'Comments'],
  ],
  odf: [[/^content\.xml$/, undefined]],
  epub: [[/\.x?html?$/, 'Chapter']],
};

function partSections(document: OfficeDocument): Section[] {
  return (partNames[document.kind] ?? []).flatMap(([name, title]) => {
    const parts = document.parts(name);
    return parts.map((part, i) => {
      const text = part.groups
        .filter((group) => group.runs.some((run) => run.form === 'text' || run.form === 'cdata'))
        .map((group) => group.text)
        .join('\n');
      const isNumbered = parts.length > 1 || title === 'Slide';
      return { ...(title === undefined ? {} : { title: isNumbered ? `${title} ${i + 1}` : title }), text };
    });
  });
}

const row = /<row\b[^>]*?(?:\/>|>([\s\S]*?)<\/row>)/g;
const cell = /<c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g;

/** Sheets as lines of cells with tabs between them. */
function sheets(document: OfficeDocument): Section[] {
  const shared = document
    .parts(/^xl\/sharedStrings\.xml$/)
    .flatMap((part) =>
      [...part.xml.matchAll(/<si\b[^>]*?(?:\/>|>([\s\S]*?)<\/si>)/g)].map((match) => texts(match[1] ?? '')),
    );
  const workbook = document.parts(/^xl\/workbook\.xml$/)[0]?.xml ?? '';
  const relations = document.parts(/^xl\/_rels\/workbook\.xml\.rels$/)[0]?.xml ?? '';
  const titles = new Map<string, string>();
  for (const match of workbook.matchAll(/<sheet\b([^>]*)>/g)) {
    const id = /\br:id="([^"]*)"/.exec(match[1] ?? '')?.[1] ?? '';
    const relation = [...relations.matchAll(/<Relationship\b([^>]*)>/g)].find((one) =>
      one[1]?.includes(`Id="${id}"`),
    )?.[1];
    const target = /\bTarget="([^"]*)"/.exec(relation ?? '')?.[1]?.replace(/^\/?(?:xl\/)?/, 'xl/');
    if (target) titles.set(target, decodeXml(/\bname="([^"]*)"/.exec(match[1] ?? '')?.[1] ?? ''));
  }
  return document.parts(/^xl\/worksheets\/[^/]*\.xml$/).map((part, i) => ({
    title: titles.get(part.name) ?? `Sheet ${i + 1}`,
    text: [...part.xml.matchAll(row)]
      .map((line) => [...(line[1] ?? '').matchAll(cell)].map((one) => cellText(one, shared)).join('\t'))
      .join('\n'),
  }));
}

function cellText(match: RegExpExecArray, shared: readonly string[]): string {
  const type = /\bt="(\w+)"/.exec(match[1] ?? '')?.[1];
  const inside = match[2] ?? '';
  if (type === 'inlineStr') return texts(inside);
  const value = decodeXml(/<v>([^<]*)<\/v>/.exec(inside)?.[1] ?? '');
  return type === 's' ? (shared[Number(value)] ?? '') : value;
}

/** The runs of a cell, without readings of its kanji (ECMA-376-1 §18.4.6), which nobody sees. */
function texts(xml: string): string {
  const seen = xml.replaceAll(/<rPh\b[^>]*>[\s\S]*?<\/rPh>/g, '');
  return [...seen.matchAll(/<t\b[^>]*>([^<]*)<\/t>/g)].map((match) => decodeXml(match[1] ?? '')).join('');
}
