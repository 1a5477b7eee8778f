/**
 * Asks people, once in a while, whether they mean to use a service that is only watched. A navigation of a browser gets
 * a page with a form; the form is sent to a path of the same origin that never reaches the service, and the navigation
 * goes on from there. Programs cannot be asked: they get the address of the page in a header, or a refusal.
 *
 * A decision with `coach` → confirmed? yes: on. No: page (navigation) | header or 403 (all else).
 */
import type { Readable } from 'node:stream';
import { PrivetError } from '../../core/errors.ts';
import type { PolicyDecision } from '../../policy/decide.ts';
import type { ServiceRegistry } from '../../policy/registry.ts';
import type { Service } from '../../policy/service.ts';
import type { Acknowledgements } from '../stores/acknowledgements.ts';
import { isNavigation } from './answers.ts';
import { coachPage, coachPageHeaders, justificationLengthMax } from './coach-page.ts';
import { type CoachTicket, readTicket, signTicket } from './coach-token.ts';
import { headerValue } from './headers.ts';
import type { Client } from './record.ts';
import { formatAuthority, type Target } from './target.ts';

/** The path at every origin where the page is shown on demand and confirmations arrive. */
export const coachPath = '/.privet/coach';

/** What can be configured; read anew for each page. */
export type CoachSettings = {
  readonly programs: 'header' | 'refuse';
  readonly reason: 'optional' | 'required';
  readonly text: string | null;
  readonly contact: string | null;
};

/** What came of it, for the metrics. */
export type CoachResult = 'shown' | 'confirmed' | 'rejected' | 'noted' | 'refused';

export type CoachOptions = {
  readonly acknowledgements: Acknowledgements;
  readonly registry: ServiceRegistry;
  readonly secret: () => Buffer;
  readonly settings: () => CoachSettings;
  readonly onResult: (result: CoachResult) => void;
  readonly now?: () => number;
};

type Answer = { readonly status: number; readonly headers: readonly string[]; readonly body: string };
type Asked = {
  readonly decision: PolicyDecision;
  readonly client: Client;
  readonly target: Pick<Target, 'scheme' | 'host' | 'port' | 'path'>;
  readonly method: string;
  readonly rawHeaders: readonly string[];
};

/** What happens to a request: answered here, or sent on, with the address of the page for programs that are to be told. */
export type CoachVerdict = { readonly answer: Answer } | { readonly confirmAt: string } | undefined;

const bodyBytesMax = 32_768;
/** A longer path is not repeated: the navigation goes on at the root. */
const pathLengthMax = 4_096;
const alternativesMax = 3;

export class Coach {
  readonly #options: CoachOptions;
  readonly #now: () => number;
  #alternatives: { readonly version: number; readonly byKind: ReadonlyMap<string, readonly Service[]> } | undefined;

