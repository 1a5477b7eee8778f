/** The worker thread that opens documents and contains their crashes and timeouts. */
import { answerJobs } from '../threads/jobs.ts';
import { documentKind } from './kinds.ts';
import type { DocumentLimits } from './limits.ts';
import { OfficeDocument } from './office/office.ts';
import { officeSections, type Section } from './office/sections.ts';
import type { Span } from './office/text-runs.ts';

/** A job for the thread. */
export type Job = {
  readonly task: 'sections' | 'texts' | 'rewrite';
  readonly bytes: Uint8Array;
  readonly limits: DocumentLimits;
  /** For `rewrite`. */
  readonly newTexts?: readonly (string | undefined)[];
  readonly places?: readonly (readonly Span[] | undefined)[];
};

/** The result; `opaque` are parts of a package that cannot be inspected. */
export type JobResult = {
  readonly kind?: string;
  readonly sections?: readonly Section[];
  readonly texts?: readonly string[];
  readonly labels?: readonly (string | undefined)[];
  readonly again?: readonly boolean[];
  readonly opaque?: readonly string[];
  readonly hasImages?: boolean;
  readonly bytes?: Uint8Array;
};

// PDF.js leaves rejected promises unhandled for parts of a damaged file; the job is answered regardless.
process.on('unhandledRejection', () => {});
answerJobs('The document cannot be opened.', run);

async function run(job: Job): Promise<JobResult> {
  if (documentKind(job.bytes) === 'pdf') {
    // Loads its libraries for the first PDF.
    const { readPdf } = await import('./pdf/index.ts');
    const { sections, others, opaque, hasImages } = await readPdf(job.bytes, job.limits);
    return { kind: 'pdf', opaque, hasImages, sections, texts: [...sections.map(({ text }) => text), ...others] };
  }
  const document = new OfficeDocument(job.bytes, job.limits);
  const { kind, opaque, hasImages } = document;
  if (job.task === 'sections') return { kind, sections: officeSections(document, job.limits) };
  if (job.task === 'texts') {
    const { texts, labels, again } = document;
    return { kind, opaque, hasImages, texts, labels, again };
  }
  return { kind, bytes: document.rewrite(job.newTexts ?? [], job.places) };
}
