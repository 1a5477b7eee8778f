/** A short call: who sends it, and what is answered. */
import type { Caller } from '../stores/accounts.ts';
import { TextAnswer } from './text-answer.ts';

/** Takes fields of an answer. */
export type AnswerFields = {
  header(name: string, value: string): unknown;
  headers(fields: Readonly<Record<string, string>>): unknown;
};

/** A call that may be answered here. */
export type Parties = { readonly caller: Caller; readonly reply: AnswerFields };

/** An error as an answer; `fields` in lower case. */
export type Refusal = {
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** An answer before it has a head. */
export type ShortAnswer = Omit<Refusal, 'body'> & { readonly requestId: string; readonly json: string };

/** A call at work. */
export class ShortCall implements Parties, AnswerFields {
  readonly requestId: string;
  readonly caller: Caller;
  readonly fields: Record<string, string> = {};
  readonly #isPlain: boolean;

  /** `json`: its body. */
  constructor(requestId: string, caller: Caller, json: string) {
    this.requestId = requestId;
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

  /** What is answered when all is done. */
  done(body: unknown): ShortAnswer {
    const json = body instanceof TextAnswer ? body.json(this.#isPlain) : JSON.stringify(body);
    return { requestId: this.requestId, status: 200, fields: this.fields, json };
  }
}
