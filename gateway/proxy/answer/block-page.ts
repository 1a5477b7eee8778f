/** The page for a blocked service: what is blocked, why, and what to do next. */
import { wordingIn } from '../../../core/wording/names.ts';
import type { PolicyDecision } from '../../../policy/decision.ts';
import { portalHost } from '../../portal/page.ts';
import { reasonText } from '../../portal/reasons.ts';
import type { Language } from '../../portal/words.ts';
import type { ExceptionRequest } from '../../stores/exceptions.ts';
import { linkTo } from './alternatives.ts';
import { type PageWords, pageWordsOf } from './page-words.ts';
import { companyText, escapeHtml, type PageFacts, renderPage } from './pages.ts';
import type { RefusalFacts } from './refusals.ts';

/** The content of the page. */
export type BlockPage = RefusalFacts & {
  readonly language: Language;
  readonly decision: PolicyDecision;
  readonly host: string;
  readonly requestId: string;
};

/** The complete page. */
export function blockPage({ language, decision, host, requestId, brand, alternatives, request }: BlockPage): string {
  const words = pageWordsOf(language);
  const name = decision.service?.service_name ?? host;
  const company = brand.company ?? words.yourCompany;
  const own = brand.text[language];
  const paragraphs = [
    escapeHtml(whyBlocked(decision, company, language)),
    ...(own === null ? [] : [companyText(own)]),
    ...(alternatives.length === 0 ? [] : [words.useInstead(alternatives.map(linkTo).join(words.between))]),
  ];
  const facts: PageFacts = [
    [words.address, host],
    ...(decision.service === undefined ? [] : ([[words.service, decision.service.service_name]] as const)),
    [words.rule, wordingIn(language).rule(decision.rule)],
    [words.code, 'blocked_by_policy'],
    [words.request, requestId],
  ];
  return renderPage({
    language,
    brand,
    title: words.blockedTitle(name),
    paragraphs,
    end: exceptionPart(request, { host, words }),
    facts,
  });
}

/** One sentence: the administrator's reason for the service, else the rule or category that decided. */
function whyBlocked({ service, ruleKind, rule }: PolicyDecision, company: string, language: Language): string {
  const words = pageWordsOf(language);
  if (ruleKind === 'rule') return words.becauseRule(company, rule);
  if (ruleKind === 'anonymizer') return words.becauseAnonymizer(company);
  if (service === undefined) return words.becauseUnknown(company);
  const reason = reasonText(service.reason?.trim() ?? '', language);
  return reason === '' ? words.becauseService(company) : words.becauseReason(company, reason);
}

/** The button for an exception request, or the request's state. */
function exceptionPart(
  request: ExceptionRequest | undefined,
  { host, words }: { host: string; words: PageWords },
): string {
  const address = `http://${portalHost}/me/exceptions?host=${encodeURIComponent(host)}`;
  const button = (text: string) => `<p><a class="button" href="${escapeHtml(address)}">${escapeHtml(text)}</a></p>`;
  if (request === undefined) return button(words.askException);
  if (request.state === 'open')
    return `<p class="state">${words.pending}
<a href="http://${portalHost}/me">${words.seeRequests}</a></p>`;
  const note = request.note === null || request.note === '' ? '' : words.answer(request.note);
  return `<p class="state denied">${escapeHtml(words.denied + note)}</p>${button(words.askAgain)}`;
}