  constructor(options: CoachOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Whether the client has to be asked before it uses the host. @throws PrivetError `unavailable` while the store is away. */
  async isPending(decision: PolicyDecision, client: Client, host: string): Promise<boolean> {
    if (decision.coach === undefined) return false;
    const { until } = await this.#options.acknowledgements.of(client.subject, scopeOf(decision, host));
    return until <= this.#now();
  }

  /**
   * What to do with a request whose decision has `coach`; undefined: nothing, it goes on.
   * @throws PrivetError `confirmation_required` for programs where they are refused, `unavailable`.
   */
  async ask(asked: Asked): Promise<CoachVerdict> {
    const { decision, client, target, rawHeaders, method } = asked;
    if (!isPageLoad(method, rawHeaders)) {
      const confirmAt = await this.askProgram(asked);
      return confirmAt === undefined ? undefined : { confirmAt };
    }
    if (!(await this.isPending(decision, client, target.host))) return undefined;
    this.#options.onResult('shown');
    return { answer: this.#page(asked, method === 'GET' ? target.path : '/', undefined) };
  }

  /** As {@link ask} for what cannot show a page: the address that it is to be told, undefined when there is nothing to ask. */
  async askProgram({
    decision,
    client,
    target,
  }: Pick<Asked, 'decision' | 'client' | 'target'>): Promise<string | undefined> {
    if (!(await this.isPending(decision, client, target.host))) return undefined;
    const isRefused = this.#options.settings().programs === 'refuse';
    this.#options.onResult(isRefused ? 'refused' : 'noted');
    if (isRefused) throw confirmationRequired(originOf(target));
    return `${originOf(target)}${coachPath}`;
  }

  /**
   * Answers a request to {@link coachPath}: the page, or what comes of a confirmation. `decide` gives the decision about
   * a path of the same host.
   */
  async serve(
    asked: Asked,
    request: Readable,
    decide: (path: string) => PolicyDecision,
  ): Promise<{ readonly answer: Answer; readonly decision: PolicyDecision; readonly justification?: string }> {
    const home = decide('/');
    if (asked.method === 'GET' || asked.method === 'HEAD') {
      if (home.coach === undefined) throw new PrivetError('not_found', 'There is nothing to confirm for this host.');
      this.#options.onResult('shown');
      return { answer: this.#page({ ...asked, decision: home }, '/', undefined, 200), decision: home };
    }
    if (asked.method !== 'POST') throw new PrivetError('method_not_allowed', 'This address takes GET and POST.');
    const form = await readForm(request, asked.rawHeaders);
    const origin = originOf(asked.target);
    const ticket = isOwnPage(asked.rawHeaders, origin)
      ? readTicket(form.get('ticket') ?? '', {
          subject: asked.client.subject,
          origin,
          secret: this.#options.secret(),
          now: this.#now(),
        })
      : undefined;
    if (ticket === undefined)
      return this.#again({ ...asked, decision: home }, '/', 'This page was no longer valid. Please confirm again.');
    const decision = decide(ticket.path);
    const reason = (form.get('reason') ?? '').trim().slice(0, justificationLengthMax);
    if (reason === '' && this.#options.settings().reason === 'required')
      return this.#again({ ...asked, decision }, ticket.path, 'Please write what you need it for.');
    return this.#confirm(ticket, decision, reason);
  }

  async #confirm(ticket: CoachTicket, decision: PolicyDecision, reason: string) {
    const { acknowledgements, onResult } = this.#options;
    const answer = { status: 303, headers: ['Location', ticket.path, 'Cache-Control', 'no-store'], body: '' };
    const last = await acknowledgements.of(ticket.subject, ticket.scope);
    // The same form sent twice: the second one is no new confirmation.
    if (last.at >= ticket.issuedAt) return { answer, decision };
    await acknowledgements.confirm(ticket.subject, ticket.scope, ticket.ttlMs);
    onResult('confirmed');
    return { answer, decision, justification: reason };
  }

  #again(asked: Asked, path: string, problem: string) {
    this.#options.onResult('rejected');
    const { decision } = asked;
    if (decision.coach === undefined) throw new PrivetError('forbidden', 'There is nothing to confirm for this host.');
    return { answer: this.#page(asked, path, problem), decision };
  }

  #page({ decision, client, target }: Asked, path: string, problem: string | undefined, status = 403): Answer {
    const { text, contact, reason } = this.#options.settings();
    const ttlMs = decision.coach?.ttlMs ?? 0;
    const ticket: CoachTicket = {
      subject: client.subject,
      origin: originOf(target),
      scope: scopeOf(decision, target.host),
      ttlMs,
      path: isPlainPath(path) ? path : '/',
      issuedAt: this.#now(),
    };
    const body = coachPage({
      host: target.host,
      service: decision.service,
      alternatives: this.#alternativesTo(decision.service),
      text,
      contact,
      ttlMs,
      needsReason: reason === 'required',
      action: coachPath,
      ticket: signTicket(ticket, this.#options.secret()),
      ...(problem === undefined ? {} : { problem }),
    });
    return { status, headers: coachPageHeaders, body };
  }

  /** Approved services of the kind, found once for each state of the registry. */
  #alternativesTo(service: Service | undefined): readonly Service[] {
    if (service?.kind === undefined) return [];
    const { registry } = this.#options;
    if (this.#alternatives?.version !== registry.version) {
      const byKind = new Map<string, Service[]>();
      for (const one of registry.list()) {
        if (one.category !== 'approved' || one.is_blocked || one.kind === undefined) continue;
        const known = byKind.get(one.kind);
        if (known === undefined) byKind.set(one.kind, [one]);
        else if (known.length < alternativesMax) known.push(one);
      }
      this.#alternatives = { version: registry.version, byKind };
    }
    return this.#alternatives.byKind.get(service.kind) ?? [];
  }
}

function confirmationRequired(origin: string): PrivetError {
  const url = `${origin}${coachPath}`;
  return new PrivetError(
    'confirmation_required',
    `Your company asks you to confirm the use of this service first: ${url}`,
    {
      hint: `Open ${url} in a browser behind the same proxy and confirm; then try again.`,
      details: { url },
    },
  );
}

/** One confirmation counts for all hosts of a service. */
function scopeOf({ service }: PolicyDecision, host: string): string {
  return service === undefined ? `host ${host}` : `service ${service.id}`;
}

function originOf({ scheme, host, port }: Asked['target']): string {
  return `${scheme}://${formatAuthority(host, port, scheme)}`;
}

/** A document that a person sees; a frame in another page is none (W3C Fetch Metadata, `Sec-Fetch-Dest`). */
function isPageLoad(method: string, rawHeaders: readonly string[]): boolean {
  if (method !== 'GET' && method !== 'POST') return false;
  const destination = headerValue(rawHeaders, 'sec-fetch-dest');
  return isNavigation(rawHeaders) && (destination === undefined || destination === 'document');
}

/** Where browsers say which page sent the form, it has to be ours. */
function isOwnPage(rawHeaders: readonly string[], origin: string): boolean {
  const site = headerValue(rawHeaders, 'sec-fetch-site');
  const from = headerValue(rawHeaders, 'origin');
  return (site === undefined || site === 'same-origin') && (from === undefined || from === origin);
}

/** A path on the same origin for a Location field: `//host` and `/\host` would lead elsewhere. */
function isPlainPath(path: string): boolean {
  return path.length <= pathLengthMax && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.startsWith(coachPath);
}

async function readForm(request: Readable, rawHeaders: readonly string[]): Promise<URLSearchParams> {
  const type = (headerValue(rawHeaders, 'content-type') ?? '').toLowerCase();
  if (!type.startsWith('application/x-www-form-urlencoded'))
    throw new PrivetError('unsupported_media_type', 'Send the form of the page.', {
      hint: 'Open the page and confirm there.',
    });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyBytesMax) throw new PrivetError('body_too_large', 'The form is too large.');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/** Whether a request target is one that never leaves the gateway. */
export function isCoachPath(path: string): boolean {
  return path === coachPath || path.startsWith(`${coachPath}?`);
}
