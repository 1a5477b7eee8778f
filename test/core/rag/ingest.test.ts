import { describe, expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { ragIngest, ragResolve } from '../../../core/rag/index.ts';
import { MemoryVault, sessionKey } from '../../../core/vault.ts';

const detector = new Detector();

async function ingest(text: string, options: Partial<Parameters<typeof ragIngest>[1]> = {}) {
  const vault = new MemoryVault();
  const result = await ragIngest(text, { detector, vault, sessionId: 's1', ...options });
  return { vault, ...result };
}

describe('ingest and resolve', () => {
  test('tokens have the shape of the API, equal values are equal, the summary counts values', async () => {
    const { chunks, tokenSummary, tokenMap, sessionId } = await ingest(
      'Mail jo@example.com or al@example.com. Card 4111 1111 1111 1111. Again jo@example.com.',
    );
    expect(sessionId).toBe('s1');
    expect(chunks).toHaveLength(1);
    const [chunk] = chunks;
    expect(chunk?.text.replace(/id=[A-Za-z0-9_-]+\]/g, 'id=X]')).toBe(
      'Mail [SRAG:cat=PII,name=EMAIL,id=X] or [SRAG:cat=PII,name=EMAIL,id=X]. Card [SRAG:cat=PII,name=CREDIT_CARD,id=X]. Again [SRAG:cat=PII,name=EMAIL,id=X].',
    );
    expect(chunk?.tokens).toHaveLength(3);
    expect(Object.keys(tokenMap)).toEqual(chunk?.tokens);
    expect(Object.values(tokenMap)).toEqual(['jo@example.com', 'al@example.com', '4111 1111 1111 1111']);
    expect(tokenSummary).toEqual([
      { type: 'EMAIL', category: 'PII', count: 2 },
      { type: 'CREDIT_CARD', category: 'PII', count: 1 },
    ]);
  });

  test('labels of the dictionary are of the category CUSTOM', async () => {
    const own = new Detector({ types: [], dictionary: [{ label: 'PROJECT', pattern: 'Apollo' }] });
    const { chunks, tokenSummary } = await ingest('Apollo starts.', { detector: own });
    expect(chunks[0]?.text).toMatch(/^\[SRAG:cat=CUSTOM,name=PROJECT,id=[\w-]+\] starts\.$/);
    expect(tokenSummary).toEqual([{ type: 'PROJECT', category: 'CUSTOM', count: 1 }]);
  });

  test('chunk ids distinguish the texts of a session, and are the same for a repeated text', async () => {
    const vault = new MemoryVault();
    const idsOf = async (text: string) => (await ingest(text, { vault })).chunks.map(({ id }) => id);
    const texts = ['Mail jo@example.com now.', 'Mail al@example.com now.', 'Mail now.', 'now Mail.', ''];
    const ids = [];
    for (const text of texts) ids.push(...(await idsOf(text)));
    expect(new Set(ids).size).toBe(4);
    expect(await idsOf('Mail jo@example.com now.')).toEqual(ids.slice(0, 1));
  });

  test('the tenant of a session is not exposed', async () => {
    const result = await ingest('Mail jo@example.com now.', { sessionId: sessionKey('acme', 's9') });
    expect(result.sessionId).toBe('s9');
    expect(result.chunks.map((chunk) => chunk.id)).toEqual([expect.stringMatching(/^s9-[0-9a-f]{16}-0$/)]);
    expect(await result.vault.tokens('acme:s9')).toBeDefined();
  });

  test('an answer is resolved, also as spelled by a model, and unknown tokens are reported', async () => {
    const { vault, tokenMap } = await ingest('Mail jo@example.com now.');
    const token = Object.keys(tokenMap)[0] ?? '';
    const foreign = '[SRAG:cat=PII,name=EMAIL,id=ZZZZZZZZZZZZ]';
    const map = vault.tokens('s1');
    if (map === undefined) throw new Error('no session');
    expect(ragResolve(`Write to ${token}, **${token}** or ${foreign}.`, map)).toEqual({
      restored: `Write to jo@example.com, **jo@example.com** or ${foreign}.`,
      restoredCount: 2,
      unresolved: [foreign],
    });
  });

  test('offsets are those of the original; chunks resolve to it', async () => {
    const text = Array.from({ length: 60 }, (_, i) => `Row ${i}: write to user${i}@example.com today. `).join('');
    const { vault, chunks } = await ingest(text, { chunkSize: 200, overlap: 0 });
    const map = vault.tokens('s1');
    if (map === undefined) throw new Error('no session');
    expect(chunks.length).toBeGreaterThan(10);
    expect(chunks.map((chunk) => chunk.index)).toEqual(chunks.map((_, i) => i));
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(chunks.length);
    for (const chunk of chunks) {
      expect(ragResolve(chunk.text, map).restored).toBe(text.slice(chunk.start, chunk.end));
      expect(chunk.text).not.toMatch(/@example/);
      expect(chunk.text.trimEnd()).toMatch(/today\.$/);
    }
    expect(chunks.map((chunk) => text.slice(chunk.start, chunk.end)).join('')).toBe(text);
  });

  test('with an overlap every chunk carries its own tokens', async () => {
    const text = Array.from({ length: 30 }, (_, i) => `User user${i}@example.com is here. `).join('');
    const { chunks } = await ingest(text, { chunkSize: 150, overlap: 60 });
    for (const chunk of chunks) {
      expect(chunk.tokens).toEqual([...new Set(chunk.text.match(/\[SRAG:[^\]]+\]/g))]);
      expect(chunk.text).not.toMatch(/@/);
    }
  });

  test('a text of several pieces: a value at every border is masked once and whole', async () => {
    const size = 131_072;
    const email = 'someone@example.com';
    for (const shift of [0, 1, 5, email.length - 1, email.length]) {
      const text = `${'word '.repeat(size).slice(0, size - shift - 1)} ${email} ${'word '.repeat(2_000)}`;
      const { tokenMap, chunks } = await ingest(text);
      expect(Object.values(tokenMap)).toEqual([email]);
      expect(chunks.some((chunk) => chunk.text.includes('@'))).toBe(false);
    }
  });
});

