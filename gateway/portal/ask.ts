/** The form for an exception request. */
import { timingSafeEqual } from 'node:crypto';
import { PrivetError } from '../../core/errors.ts';
import type { ServiceRegistry } from '../../policy/registry.ts';
import { Hmac } from '../hmac.ts';
import { type Exceptions, reasonLengthMax } from '../stores/exceptions.ts';
import type { Brand } from './brand.ts';
import { html } from './html.ts';
import { type PortalAnswer, pageAnswer, redirect } from './page.ts';
import type { Words } from './words.ts';

/** How long a form stays valid. */
const tokenMs = 2 * 3_600_000;
const hostLengthMax = 2_048;

/** The user's input. */
export type AskInput = { readonly host: string; readonly reason: string };

/** What is wrong with a request: with one of its fields, or with the form as a whole. */
type Problems = { readonly [where in keyof AskInput | 'form']?: string };

/** The page with the form. `problems` say why it is shown again, with the entered text. */
export function askPage(facts: {
  readonly words: Words;
  readonly brand: Brand;
  readonly token: string;
  readonly input: AskInput;
  readonly problems?: Problems;
}): PortalAnswer {
  const { words, brand, token, input, problems = {} } = facts;
  const first = (['host', 'reason'] as const).find((field) => problems[field] !== undefined);
  const told = (field: keyof AskInput) =>
    problems[field] && html`<p class="problem" id="${field}-problem" role="alert">${problems[field]}</p>`;
  const state = (field: keyof AskInput) => [
    html` required aria-describedby="${problems[field] && html`${field}-problem `}${field}-hint"`,
    problems[field] && html` aria-invalid="true"`,
    field === first && html` autofocus`,
  ];
  const body = html`
${problems.form && html`<p class="note bad" role="alert">${problems.form}</p>`}
<section aria-label="${words.askTitle}">
<form method="post" action="/me/exceptions" autocomplete="off">
<input type="hidden" name="token" value="${token}">
<div class="field"><label for="host">${words.host}</label><p class="hint" id="host-hint">${words.hostHint}</p>
${told('host')}<input id="host" name="host" value="${input.host}" maxlength="${hostLengthMax}"
 inputmode="url" autocapitalize="none" spellcheck="false"${state('host')}></div>
<div class="field"><label for="reason">${words.reason}</label><p class="hint" id="reason-hint">${words.reasonHint}</p>
${told('reason')}<textarea id="reason" name="reason" maxlength="${reasonLengthMax}"${state('reason')}>${input.reason}</textarea></div>
<button type="submit">${words.send}</button>
</form>
</section>`;
  return pageAnswer({
    words,
    brand,
    path: '/me/exceptions',
    title: words.askTitle,
    lead: words.askLead,
    body,
    status: Object.keys(problems).length === 0 ? 200 : 422,
  });
}

/** Files the request and redirects the browser, or shows the form again. */
export async function fileRequest(facts: {
  readonly words: Words;
  readonly brand: Brand;
  readonly subject: string;
  readonly form: URLSearchParams;
  readonly secret: Buffer;
  readonly exceptions: Pick<Exceptions, 'file'>;
  readonly registry: ServiceRegistry;
  readonly now: number;
}): Promise<PortalAnswer> {
  const { words, brand, subject, form, secret, exceptions, registry, now } = facts;
  const input = {
    host: (form.get('host') ?? '').slice(0, hostLengthMax),
    reason: (form.get('reason') ?? '').slice(0, reasonLengthMax),
  };
  const again = (problems: Problems) =>
    askPage({ words, brand, token: formToken(subject, secret, now), input, problems });
  if (!isOwnToken(form.get('token') ?? '', subject, secret, now)) return again({ form: words.problemToken });
  const host = hostIn(input.host);
  const noReason = input.reason.trim() === '' && { reason: words.problemReason };
  if (host === undefined) return again({ host: words.problemHost, ...noReason });
  if (noReason) return again(noReason);
  try {
    const service = registry.match(host)?.service.key;
    await exceptions.file({ subject, host, reason: input.reason, ...(service === undefined ? {} : { service }) });
    return redirect('/me?sent=1');
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'bad_request') return again({ host: words.problemHost });
    if (code === 'too_many_requests') return again({ form: words.problemTooMany });
    if (error instanceof PrivetError) return again({ form: words.problemAway });
    throw error;
  }
}

/** The host in the entered text: a name, with or without a port or path, or a complete URL. */
function hostIn(text: string): string | undefined {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`);
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return host.includes('.') || host.includes(':') ? host : undefined;
}

/**
 * A token that only our own page can contain, signed for the subject and time. Pages of other origins cannot read ours,
 * so they cannot submit the form in the user's name.
 */
export function formToken(subject: string, secret: Buffer, now: number): string {
  const time = now.toString(36);
  return `${time}.${signature(time, subject, secret).toString('base64url')}`;
}

function isOwnToken(token: string, subject: string, secret: Buffer, now: number): boolean {
  const [time = '', given = ''] = token.split('.');
  const bytes = Buffer.from(given, 'base64url');
  const own = signature(time, subject, secret);
  if (bytes.length !== own.length || !timingSafeEqual(bytes, own)) return false;
  const age = now - Number.parseInt(time, 36);
  return age >= -60_000 && age <= tokenMs;
}

function signature(time: string, subject: string, secret: Buffer): Buffer {
  return new Hmac(secret).digest(`portal form 1\n${time}\n${subject}`);
}
