/**
 * Coaching: asks users from time to time to confirm the use of a service in category `monitoring`. A browser navigation
 * gets a page with a form, which is sent to a path on the same origin that never reaches the service; then the
 * navigation continues. Programs cannot confirm: they get the page's URL in a header, or an error.
 * A decision with `coach` → confirmed? yes: continue. No: page (navigation) | header or 403 (everything else).
 */
import type { Readable } from 'node:stream';
import { PrivetError } from '../../../core/errors.ts';
import type { PolicyDecision } from '../../../policy/decision.ts';
import type { ServiceRegistry } from '../../../policy/registry.ts';
import { readForm } from '../../form.ts';
import { type Brand, plainBrand } from '../../portal/brand.ts';
import type { Acknowledgements } from '../../stores/acknowledgements.ts';
import { Alternatives } from '../answer/alternatives.ts';
import { isNavigation } from '../answer/answers.ts';
import { languageOf } from '../answer/page-words.ts';
import { headerValue } from '../request/headers.ts';
import type { Client } from '../request/record.ts';
import { originOf, type Target } from '../request/target.ts';
import { type CoachProblem, coachPage, coachPageHeaders, justificationLengthMax } from './coach-page.ts';
import { type CoachTicket, readTicket, signTicket } from './coach-token.ts';

/** The path, on every origin, of the page and its confirmations. */
const coachPath = '/.privet/coach';

/** The settings, read for each page. */
export type CoachSettings = {
  readonly programs: 'header' | 'refuse';
  readonly reason: 'optional' | 'required';
  readonly text: string | null;
  readonly contact: string | null;
  /** The page's branding, with the fallback for the contact above. */
  readonly brand?: Brand;
};

/** The outcome, for the metrics. */
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
/** The request to be confirmed. `size`: bytes of its body. */
export type Occasion = { readonly method: string; readonly path: string; readonly size: number };
/** Decides about another request of the same user to the same host. */
export type DecideAgain = (occasion: Occasion) => PolicyDecision;

type Asked = {
  readonly decision: PolicyDecision;
  readonly client: Client;
  readonly target: Pick<Target, 'scheme' | 'host' | 'port' | 'path'>;
  readonly method: string;
  readonly rawHeaders: readonly string[];
  /** Bytes of the body, if they affected the decision. */
  readonly size?: number;
  readonly decide: DecideAgain;
};

/** The outcome for a request: answered here, or forwarded, possibly with the page's URL for programs. */
export type CoachVerdict = { readonly answer: Answer } | { readonly confirmAt: string } | undefined;

/** Maximum length of a path that the navigation returns to; for a longer one it continues at the root. */
const pathLengthMax = 4_096;
/** Maximum length of a path in the page's URL; a longer one is left out. */
const occasionPathMax = 1_000;
const homePage: Occasion = { method: 'GET', path: '/', size: 0 };

/** Asks for and accepts confirmations, which the acknowledgements store keeps. */
export class Coach {
  readonly #options: CoachOptions;
  readonly #now: () => number;
  readonly #alternatives: Alternatives;

  constructor(options: CoachOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#alternatives = new Alternatives(options.registry);
  }

  /** True if the client must confirm before it uses the host. @throws PrivetError `unavailable` if the store is */
  async isPending(decision: PolicyDecision, client: Client, host: string): Promise<boolean> {
    if (decision.coach === undefined) return false;
    const { until } = await this.#options.acknowledgements.of(client.subject, scopeOf(decision, host));
    return until <= this.#now();
  }

