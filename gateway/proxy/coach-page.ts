/** The page that asks a person to confirm the use of a service. All that it shows is escaped; no script runs. */
import { hostForUrl } from '../../policy/host.ts';
import type { Service } from '../../policy/service.ts';
import { escapeHtml, pageHeaders, renderPage } from './pages.ts';

/** What the page says. */
export type CoachPage = {
  readonly host: string;
  readonly service: Service | undefined;
  /** Approved services of the same kind. */
  readonly alternatives: readonly Service[];
  /** What the company asks of people, in its own words, and whom to ask. */
  readonly text: string | null;
  readonly contact: string | null;
  readonly ttlMs: number;
  readonly needsReason: boolean;
  /** Where the form goes, and its ticket. */
  readonly action: string;
  readonly ticket: string;
  /** Why the person sees the page again. */
  readonly problem?: string;
};

/** Longest reason that a person may give, in UTF-16 code units. */
export const justificationLengthMax = 500;

const defaultText =
  'Your company watches how this service is used. Do not enter personal data, customer data, passwords or anything confidential, and check what it answers before you rely on it.';

const css = `
ul{margin:0 0 14px;padding-left:1.2em}form{margin-top:22px;padding-top:18px;border-top:1px solid var(--line)}
label{display:block;font-weight:600;margin-bottom:6px}textarea{width:100%;min-height:84px;padding:10px 12px;font:inherit;color:inherit;
background:var(--bg);border:1px solid var(--line);border-radius:8px;resize:vertical}textarea:focus-visible,button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
button{margin-top:14px;padding:10px 18px;font:inherit;font-weight:600;color:var(--card);background:var(--accent);border:0;border-radius:8px;cursor:pointer}
small{display:block;margin-top:10px;color:var(--soft)}.problem{color:#b3261e;font-weight:600}@media(prefers-color-scheme:dark){.problem{color:#ffb4ab}}`;

/** Header fields of the page; its form may be sent to where it came from, and the origin of that is told. */
export const coachPageHeaders: readonly string[] = pageHeaders.map((value, i) => {
  if (pageHeaders[i - 1] === 'Content-Security-Policy')
    return value.replace("form-action 'none'", "form-action 'self'");
  return pageHeaders[i - 1] === 'Referrer-Policy' ? 'same-origin' : value;
});

/** The whole page. */
export function coachPage(page: CoachPage): string {
  const { service, host, alternatives } = page;
  const name = service?.service_name ?? host;
  const paragraphs = [
    `${escapeHtml(name)} ${standing(service)}`,
    escapeHtml(page.text ?? defaultText).replaceAll('\n', '<br>'),
    ...(alternatives.length === 0 ? [] : [`Approved for the same purpose: ${alternatives.map(linkTo).join(', ')}.`]),
    ...(page.contact === null ? [] : [`Questions: ${escapeHtml(page.contact)}`]),
  ];
  const facts: [string, string][] = [['Address', host]];
  if (service?.vendor !== undefined) facts.push(['Provider', service.vendor]);
  if (service?.country !== undefined) facts.push(['Country', service.country]);
  if (service?.kind !== undefined) facts.push(['Kind', service.kind]);
  return renderPage(`Before you use ${name}`, paragraphs, facts, { html: form(page), css });
}

function standing(service: Service | undefined): string {
  if (service === undefined) return 'is not a service that your company has looked at.';
  if (service.category === 'approved') return 'is an AI service that your company has approved, with care.';
  return 'is an AI service that your company has not approved.';
}

function form({ action, ticket, needsReason, ttlMs, problem }: CoachPage): string {
  return `<form method="post" action="${escapeHtml(action)}" autocomplete="off"><input type="hidden" name="ticket" value="${escapeHtml(ticket)}">
${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}<label for="reason">What do you need it for?${needsReason ? '' : ' (optional)'}</label>
<textarea id="reason" name="reason" maxlength="${justificationLengthMax}"${needsReason ? ' required' : ''}></textarea>
<button type="submit">I have read this, continue</button><small>Your confirmation is logged and holds for ${duration(ttlMs)}.</small></form>`;
}

/** The domain of a service is a host in its one spelling (policy/service.ts), so that it is a safe address. */
function linkTo({ service_name: name, domain }: Service): string {
  return `<a href="https://${escapeHtml(hostForUrl(domain))}/" rel="noreferrer">${escapeHtml(name)}</a>`;
}

function duration(ms: number): string {
  const [count, unit] =
    ms >= 172_800_000
      ? [ms / 86_400_000, 'day']
      : ms >= 3_600_000
        ? [ms / 3_600_000, 'hour']
        : ms >= 60_000
          ? [ms / 60_000, 'minute']
          : [ms / 1000, 'second'];
  const rounded = Math.max(1, Math.round(count));
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
}
