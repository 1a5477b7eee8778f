/**
 * The one error class of the project and the table of its codes.
 * The code is stable, the status is what an HTTP listener answers, the hint says what the reader can do.
 */

/** Code → HTTP status and default message. */
export const errorCodes = {
  bad_request: { status: 400, hint: 'Check the request line and the header fields.' },
  invalid_json: { status: 400, hint: 'Send a valid JSON body (RFC 8259).' },
  unauthorized: { status: 401, hint: 'Send a key as "Authorization: Bearer <key>".' },
  credits_exhausted: { status: 402, hint: 'Wait for the first of the next month (UTC), or move to a larger plan.' },
  license_invalid: { status: 403, hint: 'Ask the license issuer for a new license.' },
  forbidden: { status: 403, hint: 'Ask the administrator of the gateway.' },
  blocked_by_policy: { status: 403, hint: 'Ask the administrator for an approved alternative.' },
  confirmation_required: {
    status: 403,
    hint: 'Open the given address in a browser that uses the same proxy, confirm, and try again.',
  },
  host_not_covered: { status: 403, hint: 'Register the host as a service, or list it in bypass.' },
  egress_refused: { status: 403, hint: 'Add the network to egress.allow if clients need it.' },
  port_refused: { status: 403, hint: 'Add the port to egress.ports if clients need it.' },
  client_refused: { status: 403, hint: 'Add the client network to auth.clients.' },
  uninspectable: { status: 403, hint: 'Send a body that the gateway can read, or ask for a policy exception.' },
  undecodable_body: { status: 400, hint: 'Send the body uncompressed or with a correct Content-Encoding.' },
  not_found: { status: 404, hint: 'Check the address.' },
  session_not_found: { status: 404, hint: 'The session is unknown or has expired; mask again.' },
  method_not_allowed: { status: 405, hint: 'Use another method.' },
  proxy_auth_required: { status: 407, hint: 'Send proxy credentials.' },
  request_timeout: { status: 408, hint: 'Send the request faster.' },
  conflict: { status: 409, hint: 'Choose another value.' },
  body_too_large: { status: 413, hint: 'Send a smaller body, or raise masking.max_body.' },
  uri_too_long: { status: 414, hint: 'Shorten the request target.' },
  unsupported_media_type: { status: 415, hint: 'Send application/json.' },
  misdirected_request: { status: 421, hint: 'Open a new connection for this host.' },
  invalid_input: { status: 422, hint: 'Correct the named field.' },
  too_many_requests: { status: 429, hint: 'Wait for the time given in Retry-After.' },
  headers_too_large: { status: 431, hint: 'Send fewer or shorter header fields.' },
  internal: { status: 500, hint: 'See the log of the gateway for the request id.' },
  not_supported: { status: 501, hint: 'Use http:// targets or CONNECT.' },
  upstream_failed: { status: 502, hint: 'Check that the host is right and reachable from the gateway.' },
  upstream_certificate: { status: 502, hint: 'Check the certificate of the host, or add its CA to upstream.ca_file.' },
  unavailable: { status: 503, hint: 'Try again in a moment.' },
  ca_unusable: { status: 503, hint: 'Repair the CA folder of the gateway.' },
  upstream_timeout: { status: 504, hint: 'The host did not answer in time; try again.' },
  loop_detected: { status: 508, hint: 'The request came back to the gateway; check the proxy settings.' },
} as const satisfies Record<string, { status: number; hint: string }>;

/** One of the stable codes of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;

/** What an error may carry besides its code and message. */
export type PrivetErrorOptions = {
  readonly hint?: string;
  readonly details?: unknown;
  readonly cause?: unknown;
};

/**
 * An error with a stable code and an HTTP status.
 * The message must never contain user text, a secret or a body.
 */
export class PrivetError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly hint: string;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, options: PrivetErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PrivetError';
    this.code = code;
    this.status = errorCodes[code].status;
    this.hint = options.hint ?? errorCodes[code].hint;
    this.details = options.details;
  }
}
