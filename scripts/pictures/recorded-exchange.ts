/** Sends a text to the demo chat of a gateway and records the response with its timing. */
import type { RecordedExchange, TimedPiece } from './stream-picture.ts';

type Event = {
  readonly type: string;
  readonly text?: string;
  readonly sent?: readonly { readonly content: string }[];
  readonly tokenMap?: Readonly<Record<string, string>>;
};

/** Records one exchange; times start at the first piece. */
export async function recordExchange(apiUrl: string, text: string): Promise<RecordedExchange> {
  const answer = await fetch(`${apiUrl}/demo/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: text, stream: true }),
  });
  if (!answer.ok || answer.body === null) throw new Error(`/demo/chat answered ${answer.status}`);
  const [wrote, read]: [TimedPiece[], TimedPiece[]] = [[], []];
  let masked = '';
  let values: Readonly<Record<string, string>> = {};
  let pieces = 0;
  let rest = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    for (const data of events.map((event) => event.replace(/^data: /, ''))) {
      if (!data.startsWith('{')) continue;
      const event = JSON.parse(data) as Event;
      if (event.type === 'start') {
        masked = event.sent?.[0]?.content ?? '';
        values = event.tokenMap ?? {};
      }
      // Derive times from the stand-in's fixed pace, so that a busy machine makes the same picture.
      if (event.type === 'model') wrote.push({ text: event.text ?? '', atMs: ++pieces * pieceMs });
      if (event.type === 'delta') read.push({ text: event.text ?? '', atMs: pieces * pieceMs });
    }
  }
  return { text, masked, values, wrote, read };
}

const pieceMs = 80;
