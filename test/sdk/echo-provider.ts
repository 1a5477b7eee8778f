/** A stand-in for OpenAI, Anthropic and Gemini that repeats its input, in a stream of pieces of five characters. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A running provider; `received` has the bodies that it received. */
export type EchoProvider = { readonly url: string; readonly received: string[]; close(): Promise<void> };

export async function startEchoProvider(): Promise<EchoProvider> {
  const received: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    received.push(body);
    const { messages, contents, stream } = JSON.parse(body) as {
      messages?: { content: string }[];
      contents?: { parts: { text: string }[] }[];
      stream?: boolean;
    };
    const text = messages?.at(-1)?.content ?? contents?.at(-1)?.parts[0]?.text ?? '';
    if (contents !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] }),
      );
      return;
    }
    if (stream) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const content of text.match(/.{1,5}/gsu) ?? []) {
        const event = { id: 'c1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] };
        response.write(`data: ${JSON.stringify(event)}\n\n`);
      }
      response.end('data: [DONE]\n\n');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    const isAnthropic = request.url?.endsWith('/messages') === true;
    response.end(
      JSON.stringify(
        isAnthropic
          ? { id: 'm1', type: 'message', role: 'assistant', content: [{ type: 'text', text }], stop_reason: 'end_turn' }
          : {
              id: 'c1',
              object: 'chat.completion',
              choices: [{ index: 0, message: { role: 'assistant', content: text } }],
            },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
