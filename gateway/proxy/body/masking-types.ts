/** Input and output of body masking. */
import type { HashKey } from '../../../core/actions.ts';
import type { CustomRecognizer } from '../../../core/dictionary/custom-recognizers.ts';
import type { AllowsHost } from '../../../core/guard/url-guard.ts';
import type { BodyKind } from '../../../core/payload/request.ts';
import type { Detection } from '../../../core/recognizer.ts';
import type { TokenVault } from '../../../core/vault.ts';
import type { TypeSetting } from '../../../policy/rule.ts';
import type { Service } from '../../../policy/service.ts';
import type { UninspectablePolicy } from './documents.ts';

/** The `masking` section, and the vault. */
export type MaskingOptions = {
  readonly vault: TokenVault;
  readonly types: Readonly<Record<string, TypeSetting>>;
  readonly dictionary: readonly { label: string; pattern: string }[];
  /** Custom types. */
  readonly recognizers?: readonly CustomRecognizer[] | undefined;
  /** Key of the action `hash`. */
  readonly hashKey?: HashKey | undefined;
  readonly bodyBytesMax: number;
  readonly uninspectable: UninspectablePolicy;
  readonly tokenTtlMs: number;
  /** Minimum lifetime of the tokens of files and batches, in milliseconds. */
  readonly batchTtlMs: number;
  /** Services (id, name or domain) whose model is instructed to keep placeholders unchanged. */
  readonly hints: readonly string[];
  /** Hosts whose URLs may contain originals in responses. */
  readonly allowsHost?: AllowsHost | undefined;
  /** The same as a list, for threads. */
  readonly linkHosts?: readonly string[];
  /** All types that core can find. */
  readonly builtinTypes: readonly string[];
  /** True in the thread for large bodies. */
  readonly isAside?: boolean;
};

/** One body to mask. */
export type MaskingInput = {
  readonly body: Buffer;
  readonly contentType: string | undefined;
  /** The kind of body, if known. */
  readonly kind?: BodyKind | undefined;
  readonly contentEncoding: string | undefined;
  /** The text of a JSON body that JSON.parse has accepted, if already parsed. */
  readonly json?: string | undefined;
  readonly host: string;
  readonly path: string;
  readonly session: string;
  /** The client, for the limit on its large bodies. Default: the session. */
  readonly client?: string | undefined;
  /** Aborted when the client disconnects, to drop remaining thread work. */
  readonly gone?: AbortSignal | undefined;
  readonly mode: 'mask' | 'audit';
  readonly types?: Readonly<Record<string, TypeSetting>> | undefined;
  readonly service?: Service | undefined;
  /** Filters the detections that count. */
  readonly accepts?: ((detection: Detection) => boolean) | undefined;
  /** True if a body that is entirely binary passes unread (protobuf, encrypted). */
  readonly passesBinary?: boolean | undefined;
  /** True to return the texts of documents. */
  readonly wantsDocuments?: boolean | undefined;
};

/** The body to send; with `changed: false` exactly the received bytes, still encoded. */
export type MaskingResult = {
  readonly body: Buffer;
  readonly changed: boolean;
  readonly counts: Record<string, number> | undefined;
  readonly masked: number;
  /** The texts of documents in the body, if requested, with their positions. */
  readonly documents?: readonly { readonly pointer: string; readonly text: string }[] | undefined;
  /** Tokens that replace JSON numbers. */
  readonly numbers?: ReadonlySet<string> | undefined;
};
