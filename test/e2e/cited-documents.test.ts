/** Offsets in answers match the texts that the client has: its original documents, and the restored answer. */
import { expect, test } from 'vitest';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import { sendTls } from '../support/tunnel.ts';

const host = 'api.anthropic.com';
const openai = 'api.openai.com';
const bedrock = 'bedrock-runtime.us-east-1.amazonaws.com';
const mail = ['a.very.long.name.of.somebody', 'corp.example'].join('@');
const documents = ['No address here.', `Owner: ${mail}. Paid on Monday, says ${mail}.`];

/** What the model cites, located in the documents that it receives. */
function citation(body: string) {
  const { messages } = JSON.parse(body);
  const blocks = messages[0].content.filter(({ type }: { type: string }) => type === 'document');
  const text = blocks[1].source.data as string;
  const start_char_index = text.indexOf('Paid');
  return {
    type: 'char_location',
    document_index: 1,
    start_char_index,
    end_char_index: text.length,
    cited_text: text.slice(start_char_index),
  };
}

const origin = await startEcho({
  names: [host, openai, bedrock],
  handler: (request, response) => {
    const body = request.body.toString();
    const event = (data: object) => `event: ${(data as { type: string }).type}\ndata: ${JSON.stringify(data)}\n\n`;
    const answer = (type: string, text: string) => {
      response.writeHead(200, { 'content-type': type });
      response.end(text);
    };
    if (request.url.includes('completions')) {
      const pieces = ['Write to ', '[EM', 'AIL-1]', ' now'];
      let at = 30;
      const chunks = pieces.map((text) => {
        const chunk = { choices: [{ index: 0, text, logprobs: { tokens: [text], text_offset: [at] } }] };
        at += text.length;
        return `data: ${JSON.stringify(chunk)}\n\n`;
      });
      answer('text/event-stream', `${chunks.join('')}data: [DONE]\n\n`);
    } else if (request.url.includes('converse')) {
      const { document } = JSON.parse(body).messages[0].content[1];
      const text = document.source.text ?? Buffer.from(document.source.bytes, 'base64').toString();
      const documentChar = { documentIndex: 1, start: text.indexOf('Paid'), end: text.length };
      const citationsContent = { content: [{ text: 'On Monday.' }], citations: [{ location: { documentChar } }] };
      answer('application/json', JSON.stringify({ output: { message: { content: [{ citationsContent }] } } }));
    } else if (JSON.parse(body).stream) {
      const delta = { type: 'citations_delta', citation: citation(body) };
      answer(
        'text/event-stream',
        event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
          event({ type: 'content_block_delta', index: 0, delta }) +
          event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'On Monday.' } }) +
          event({ type: 'content_block_stop', index: 0 }),
      );
    } else {
      const block = { type: 'text', text: 'On Monday.', citations: [citation(body)] };
      answer('application/json', JSON.stringify({ type: 'message', content: [block] }));
    }
  },
});
const gateway = await startGateway({ hosts: { [host]: origin, [openai]: origin, [bedrock]: origin } });

async function ask(to: string, path: string, body: object): Promise<string> {
  const text = JSON.stringify(body);
  const head = [`POST ${path} HTTP/1.1`, `Host: ${to}`, 'x-api-key: k', 'Content-Type: application/json'];
  const answer = await sendTls(
    gateway,
    `${to}:443`,
    [...head, `Content-Length: ${Buffer.byteLength(text)}`, '', text].join('\r\n'),
  );
  return answer.body.toString();
}

const eventsOf = (text: string) =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Record<string, never>);

test.each([false, true])('a citation by character refers to the original document: stream %s', async (stream) => {
  const blocks = documents.map((data) => ({
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data },
    citations: { enabled: true },
  }));
  const content = [...blocks, { type: 'text', text: 'When was it paid?' }];
  const answer = await ask(host, '/v1/messages', { model: 'm', stream, messages: [{ role: 'user', content }] });
  const found = stream
    ? eventsOf(answer)
        .map(({ delta }) => (delta as { citation?: object } | undefined)?.citation)
        .find(Boolean)
    : JSON.parse(answer).content[0].citations[0];
  const text = documents[1] as string;
  const start = text.indexOf('Paid');
  expect(found).toMatchObject({
    start_char_index: start,
    end_char_index: text.length,
    cited_text: text.slice(start),
  });
});

test.each<[string, (text: string) => object]>([
  ['text', (text) => ({ text })],
  ['bytes', (text) => ({ bytes: Buffer.from(text).toString('base64') })],
])('Bedrock: a citation by character refers to the original document: %s', async (_name, source) => {
  const texts = documents.map((text) => `\u00e9 ${text}`);
  const content = texts.map((text) => ({
    document: { format: 'txt', name: 'd', source: source(text), citations: { enabled: true } },
  }));
  const answer = await ask(bedrock, '/model/m/converse', { messages: [{ role: 'user', content }] });
  const [citation] = JSON.parse(answer).output.message.content[0].citationsContent.citations;
  const text = texts[1] as string;
  expect(citation.location.documentChar).toEqual({ documentIndex: 1, start: text.indexOf('Paid'), end: text.length });
});

test('offsets of the tokens of a streamed completion follow the restored text', async () => {
  const answer = await ask(openai, '/v1/completions', { model: 'm', stream: true, prompt: `Ask ${mail}` });
  const chunks = eventsOf(answer).map(({ choices }) => (choices as unknown as unknown[])[0]) as {
    text: string;
    logprobs: { text_offset: number[] };
  }[];
  expect(chunks.map(({ text }) => text).join('')).toBe(`Write to ${mail} now`);
  expect(chunks[0]?.logprobs.text_offset).toEqual([30]);
  expect(chunks.at(-1)?.logprobs.text_offset).toEqual([30 + `Write to ${mail}`.length]);
});
