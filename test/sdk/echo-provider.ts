/** A stand-in for OpenAI, Anthropic and Gemini that repeats its input, in a stream of pieces of five characters. */
import { startOrigin } from '../support/origin.ts';

/** Starts it until the end of the test file; `received` returns the bodies that it received. */
export async function startEchoProvider() {
  const origin = await startOrigin({
    handler: (request, response) => {
      const { messages, contents, stream } = JSON.parse(request.body.toString()) as {
        messages?: { content: string }[];
        contents?: { parts: { text: string }[] }[];
        stream?: boolean;
      };
      const text = messages?.at(-1)?.content ?? contents?.at(-1)?.parts[0]?.text ?? '';
      const answer = (value: object) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      if (contents !== undefined) {
        answer({ candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] });
      } else if (stream) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const content of text.match(/.{1,5}/gsu) ?? []) {
          const event = { id: 'c1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] };
          response.write(`data: ${JSON.stringify(event)}\n\n`);
        }
        response.end('data: [DONE]\n\n');
      } else if (request.url.endsWith('/messages')) {
        answer({
          id: 'm1',
          type: 'message',
          role: 'assistant',
          content: [{ type: 'text', text }],
          stop_reason: 'end_turn',
        });
      } else {
        const choices = [{ index: 0, message: { role: 'assistant', content: text } }];
        answer({ id: 'c1', object: 'chat.completion', choices });
      }
    },
  });
  return { url: `http://${origin.address}`, received: () => origin.requests.map(({ body }) => body.toString()) };
}