  /**
   * Handles a request whose decision has `coach`; undefined: continue.
   * @throws PrivetError `confirmation_required` for programs that are rejected, `unavailable`
   */
  async ask(asked: Asked): Promise<CoachVerdict> {
    const { decision, client, target, rawHeaders, method } = asked;
    if (!isPageLoad(method, rawHeaders)) {
      const confirmAt = await this.askProgram(asked);
      return confirmAt === undefined ? undefined : { confirmAt };
    }
    if (!(await this.isPending(decision, client, target.host))) return undefined;
    this.#options.onResult('shown');
    const address = `${coachPath}${this.#occasionOf(asked)}`;
    return { answer: this.#page(asked, method === 'GET' ? target.path : '/', { address }) };
  }

  /** Like {@link ask} for clients that cannot show a page: the URL to report, undefined if nothing needs confirming. */
  async askProgram(asked: Pick<Asked, 'decision' | 'client' | 'target'> & Partial<Asked>): Promise<string | undefined> {
    const { decision, client, target } = asked;
    if (!(await this.isPending(decision, client, target.host))) return undefined;
    const isRefused = this.#options.settings().programs === 'refuse';
    this.#options.onResult(isRefused ? 'refused' : 'noted');
    const url = `${originOf(target)}${coachPath}${this.#occasionOf(asked)}`;
    if (isRefused) throw confirmationRequired(url);
    return url;
  }

  /** The query of the page's URL if only some paths, methods or sizes require confirmation; it grants nothing. */
  #occasionOf({
    decision,
    decide,
    target,
    method = 'GET',
    size = 0,
  }: Pick<Asked, 'decision' | 'target'> & Partial<Asked>) {
    const path = target.path.replace(/\?.*$/s, '');
    if (decide === undefined || path.length > occasionPathMax) return '';
    const home = decide(homePage);
    if (home.coach !== undefined && scopeOf(home, target.host) === scopeOf(decision, target.host)) return '';
    return `?${new URLSearchParams({ method, path, ...(size === 0 ? {} : { size: String(size) }) })}`;
  }

  /**
   * Answers a request to {@link coachPath}: the page, or the result of a confirmation.
   * @throws PrivetError `not_found`, `forbidden`, `method_not_allowed`, `unsupported_media_type`, `body_too_large`,
   * `unavailable`
   */
  async serve(
    asked: Asked,
    request: Readable,
  ): Promise<{ readonly answer: Answer; readonly decision: PolicyDecision; readonly justification?: string }> {
    const { decide } = asked;
    const isPost = asked.method === 'POST';
    if (isScript(asked.rawHeaders))
      throw new PrivetError('forbidden', 'A script cannot open this address.', {
        hint: 'Open the address in a browser window.',
      });
    const occasion = occasionIn(asked.target.path);
    const home = decide(occasion ?? homePage);
    const address = asked.target.path;
    const next = occasion?.method === 'GET' ? occasion.path : '/';
    if (asked.method === 'GET' || asked.method === 'HEAD') {
      if (home.coach === undefined) throw new PrivetError('not_found', 'There is nothing to confirm for this host.');
      this.#options.onResult('shown');
      return { answer: this.#page({ ...asked, decision: home }, next, { address, status: 200 }), decision: home };
    }
    if (!isPost) throw new PrivetError('method_not_allowed', 'This URL supports GET and POST.');
    const form = await readForm(request, headerValue(asked.rawHeaders, 'content-type') ?? '');
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
      return this.#again({ ...asked, decision: home }, next, { address, problem: 'problemTicket' });
    const decision = occasion === undefined ? decide({ ...homePage, path: ticket.path }) : home;
    const reason = (form.get('reason') ?? '').trim().slice(0, justificationLengthMax);
    if (reason === '' && this.#options.settings().reason === 'required')
      return this.#again({ ...asked, decision }, ticket.path, { address, problem: 'problemReason' });
    return this.#confirm(ticket, decision, reason);
  }

  async #confirm(ticket: CoachTicket, decision: PolicyDecision, reason: string) {
    const { acknowledgements, onResult } = this.#options;
    const answer = { status: 303, headers: ['Location', ticket.path, 'Cache-Control', 'no-store'], body: '' };
    const last = await acknowledgements.of(ticket.subject, ticket.scope);
    // The same form sent twice is not a new confirmation.
    if (last.at >= ticket.issuedAt) return { answer, decision };
    await acknowledgements.confirm(ticket.subject, ticket.scope, ticket.ttlMs);
    onResult('confirmed');
    return { answer, decision, justification: reason };
  }

  #again(asked: Asked, path: string, shown: Shown) {
    this.#options.onResult('rejected');
    const { decision } = asked;
    if (decision.coach === undefined) throw new PrivetError('forbidden', 'There is nothing to confirm for this host.');
    return { answer: this.#page(asked, path, shown), decision };
  }

  #page({ decision, client, target, rawHeaders }: Asked, path: string, shown: Shown): Answer {
    const { address, status = 403, problem } = shown;
    const { text, contact, reason, brand = plainBrand } = this.#options.settings();
    const language = languageOf(rawHeaders);
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
      language,
      brand,
      host: target.host,
      service: decision.service,
      alternatives: this.#alternatives.to(decision.service),
      text,
      contact: contact ?? brand.contact,
      ttlMs,
      needsReason: reason === 'required',
      action: address,
      ticket: signTicket(ticket, this.#options.secret()),
      ...(problem === undefined ? {} : { problem }),
    });
    return { status, headers: coachPageHeaders, body };
  }
}