describe('what is masked', () => {
  test('technical data passes unchanged', async () => {
    const text =
      'Build 8f14e45fceea167a5a36dedd4bea2543 of v2.13.4 took 1700000000123 ns; UUID 123e4567-e89b-12d3-a456-426614174000, part BB-0532/2, matrix 3x3, price 1,980.';
    const { chunks, tokenMap } = await ingest(text);
    expect(chunks.map((chunk) => chunk.text)).toEqual([text]);
    expect(tokenMap).toEqual({});
  });

  test('existing tokens in the text are kept', async () => {
    const text = 'See [SRAG:cat=PII,name=EMAIL,id=abcdef123456] and [EMAIL-1].';
    expect((await ingest(text)).chunks[0]?.text).toBe(text);
  });

  test('a word of the dictionary is masked whatever its label', async () => {
    const own = new Detector({ types: [], dictionary: [{ label: 'NAME', pattern: 'Project Aurora' }] });
    const { chunks } = await ingest('Project Aurora starts.', { detector: own });
    expect(chunks[0]?.text).toMatch(/^\[SRAG:cat=PII,name=NAME,id=[\w-]+\] starts\.$/);
  });

  test('names only on request', async () => {
    const named = {
      detect: (text: string) => [
        { type: 'NAME', value: text.slice(0, 8), start: 0, end: 8, score: 1, recognizer: 'test' },
      ],
    } as unknown as Detector;
    expect((await ingest('Ann Berg sings.', { detector: named })).chunks[0]?.text).toBe('Ann Berg sings.');
    for (const extraTypes of [['name'], ['NAME']]) {
      const { chunks } = await ingest('Ann Berg sings.', { detector: named, extraTypes });
      expect(chunks[0]?.text).toMatch(/^\[SRAG:cat=PII,name=NAME,id=[\w-]+\] sings\.$/);
      // Without a space between given and family name it is an ordinary word.
      expect((await ingest('AnnIto- sings.', { detector: named, extraTypes })).chunks[0]?.text).toBe('AnnIto- sings.');
    }
  });

  test('one-word names are kept, by the rule for documents', async () => {
    const text = 'Dear Ms. Okafor,\n\nwe met Maria Fernandez. 佐伯様、高橋 直樹さん、田中健太さん。\n\nBest,\nTobias';
    const { tokenMap } = await ingest(text, { detector: new Detector(), extraTypes: ['name'] });
    expect(Object.values(tokenMap)).toEqual(['Maria Fernandez', '高橋 直樹']);
  });
});

describe('limits and faults', () => {
  test('an empty text', async () => {
    expect(await ingest('')).toMatchObject({ chunks: [], tokenSummary: [], tokenMap: {} });
  });

  test.each([{ extraTypes: ['nothing'] }, { chunkSize: 3 }, { overlap: 5_000 }])('%j is refused', async (options) => {
    await expect(ingest('text', options)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('progress, yielding, and cancellation by signal', async () => {
    const text = 'some words here. '.repeat(20_000);
    const progress: number[] = [];
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await ingest(text, { onProgress: (done, total) => progress.push(done / total) });
    clearInterval(timer);
    expect(progress.length).toBeGreaterThan(2);
    expect(progress.at(-1)).toBe(1);
    expect(turns).toBeGreaterThan(0);

    const controller = new AbortController();
    const aborted = ingest(text, { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('errors of the vault are passed on', async () => {
    const vault = new MemoryVault({ tokensPerSessionMax: 1 });
    await expect(ingest('a@example.com b@example.com', { vault })).rejects.toMatchObject({ code: 'body_too_large' });
  });
});
