/** The parts of API responses that the pages use (GET /openapi.json is complete). Times are RFC 3339. */

export type Action = 'allow' | 'warn' | 'block';
export type Category = 'approved' | 'monitoring' | 'blocked';
export const actions = ['allow', 'warn', 'block'] as const;
export const categories = ['approved', 'monitoring', 'blocked'] as const;
export const inspects = ['mask', 'audit', 'tunnel'] as const;

export type License = {
  readonly status: 'valid' | 'expired';
  readonly mode: string;
  readonly plan: string;
  readonly evaluation: boolean;
  readonly customer: string;
  readonly expires_at: string;
};

export type Overview = {
  readonly uptime_s: number;
  readonly version: string;
  readonly store: { readonly kind: string; readonly ready: boolean };
  readonly ca: { readonly not_after: string; readonly fingerprint256: string };
  readonly license: License;
  readonly replicas: number;
  readonly discovery: { readonly proposed: number };
  readonly pins: { readonly proposed: number };
  readonly feeds: { readonly pending: number };
  readonly exceptions: { readonly open: number };
  readonly config: {
    readonly loaded_at: string;
    readonly warnings: readonly string[];
    readonly problems?: readonly string[];
  };
};

export type Stats = {
  readonly from: string;
  readonly to: string;
  readonly bucket: 'minute' | 'hour' | 'day';
  readonly series: readonly {
    readonly at: string;
    readonly allow: number;
    readonly warn: number;
    readonly block: number;
  }[];
  readonly requests: number;
  readonly actions: Readonly<Record<string, number>>;
  readonly unregistered: number;
  readonly masked: number;
  readonly restored: number;
  readonly services: readonly { readonly service: string; readonly requests: number }[];
  readonly subjects: readonly { readonly subject: string; readonly requests: number }[];
  readonly types: readonly { readonly type: string; readonly count: number }[];
  readonly types_seen: readonly { readonly type: string; readonly count: number }[];
};

export type Service = {
  readonly id: number;
  /** Its name in events and rules. */
  readonly key: string;
  readonly service_name: string;
  readonly domain: string;
  readonly alternate_domains: readonly string[];
  readonly host_patterns: readonly string[];
  readonly url_prefixes: readonly string[];
  readonly scope?: 'path';
  readonly kind?: string;
  readonly vendor?: string;
  readonly country?: string;
  readonly category: Category;
  readonly is_blocked: boolean;
  readonly reason?: string;
  readonly coach?: boolean;
  readonly created_at: string;
  readonly updated_at: string;
};

export type ServiceChange = Readonly<Record<string, unknown>>;
export type BulkAnswer = {
  readonly changed: readonly { readonly id: number; readonly before: ServiceChange | null }[];
  readonly failed: readonly { readonly id: number; readonly error: { readonly message: string } }[];
};

export type Verdicts = Readonly<Record<Action, number>>;
export type Impact = {
  readonly days: number;
  readonly requests: number;
  readonly subjects: number;
  readonly changed: { readonly requests: number; readonly subjects: number };
  readonly by_action: { readonly before: Verdicts; readonly after: Verdicts };
  readonly examples: readonly {
    readonly host: string;
    readonly subject: string;
    readonly requests: number;
    readonly before: string;
    readonly after: string;
  }[];
  readonly sampled: boolean;
};

/** An audit event: counts by type, never a value. */
export type AuditEvent = {
  readonly ts: string;
  readonly requestId?: string;
  readonly subject: string;
  readonly clientAddress?: string;
  readonly kind?: string;
  readonly host?: string;
  readonly port?: number;
  readonly service: string | null;
  readonly category?: string;
  readonly action: string;
  readonly inspect?: string;
  readonly rule?: string;
  readonly reason?: string;
  readonly method?: string;
  readonly status?: number;
  readonly bytesIn?: number;
  readonly bytesOut?: number;
  readonly durationMs?: number;
  readonly piiTypes?: Readonly<Record<string, number>>;
  readonly masked?: number;
  readonly restored?: number;
  readonly error?: string;
  readonly injection?: {
    readonly kind: string;
    readonly risk: string;
    readonly categories: readonly string[];
    readonly place: string;
    readonly answer: string;
  };
  readonly toolFindings?: readonly { readonly tool: string; readonly kind: string; readonly answer: string }[];
};
