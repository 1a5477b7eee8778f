/** What is known of a request when its response arrives. */
import type { Readable } from 'node:stream';
import type { AllowsHost } from '../../../core/guard/url-guard.ts';
import type { DocumentShifts } from '../../../core/payload/offsets.ts';
import type { TokenMap } from '../../../core/vault.ts';
import type { PolicyDecision } from '../../../policy/decision.ts';
import type { AnswerGuard } from '../../agents/answer-guard.ts';
import type { Probe } from '../../discovery/probe.ts';
import type { SeenReasoning } from '../body/seen-reasoning.ts';
import type { ClientRequest } from '../request/client-request.ts';
import type { RequestRecord } from '../request/record.ts';
import type { Target } from '../request/target.ts';
import type { UpstreamProtocol } from '../upstream/upstream.ts';
import type { ClientResponse } from './answers.ts';

/** A request, and where its response goes. */
export type RelayInput = {
  readonly request: ClientRequest;
  readonly response: ClientResponse;
  readonly record: RequestRecord;
  readonly target: Target;
  readonly decision: PolicyDecision;
  readonly headers: string[];
  readonly path: string;
  readonly body: Buffer | Readable | null;
  /** True if the origin sends 100 (Continue); otherwise we do. */
  readonly passesContinue?: boolean;
  readonly protocol: UpstreamProtocol;
  /** Pseudonym in the response's Via header; none inside tunnels. */
  readonly via?: string | undefined;
  /** Tokens of the session; undefined if there is nothing to restore. */
  readonly map: TokenMap | undefined;
  /** Reads the session's tokens again, because other requests may add some while this answer is sent. */
  readonly follow?: (() => Promise<void>) | undefined;
  /** Documents of the request that the response may cite by offset. */
  readonly documents?: DocumentShifts | undefined;
  /** Tokens in the request that replace numbers. */
  readonly numbers?: ReadonlySet<string> | undefined;
  /** The last event that the client has received; `path` requests the stream from its start. */
  readonly resumesAfter?: number | string | undefined;
  /** Hosts whose URLs may contain originals. */
  readonly allowsHost?: AllowsHost | undefined;
  /** The same as a list, for threads. */
  readonly linkHosts?: readonly string[] | undefined;
  readonly bytesMax: number;
  /** URL at which a user can confirm the use of the service; sent in `x-privet-warning`. */
  readonly confirmAt?: string | undefined;
  /** Checks tool calls in the answer, and responses of MCP servers. */
  readonly guard?: AnswerGuard | undefined;
  /** The finding in the request, for the header `x-privet-warning`. */
  readonly warning?: string | undefined;
  /** Examines the shape of the answer, for discovery. */
  readonly probe?: Probe | undefined;
  /** Where signed reasoning in the response is recorded. */
  readonly reasoning?: { readonly seen: SeenReasoning; readonly session: string } | undefined;
};
