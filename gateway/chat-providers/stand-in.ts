/** The sandbox's model, which runs in this process: chat works without a key or network. */
import { setTimeout as pause } from 'node:timers/promises';
import { piecesOf, standInAnswer } from '../demo/stand-in-answer.ts';
import type { ChatAnswer, ChatPiece, ChatRequest, Provider } from './provider.ts';

/** Time between two pieces of a stream: slow enough to watch. */
const pieceMs = 40;

/** Answers completely, or in pieces. */
export class StandInProvider implements Provider {
  readonly name = 'stand-in';
  readonly defaultModel = 'stand-in';

  async complete({ messages }: ChatRequest): Promise<ChatAnswer> {
    return { text: standInAnswer(messages.at(-1)?.content ?? ''), model: this.defaultModel, finishReason: 'stop' };
  }

  async *stream(request: ChatRequest): AsyncGenerator<ChatPiece, void> {
    const { text, ...end } = await this.complete(request);
    for (const piece of piecesOf(text)) {
      await pause(pieceMs, undefined, { signal: request.signal });
      yield { text: piece };
    }
    yield { end };
  }
}
