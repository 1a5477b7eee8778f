/** The input for starting a gateway, and the operations on a running one. */
import type { Flags } from '../config/environment.ts';
import type { Configuration } from './configuration.ts';
import type { LineSink } from './observe/stdout-sink.ts';

/** Operations on a running gateway. */
export type RunningGateway = {
  stop(): Promise<void>;
  /** Triggers a reload of the configuration. */
  reload(): void;
  /** Logs an unhandled failure. */
  fault(error: unknown): void;
};

/** A gateway whose listeners are open, and their ports. */
export type StartedGateway = RunningGateway & { readonly ports: { readonly proxy: number; readonly api: number } };

/** The input for starting a gateway: a validated configuration and its origin. */
export type StartOptions = Configuration & {
  /** The number of this process among the `workers` of one port. */
  readonly worker?: string | undefined;
  /** How many of them share the machine's memory; default 1. */
  readonly workers?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags?: Flags;
  readonly version: string;
  /** Suppresses the messages for the operator at the terminal. */
  readonly isSilent?: boolean;
  /** Where log lines go; default stdout. */
  readonly sink?: LineSink;
  /** Called when the running gateway cannot continue, as with a store that was written under another key. */
  readonly onFatal: (error: unknown) => void;
};
