/** A fast-path call: its caller and its response. */
import type { Caller } from '../stores/accounts.ts';
import { TextAnswer } from './text-answer.ts';

export type AnswerFields = {
  header(name: string, value: string): unknown;
  headers(fields: Readonly<Record<string, string>>): unknown;
};

/** A call that can be answered on the fast path. */
export type Parties = {
  readonly caller: Caller;
  readonly reply: AnswerFields;
  /** Aborted when the client disconnects; absent for short calls. */
  readonly gone?: AbortSignal | undefined;
};

/** An error response; field names in lower case. */
export type Refusal = {
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** A response before its head is built. */
export type FastAnswer = Omit<Refusal, 'body'> & { readonly requestId: string; readonly json: string };

export class FastCall implements Parties, AnswerFields {
  readonly requestId: string;
  readonly path: string;
  readonly startedAt = performance.now();
  readonly caller: Caller;
  readonly fields: Record<string, string> = {};
  readonly #isPlain: boolean;

  /** `json`: its body. */
  constructor(requestId: string, path: string, caller: Caller, json: string) {
    this.requestId = requestId;
    this.path = path;
    this.caller = caller;
    this.#isPlain = !json.includes('\\');
  }

  get reply(): AnswerFields {
    return this;
  }

  header(name: string, value: string): void {
    this.fields[name] = value;
  }

  headers(fields: Readonly<Record<string, string>>): void {
    Object.assign(this.fields, fields);
  }

  /** The response once all work is done. */
  done(body: unknown): FastAnswer {
    const json = body instanceof TextAnswer ? body.json(this.#isPlain) : JSON.stringify(body);
    return { requestId: this.requestId, status: 200, fields: this.fields, json };
  }
}
