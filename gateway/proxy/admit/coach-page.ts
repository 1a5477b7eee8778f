/** The page that asks users to confirm the use of a service. Everything shown is escaped; no script runs. */
import type { Service } from '../../../policy/service.ts';
import { dayMs } from '../../durations.ts';
import type { Brand } from '../../portal/brand.ts';
import type { Language } from '../../portal/words.ts';
import { serviceKinds } from '../../service-kinds.ts';
import { linkTo } from '../answer/alternatives.ts';
import { type PageWords, pageWordsOf } from '../answer/page-words.ts';
import { companyText, escapeHtml, pageHeaders, renderPage } from '../answer/pages.ts';

/** The content of the page. */
export type CoachPage = {
  readonly language: Language;
  readonly brand: Brand;
  readonly host: string;
  readonly service: Service | undefined;
  /** Approved services of the same kind. */
  readonly alternatives: readonly Service[];
  /** The company's own text for its users, and a contact. */
  readonly text: string | null;
  readonly contact: string | null;
  readonly ttlMs: number;
  readonly needsReason: boolean;
  /** Where the form is sent, and its ticket. */
  readonly action: string;
  readonly ticket: string;
  /** Why the page is shown again. */
  readonly problem?: CoachProblem;
};

/** The form has expired or is not ours, or the reason is missing. */
export type CoachProblem = 'problemTicket' | 'problemReason';

/** Maximum length of the user's reason, in UTF-16 code units. */
export const justificationLengthMax = 500;

const css = `
form{margin-top:22px}
label{display:block;font-weight:600;margin-bottom:6px}
textarea{width:100%;min-height:84px;padding:10px 12px;font:inherit;color:inherit;
background:var(--bg);border:1px solid var(--soft);border-radius:8px;resize:vertical}
[aria-invalid]{border:2px solid var(--bad)}
button{margin-top:14px}
small{display:block;margin-top:10px;color:var(--soft)}
.problem{color:var(--bad);font-weight:600}
:root{--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--bad:#ffb4ab}}`;

/**
 * Headers of the page. Its form may be submitted to the same origin, which the browser reports. The page has the
 * service's origin, so Cross-Origin-Opener-Policy (HTML standard) keeps the service's own pages from getting a handle
 * to its window and pressing the button.
 */
export const coachPageHeaders: readonly string[] = [
  ...pageHeaders.map((value, i) => {
    if (pageHeaders[i - 1] === 'Content-Security-Policy')
      return value.replace("form-action 'none'", "form-action 'self'");
    return pageHeaders[i - 1] === 'Referrer-Policy' ? 'same-origin' : value;
  }),
  'Cross-Origin-Opener-Policy',
  'same-origin',
];

/** The complete page. */
export function coachPage(page: CoachPage): string {
  const { service, host, alternatives, language } = page;
  const words = pageWordsOf(language);
  const name = service?.service_name ?? host;
  const own = page.brand.text[language];
  const links = alternatives.map(linkTo).join(words.between);
  const paragraphs = [
    escapeHtml(categoryNote(service, name, page.brand.company ?? words.yourCompany, words)),
    companyText(page.text ?? words.companyAsks),
    ...(own === null ? [] : [companyText(own)]),
    ...(alternatives.length === 0 ? [] : [words.alternatives(links)]),
  ];
  const facts: [string, string][] = [[words.address, host]];
  if (service?.vendor !== undefined) facts.push([words.provider, service.vendor]);
  if (service?.country !== undefined) facts.push([words.country, countryName(service.country, language)]);
  if (service?.kind !== undefined) facts.push([words.kind, serviceKinds[language][service.kind] ?? service.kind]);
  const title = words.coachTitle(name);
  const { brand, contact } = page;
  return renderPage({ language, brand, title, paragraphs, facts, end: form(page, words), contact, css });
}

const countryName = (code: string, language: Language): string =>
  new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;

function categoryNote(service: Service | undefined, name: string, company: string, words: PageWords): string {
  if (service === undefined) return words.isUnknown(name, company);
  return service.category === 'approved' ? words.isApproved(name, company) : words.isWatched(name, company);
}

function form({ action, ticket, needsReason, ttlMs, problem }: CoachPage, words: PageWords): string {
  const alert =
    problem === undefined ? '' : `<p class="problem" id="problem" role="alert">${escapeHtml(words[problem])}</p>`;
  const wrong = problem === 'problemReason' ? ' aria-invalid="true" aria-describedby="problem" autofocus' : '';
  return `<form method="post" action="${escapeHtml(action)}" autocomplete="off">
<input type="hidden" name="ticket" value="${escapeHtml(ticket)}">
${alert}<label for="reason">${words.reason}${needsReason ? '' : words.optional}</label>
<textarea id="reason" name="reason" maxlength="${justificationLengthMax}"${needsReason ? ' required' : ''}${wrong}></textarea>
<button type="submit">${words.confirm}</button><small>${words.logged(timeText(ttlMs, words))}</small></form>`;
}

function timeText(ms: number, { time }: PageWords): string {
  const [count, unit] =
    ms >= 172_800_000
      ? ([ms / dayMs, 'day'] as const)
      : ms >= 3_600_000
        ? ([ms / 3_600_000, 'hour'] as const)
        : ms >= 60_000
          ? ([ms / 60_000, 'minute'] as const)
          : ([ms / 1000, 'second'] as const);
  return time(Math.max(1, Math.round(count)), unit);
}
