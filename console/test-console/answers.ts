/** The parts of API responses that this page uses. */

export type Detection = {
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly recognizer: string;
  readonly context?: string;
  readonly checksum?: boolean;
  readonly why?: readonly { readonly feature: string; readonly text: string }[];
};

export type TokenMap = Readonly<Record<string, string>>;

export type DetectAnswer = { readonly detections: readonly Detection[] };

export type MaskAnswer = DetectAnswer & {
  readonly masked: string;
  readonly sessionId: string;
  readonly tokenMap: TokenMap;
  readonly numbersChanged?: number;
};

export type RestoreAnswer = {
  readonly restored: string;
  readonly restoredCount: number;
  readonly unresolved: readonly string[];
};

export type InjectionMatch = {
  readonly category: string;
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  readonly score: number;
};

export type Risk = 'none' | 'low' | 'medium' | 'high' | 'critical';

export type InjectionAnswer = {
  readonly hasPromptInjection?: boolean;
  readonly hasSQLInjection?: boolean;
  readonly categories: readonly string[];
  readonly risk: Risk;
  readonly score?: number;
  readonly matches: readonly InjectionMatch[];
};

export type UploadAnswer = {
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
  readonly tokenMap: TokenMap;
};

export type RagAnswer = {
  readonly sessionId: string;
  readonly chunks: readonly {
    readonly id: string;
    readonly index: number;
    readonly text: string;
    readonly start: number;
    readonly end: number;
    readonly tokens: readonly string[];
  }[];
  readonly tokenSummary: readonly { readonly type: string; readonly category: string; readonly count: number }[];
  readonly tokenMap: TokenMap;
};

export type ChatResult = {
  readonly provider: string;
  readonly model: string;
  readonly text: string;
  readonly masked: string;
  readonly unresolved: readonly string[];
};

export type ChatShown = {
  readonly sessionId: string;
  readonly tokenMap: TokenMap;
  readonly sent: readonly { readonly role: string; readonly content: string }[];
};

export type MultiResult =
  | ChatResult
  | { readonly provider: string; readonly error: { readonly code: string; readonly message: string } };

export type Credits = {
  readonly plan: string;
  readonly creditsTotal: number;
  readonly creditsRemaining: number;
  readonly used: number;
  readonly unlimited: boolean;
  readonly resetsAt: string;
};

export type Settings = {
  readonly version: string;
  readonly demo: {
    readonly isOn: boolean;
    readonly callsPerMinute: number;
    readonly textLengthMax: number;
    readonly dictionaryEntriesMax: number;
  };
  readonly proxy: { readonly host: string | null; readonly port: number } | null;
};
