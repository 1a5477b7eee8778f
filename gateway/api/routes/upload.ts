/** POST /upload: the text of a document and its masked form, by page, sheet or slide. */

import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sizeText } from '../../../config/readable.ts';
import { PrivetError } from '../../../core/errors.ts';
import { requireFeature } from '../../../policy/plans.ts';
import { convertDocument } from '../../convert/index.ts';
import { jobClient } from '../detectors.ts';
import type { Endpoints } from '../endpoint.ts';
import { creditsUsed, detection, sessionId, tokenFormat, tokenMap, wanted } from '../fields.ts';
import { Masking } from '../masking.ts';
import type { ApiParts } from '../parts.ts';
import { invalidField, parse } from '../validate.ts';

const fileBytesMax = 10 * 1024 * 1024;
const fieldBytesMax = 1024 * 1024;

const described = z.object({
  file: z.string().meta({ format: 'binary' }).describe('txt, md, csv, json, html, docx, xlsx, pptx, odf, epub or pdf.'),
  sessionId: sessionId.optional(),
  tokenFormat,
  types: z.string().optional().describe('Comma separated, or a JSON list.'),
  dictionary: z.string().optional().describe('A JSON list of { label, pattern } (Starter plan or larger).'),
  lang: wanted.lang,
  minScore: z.string().optional(),
});
const fields = z.strictObject({ sessionId: sessionId.optional(), tokenFormat, ...wanted });
export const uploadAnswer = z
  .object({
    kind: z.string(),
    text: z.string(),
    masked: z.string(),
    sections: z.array(
      z.object({
        title: z.string().optional().describe('Name of the sheet, number of the page or slide.'),
        text: z.string(),
        masked: z.string(),
        detections: z.array(detection),
      }),
    ),
    sessionId: z.string(),
    tokenMap,
    creditsUsed,
  })
  .meta({ id: 'UploadResult' });
export type UploadAnswer = z.infer<typeof uploadAnswer>;

/** A plugin that reads forms with one file of at most `fileSize` bytes. */
export const multipartReader = (fileSize: number) => (app: FastifyInstance) => {
  app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize, files: 1, fields: 10, parts: 11, fieldSize: fieldBytesMax, fieldNameSize: 100 },
  });
};

export function uploadRoutes(endpoints: Endpoints, { billing, detectors }: ApiParts): void {
  endpoints.add({
    method: 'POST',
    path: '/upload',
    group: 'mask',
    summary: 'Text and masked text of a document.',
    access: 'key',
    described,
    form: { type: 'multipart/form-data', plugin: multipartReader(fileBytesMax) },
    answer: uploadAnswer,
    async handle({ request, ...parties }) {
      billing.admit(parties);
      const { file, given } = await readUpload(request, fileBytesMax);
      const wish = parse(fields, given);
      if (wish.dictionary?.length) requireFeature(parties.caller.plan, 'dictionary');
      const converted = await convertDocument(file.bytes, { ...file, ...jobClient(parties) });
      const masking = new Masking(detectors, parties, wish);
      for (const { text } of converted.sections) await masking.add(text);
      const { tokens } = await billing.run(parties, 1, { reserve: masking.reserve });
      return { ...(await answerOf(converted, masking, tokens)), creditsUsed: 1 };
    },
  });
}

export async function answerOf(
  { kind, sections }: Awaited<ReturnType<typeof convertDocument>>,
  masking: Masking,
  tokens: readonly string[] | undefined,
) {
  const { texts, tokenMap } = await masking.apply(tokens);
  return {
    kind,
    text: sections.map(({ text }) => text).join('\n\n'),
    masked: texts.map(({ masked }) => masked).join('\n\n'),
    sections: sections.map((section, i) => ({ ...section, ...texts[i] })),
    sessionId: masking.sessionId,
    tokenMap,
  };
}

type GivenFile = { readonly bytes: Uint8Array; readonly name?: string; readonly contentType?: string };

/** The file of a request, of `limit` bytes at most, and its other fields, validated by the schema. */
export async function readUpload(
  request: FastifyRequest,
  limit: number,
): Promise<{ file: GivenFile; given: Record<string, unknown> }> {
  if (!request.isMultipart()) {
    throw new PrivetError('unsupported_media_type', 'An upload must be a form with a file.', {
      hint: 'Send multipart/form-data with the file in the field "file".',
    });
  }
  let file: GivenFile | undefined;
  const given: Record<string, unknown> = {};
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') given[part.fieldname] = fieldOf(part.fieldname, String(part.value));
      else file = await fileOf(part, limit);
    }
  } catch (error) {
    throw formError(error);
  }
  if (file === undefined) throw invalidField('file', 'is missing');
  return { file, given };
}

async function fileOf(part: MultipartFile, limit: number): Promise<GivenFile> {
  if (part.fieldname !== 'file') {
    part.file.resume();
    throw invalidField(part.fieldname, 'is not known; send the file in the field "file"');
  }
  const bytes = await part.toBuffer();
  if (part.file.truncated) {
    throw new PrivetError('body_too_large', `The file is over the limit of ${sizeText(limit, ' ')}.`, {
      hint: 'Send a smaller file.',
    });
  }
  return { bytes, contentType: part.mimetype, ...(part.filename ? { name: part.filename } : {}) };
}

/** A malformed form is the client's error. */
function formError(error: unknown): PrivetError {
  if (error instanceof PrivetError) return error;
  const { code = '' } = error as { code?: string };
  if (/LIMIT|TOO_LARGE/.test(code)) {
    return new PrivetError('body_too_large', 'The form is too large or has too many parts.', {
      hint: 'Send one file per call.',
      cause: error,
    });
  }
  return new PrivetError('bad_request', 'The form cannot be read.', {
    hint: 'Send multipart/form-data as defined in RFC 7578.',
    cause: error,
  });
}

/** Form fields are text; lists and numbers are parsed here and validated by the schema. */
function fieldOf(name: string, text: string): unknown {
  if (name === 'minScore') return Number(text);
  if (name !== 'dictionary' && name !== 'types') return text;
  if (name === 'types' && !text.trim().startsWith('[')) return text.split(',').map((part) => part.trim());
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidField(name, 'is not a JSON list', error);
  }
}
