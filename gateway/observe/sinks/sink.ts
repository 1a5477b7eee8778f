/** Where lines of the audit trail go. */

/** Severity of a line, as syslog counts it (RFC 5424 section 6.2.1). */
export type Severity = 4 | 5 | 6;

/** Takes lines; never blocks and never throws. What waits is bounded, and what is lost is counted. */
export interface Sink {
  /** `line` without a line break. */
  write(line: string, at: Date, severity: Severity): void;
  /** Begins anew with what an administrator may have moved away. @throws PrivetError `unavailable`; the old one goes on. */
  reopen(): void;
  /** Writes what waits and ends; resolves in bounded time. */
  close(): Promise<void>;
}

export type SinkKind = 'file' | 'stdout' | 'syslog';

/** Called with the number of lines that were lost. */
export type OnDropped = (kind: SinkKind, lines: number) => void;
