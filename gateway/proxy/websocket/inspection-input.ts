import type { Socket } from 'node:net';
import type { WebSocketMessage } from '../../../core/stream/websocket.ts';
import type { TokenMap, TokenVault } from '../../../core/vault.ts';
import type { PolicyDecision } from '../../../policy/decision.ts';
import type { SocketGuard } from '../../agents/socket-guard.ts';
import type { BodyBuffers } from '../body/body-buffers.ts';
import type { BodyMasker } from '../body/masking.ts';
import type { RequestRecord } from '../request/record.ts';
import type { Target } from '../request/target.ts';

/** The dependencies of an inspected socket. */
export type InspectionInput = {
  readonly socket: Socket;
  readonly head: Buffer;
  readonly masker: BodyMasker;
  readonly vault: TokenVault;
  readonly record: RequestRecord;
  readonly decision: PolicyDecision;
  readonly target: Target;
  readonly session: string;
  /** The session's tokens so far. */
  readonly tokens: TokenMap | undefined;
  readonly bodies: BodyBuffers;
  readonly guard: SocketGuard<WebSocketMessage>;
};