/** `address`: path and query of the form's target. */
type Shown = { readonly address: string; readonly status?: number; readonly problem?: CoachProblem };

function confirmationRequired(url: string): PrivetError {
  return new PrivetError(
    'confirmation_required',
    `Your company asks you to confirm the use of this service first: ${url}`,
    {
      hint: `Open ${url} in a browser that uses the same proxy, confirm, and try again.`,
      details: { url },
    },
  );
}

/** A confirmation applies to all hosts of a service. */
function scopeOf({ service }: PolicyDecision, host: string): string {
  return service === undefined ? `host ${host}` : `service ${service.key}`;
}

/** True for a document shown to the user, not a frame in another page (W3C Fetch Metadata, `Sec-Fetch-Dest`). */
function isPageLoad(method: string, rawHeaders: readonly string[]): boolean {
  if (method !== 'GET' && method !== 'POST') return false;
  const destination = headerValue(rawHeaders, 'sec-fetch-dest');
  return isNavigation(rawHeaders) && (destination === undefined || destination === 'document');
}

/**
 * True for a script. One on the service's own pages shares the page's origin and could submit the form unseen, but
 * browsers report the destination of a request (W3C Fetch Metadata); only a window belongs to the user.
 */
function isScript(rawHeaders: readonly string[]): boolean {
  const destination = headerValue(rawHeaders, 'sec-fetch-dest');
  const mode = headerValue(rawHeaders, 'sec-fetch-mode');
  return (destination !== undefined && destination !== 'document') || (mode !== undefined && mode !== 'navigate');
}

/** The request that the page's URL describes. */
function occasionIn(address: string): Occasion | undefined {
  const query = new URLSearchParams(address.slice(coachPath.length));
  const [method, path, size] = [query.get('method'), query.get('path'), Number(query.get('size') ?? 0)];
  if (method === null || path === null || path.length > occasionPathMax || !isPlainPath(path)) return undefined;
  return { method: method.slice(0, 20), path, size: Number.isSafeInteger(size) && size > 0 ? size : 0 };
}

/** True if our page sent the form, as far as the browser reports it. */
function isOwnPage(rawHeaders: readonly string[], origin: string): boolean {
  const site = headerValue(rawHeaders, 'sec-fetch-site');
  const from = headerValue(rawHeaders, 'origin');
  return (site === undefined || site === 'same-origin') && (from === undefined || from === origin);
}

/** True if a path stays on the same origin in a Location field; `//host` and `/\host` would leave it. */
function isPlainPath(path: string): boolean {
  return path.length <= pathLengthMax && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.startsWith(coachPath);
}

/** True for a request target that never leaves the gateway. */
export function isCoachPath(path: string): boolean {
  return path === coachPath || path.startsWith(`${coachPath}?`);
}
