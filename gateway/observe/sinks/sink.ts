/** Destinations of audit lines. */

/** Syslog severity of a line (RFC 5424 section 6.2.1). */
export type Severity = 4 | 5 | 6;

/** Accepts lines; never blocks and never throws. Pending data is limited, and losses are counted. */
export interface Sink {
  /** `line` without a line break. */
  write(line: string, at: Date, severity: Severity): void;
  /** Reopens what an administrator may have moved away. @throws PrivetError `unavailable`; the old one stays in use. */
  reopen(): void;
  /** Flushes and closes; resolves within a limited time. */
  close(): Promise<void>;
}

export type SinkKind = 'file' | 'stdout' | 'syslog';

/** Called with the number of lines lost. */
export type OnDropped = (kind: SinkKind, lines: number) => void;
