/** The requests and results of `chat` and `upload`: types of the REST API, which `GET /openapi.json` describes. */
import type { DictionaryEntry } from '../core/dictionary/dictionary.ts';
import type { InjectionRisk } from '../core/injection/index.ts';
import type { Detection } from '../core/recognizer.ts';

/** The model providers that a server may support. */
export type ChatProvider = 'openai' | 'anthropic' | 'gemini' | 'custom';

/** A message of a conversation. */
export type ChatMessage = {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly { readonly type: 'text'; readonly text: string }[];
};

/** The body of `POST /chat`. Requires `message` or `messages`. */
export type ChatRequest = {
  readonly message?: string;
  readonly messages?: readonly ChatMessage[];
  readonly system?: string;
  /** Default: the first one that is set up. */
  readonly provider?: ChatProvider;
  /** Default: a small model of the provider. */
  readonly model?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly stream?: boolean;
  /** What happens on an injection in a user message. Default `block`: 403. */
  readonly injection?: 'block' | 'warn' | 'off';
  readonly sessionId?: string;
  readonly lang?: 'en' | 'ja';
  readonly types?: readonly string[];
  readonly minScore?: number;
  readonly dictionary?: readonly DictionaryEntry[];
  readonly tokenFormat?: 'counter' | 'secured';
};

/** The session fields of every result. */
export type ChatSession = {
  readonly sessionId: string;
  readonly tokenMap: Readonly<Record<string, string>>;
  /** What the model received. */
  readonly sent: readonly { readonly role: string; readonly content: string }[];
  readonly injection?: {
    readonly injectionDetected: boolean;
    readonly categories: readonly string[];
    readonly risk: InjectionRisk;
  };
  readonly creditsUsed: number;
};

type ChatEnd = {
  readonly model: string;
  readonly finishReason?: string;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
};

/** A complete answer: `text` is restored, `masked` is what the model wrote. */
export type ChatResult = ChatSession &
  ChatEnd & {
    readonly provider: ChatProvider;
    readonly text: string;
    readonly masked: string;
    readonly unresolved: readonly string[];
  };

/** An event of a streamed answer. */
export type ChatEvent =
  | ({ readonly type: 'start' } & ChatSession)
  | { readonly type: 'delta'; readonly provider: ChatProvider; readonly text: string }
  | ({ readonly type: 'end'; readonly provider: ChatProvider; readonly unresolved: number } & ChatEnd)
  | {
      readonly type: 'error';
      readonly provider: ChatProvider;
      readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
    };

/** The text of a document and its masked form, by page, sheet or slide. */
export type UploadResult = {
  readonly kind: string;
  readonly text: string;
  readonly masked: string;
  readonly sections: readonly {
    readonly title?: string;
    readonly text: string;
    readonly masked: string;
    readonly detections: readonly Detection[];
  }[];
  readonly sessionId: string;
  readonly tokenMap: Readonly<Record<string, string>>;
  readonly creditsUsed: number;
};
