/** Requests of every provider, as recorded, through the masker of the gateway: each value becomes its token, and nothing else changes. */
import { describe, expect, it } from 'vitest';
import { MemoryVault } from '../../../core/vault.ts';
import { BodyMasker, type MaskingInput } from '../../../gateway/proxy/body/masking.ts';
import { fixture, fixtureText, maskedText, meta } from '../../core/stream/wire-fixtures.ts';

type Case = { readonly folder: string; readonly body: string; readonly contentType: string };
const json = 'application/json';
const form = 'application/x-www-form-urlencoded;charset=UTF-8';

const cases: Case[] = [
  ...[
    'anthropic-messages',
    'azure-openai',
    'bedrock',
    'chatgpt-web',
    'claude-web',
    'cohere-v2',
    'gemini',
    'huggingface-tgi',
    'llamacpp',
    'mistral',
    'ollama',
    'openai-chat',
    'openai-completions',
    'openai-embeddings',
    'openai-responses',
    'perplexity-web',
  ].map((folder) => ({ folder, body: 'request.json', contentType: json })),
  { folder: 'gemini-web', body: 'request.form', contentType: form },
  { folder: 'openai-files-batch', body: 'batch.jsonl', contentType: 'application/jsonl' },
];

function makeMasker(): BodyMasker {
  return new BodyMasker({
    vault: new MemoryVault(),
    types: {},
    dictionary: [{ label: 'NAME', pattern: 'Hana Morita' }],
    bodyBytesMax: 1e6,
    uninspectable: { image: 'allow', audio: 'allow', document: 'extract', binary: 'block', signed: 'block' },
    tokenTtlMs: 0,
    batchTtlMs: 0,
    hints: [],
    builtinTypes: ['EMAIL', 'PHONE'],
  });
}

function inputOf(folder: string, body: Uint8Array, contentType: string): MaskingInput {
  const { path = '/', host = 'api.example.com' } = meta(folder);
  return { body: Buffer.from(body), contentType, contentEncoding: undefined, host, path, session: 's', mode: 'mask' };
}

/** Labels of the dictionary are spelled with an underscore; the fixtures contain a detected name. */
function asWritten(text: string): string {
  return text.replaceAll('[NAME_1]', '[NAME-1]').replaceAll('%5BNAME_1%5D', '%5BNAME-1%5D');
}

describe.each(cases)('$folder/$body', ({ folder, body, contentType }) => {
  const { tokenMap } = meta(folder);

  it('is sent with a token in place of each value, and otherwise unchanged', async () => {
    const result = await makeMasker().mask(inputOf(folder, fixture(`${folder}/${body}`), contentType));
    const text = asWritten(result.body.toString('utf8'));
    expect(text).toBe(maskedText(`${folder}/${body}`));
    for (const value of Object.values(tokenMap)) {
      expect(text).not.toContain(value);
      expect(text).not.toContain(encodeURIComponent(value));
    }
  });

  it('masked content is unchanged', async () => {
    const bytes = Buffer.from(maskedText(`${folder}/${body}`));
    const result = await makeMasker().mask(inputOf(folder, bytes, contentType));
    expect(result).toMatchObject({ changed: false, masked: 0 });
    expect(result.body.equals(bytes)).toBe(true);
  });

  it('is masked to the same bytes again, also after another body of the session', async () => {
    const masker = makeMasker();
    const bytes = fixture(`${folder}/${body}`);
    const first = await masker.mask(inputOf(folder, bytes, contentType));
    await masker.mask({ ...inputOf(folder, Buffer.from('{"a":"x@y.example"}'), json) });
    const again = await masker.mask(inputOf(folder, bytes, contentType));
    expect(again.body.equals(first.body)).toBe(true);
  });
});

describe('messages and uploads', () => {
  it('a batch file in a form keeps boundary, headers and the other parts', async () => {
    const { tokenMap, contentType } = meta('openai-files-batch');
    const bytes = fixture('openai-files-batch/upload.multipart');
    const result = await makeMasker().mask(inputOf('openai-files-batch', bytes, contentType ?? ''));
    let text = asWritten(result.body.toString('utf8'));
    for (const value of Object.values(tokenMap)) expect(text).not.toContain(value);
    expect(result.masked).toBe(3);
    for (const [token, value] of Object.entries(tokenMap)) text = text.replaceAll(token, value);
    expect(text).toBe(Buffer.from(bytes).toString('utf8'));
  });

  it.each(['copilot-web', 'openai-realtime'])('%s: every message of the client', async (folder) => {
    const masker = makeMasker();
    const { tokenMap } = meta(folder);
    for (const line of fixtureText(`${folder}/client.ndjson`).trim().split('\n')) {
      const result = await masker.maskText(inputOf(folder, Buffer.from(line), json), line);
      let text = asWritten(result.body.toString('utf8'));
      for (const value of Object.values(tokenMap)) expect(text).not.toContain(value);
      for (const [token, value] of Object.entries(tokenMap)) text = text.replaceAll(token, value);
      expect(text).toBe(line);
    }
  });
});
