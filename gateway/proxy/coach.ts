/**
 * Asks people, once in a while, whether they mean to use a service that is only watched. A navigation of a browser gets
 * a page with a form; the form is sent to a path of the same origin that never reaches the service, and the navigation
 * goes on from there. Programs cannot be asked: they get the address of the page in a header, or a refusal.
 *
 * A decision with `coach` → confirmed? yes: on. No: page (navigation) | header or 403 (all else).
 */
import type { Readable } from 'node:stream';
import { PrivetError } from '../../core/errors.ts';
import type { PolicyDecision } from '../../policy/decision.ts';
import type { ServiceRegistry } from '../../policy/registry.ts';
import type { Service } from '../../policy/service.ts';
import { readForm } from '../form.ts';
import type { Acknowledgements } from '../stores/acknowledgements.ts';
import { isNavigation } from './answers.ts';
import { type CoachProblem, coachPage, coachPageHeaders, justificationLengthMax } from './coach-page.ts';
import { type CoachTicket, readTicket, signTicket } from './coach-token.ts';
import { headerValue } from './headers.ts';
import { languageOf } from './page-words.ts';
import type { Client } from './record.ts';
import { originOf, type Target } from './target.ts';

/** The path at every origin where the page is shown on demand and confirmations arrive. */
const coachPath = '/.privet/coach';

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
/** A request to the host that is to be confirmed. `size`: bytes of its body. */
export type Occasion = { readonly method: string; readonly path: string; readonly size: number };
/** The decision about another request of the same person to the same host. */
export type DecideAgain = (occasion: Occasion) => PolicyDecision;

type Asked = {
  readonly decision: PolicyDecision;
  readonly client: Client;
  readonly target: Pick<Target, 'scheme' | 'host' | 'port' | 'path'>;
  readonly method: string;
  readonly rawHeaders: readonly string[];
  /** Bytes of the body, as far as they decided. */
  readonly size?: number;
  readonly decide: DecideAgain;
};

/** What happens to a request: answered here, or sent on, with the address of the page for programs that are to be told. */
export type CoachVerdict = { readonly answer: Answer } | { readonly confirmAt: string } | undefined;

/** A longer path is not repeated: the navigation goes on at the root. */
const pathLengthMax = 4_096;
/** A longer one is not named in the address of the page. */
const occasionPathMax = 1_000;
const homePage: Occasion = { method: 'GET', path: '/', size: 0 };
const alternativesMax = 3;

/** Asks, and takes the confirmations; what has been confirmed is kept by the acknowledgements. */
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
    const address = `${coachPath}${this.#occasionOf(asked)}`;
    return { answer: this.#page(asked, method === 'GET' ? target.path : '/', { address }) };
  }

  /** As {@link ask} for what cannot show a page: the address that it is to be told, undefined when there is nothing to ask. */
  async askProgram(asked: Pick<Asked, 'decision' | 'client' | 'target'> & Partial<Asked>): Promise<string | undefined> {
    const { decision, client, target } = asked;
    if (!(await this.isPending(decision, client, target.host))) return undefined;
    const isRefused = this.#options.settings().programs === 'refuse';
    this.#options.onResult(isRefused ? 'refused' : 'noted');
    const url = `${originOf(target)}${coachPath}${this.#occasionOf(asked)}`;
    if (isRefused) throw confirmationRequired(url);
    return url;
  }

  /**
   * The query of the page's address, for what is asked on some paths, methods or sizes only: the host alone would not
   * say what there is to confirm. It grants nothing, whoever writes it.
   */
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
   * Answers a request to {@link coachPath}: the page, or what comes of a confirmation.
   * @throws PrivetError `not_found`, `forbidden`, `method_not_allowed`, `unsupported_media_type`, `body_too_large`,
   * `unavailable`.
   */
  async serve(
    asked: Asked,
    request: Readable,
  ): Promise<{ readonly answer: Answer; readonly decision: PolicyDecision; readonly justification?: string }> {
    const { decide } = asked;
    const isPost = asked.method === 'POST';
    if (isScript(asked.rawHeaders))
      throw new PrivetError('forbidden', 'A person has to open this address; a script of a page cannot.', {
        hint: 'Open the address in a window of the browser.',
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
    // The same form sent twice: the second one is no new confirmation.
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
      language: languageOf(rawHeaders),
      host: target.host,
      service: decision.service,
      alternatives: this.#alternativesTo(decision.service),
      text,
      contact,
      ttlMs,
      needsReason: reason === 'required',
      action: address,
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
      for (const one of registry.services()) {
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

/** `address`: path and query where the form goes. */
type Shown = { readonly address: string; readonly status?: number; readonly problem?: CoachProblem };

function confirmationRequired(url: string): PrivetError {
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
  return service === undefined ? `host ${host}` : `service ${service.key}`;
}

/** A document that a person sees; a frame in another page is none (W3C Fetch Metadata, `Sec-Fetch-Dest`). */
function isPageLoad(method: string, rawHeaders: readonly string[]): boolean {
  if (method !== 'GET' && method !== 'POST') return false;
  const destination = headerValue(rawHeaders, 'sec-fetch-dest');
  return isNavigation(rawHeaders) && (destination === undefined || destination === 'document');
}

/**
 * A script of the service's own pages has the origin of the page and could read its ticket and send the form without
 * anybody having seen it. Browsers say what a request is for (W3C Fetch Metadata); only a window is a person's.
 */
function isScript(rawHeaders: readonly string[]): boolean {
  const destination = headerValue(rawHeaders, 'sec-fetch-dest');
  const mode = headerValue(rawHeaders, 'sec-fetch-mode');
  return (destination !== undefined && destination !== 'document') || (mode !== undefined && mode !== 'navigate');
}

/** What the address of the page says that is to be confirmed. */
function occasionIn(address: string): Occasion | undefined {
  const query = new URLSearchParams(address.slice(coachPath.length));
  const [method, path, size] = [query.get('method'), query.get('path'), Number(query.get('size') ?? 0)];
  if (method === null || path === null || path.length > occasionPathMax || !isPlainPath(path)) return undefined;
  return { method: method.slice(0, 20), path, size: Number.isSafeInteger(size) && size > 0 ? size : 0 };
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

/** Whether a request target is one that never leaves the gateway. */
export function isCoachPath(path: string): boolean {
  return path === coachPath || path.startsWith(`${coachPath}?`);
}
