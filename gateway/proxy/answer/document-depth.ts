import { DocumentEnd } from '../../../core/stream/document-end.ts';

/** True if there is a line end before the last non-blank line. */
export function hasLines(body: Buffer): boolean {
  let end = body.length;
  while (end > 0 && (body[end - 1] as number) <= 0x20) end--;
  const start = body.findIndex((byte) => byte > 0x20);
  return body.subarray(start, end).includes(0x0a);
}

/** Tracks, over its pieces, whether a text's first JSON document is complete and whether another follows. */
export class DocumentDepth {
  private readonly end = new DocumentEnd();
  private isComplete = false;

  push(chunk: Buffer): 'open' | 'complete' | 'several' {
    let rest = chunk;
    if (!this.isComplete) {
      const end = this.end.find(chunk);
      if (end < 0) return 'open';
      this.isComplete = true;
      rest = chunk.subarray(end);
    }
    return rest.includes(0x7b) || rest.includes(0x5b) ? 'several' : 'complete';
  }
}
