/** The entry of the package. Middleware is in `./express`, `./fastify` and `./web`. */
export type { MaskAction, MaskActions } from '../core/actions.ts';
export type { CustomRecognizer } from '../core/dictionary/custom-recognizers.ts';
export type { DictionaryEntry } from '../core/dictionary/dictionary.ts';
export { type ErrorCode, errorCodes, PrivetError } from '../core/errors.ts';
export type { AllInjections, InjectionResult, InjectionRisk } from '../core/injection/index.ts';
export type { RagChunk, RagIngestResult } from '../core/rag/index.ts';
export type { Detection } from '../core/recognizer.ts';
export type { RestoreResult } from '../core/restore.ts';
export type { StreamKind } from '../core/stream/stream-restorer.ts';
export { tokenTypes } from '../core/tokens/token-types.ts';
export {
  MemoryVault,
  type MemoryVaultOptions,
  type ReserveOptions,
  type TokenMap,
  type TokenVault,
  type VaultEntry,
} from '../core/vault.ts';
export type { Uninspectable } from './body.ts';
export {
  createPrivet,
  type DetectOptions,
  type DetectResult,
  type DpOptions,
  type InjectionOptions,
  type Language,
  type MaskBodyOptions,
  type MaskEvent,
  type MaskedBody,
  type MaskedMessages,
  type MaskedText,
  type MaskOptions,
  type Privet,
  type PrivetOptions,
  protectFetch,
  type RagOptions,
  type RestoreCallOptions,
  type RestoredToken,
} from './privet.ts';
export type { ProtectFetchOptions } from './protect-fetch.ts';
export type { CallOptions, RestClient } from './rest-client.ts';
export type {
  ChatEvent,
  ChatMessage,
  ChatProvider,
  ChatRequest,
  ChatResult,
  ChatSession,
  UploadResult,
} from './rest-types.ts';
export type { SessionRef } from './session.ts';
