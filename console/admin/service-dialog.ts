/** The form of a new or existing service. */

import { capitalized } from '../../core/wording/capitalized.ts';
import { inBoth } from '../../core/wording/in-both.ts';
import type { Service } from '../../policy/service.ts';
import { Select, TextArea, TextField } from '../shared/field.ts';
import { html, useEffect, useState, type VNode } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import { useTexts } from '../shared/preferences.ts';
import { useSentences } from '../shared/sentences.ts';
import { useToast } from '../shared/toast.ts';
import { categories, type ServiceChange } from './answers.ts';
import { FormDialog } from './call-dialog.ts';
import { ImpactNote } from './impact-note.ts';
import { useCountryNames, useLabels } from './labels.ts';
import { useApi } from './session.ts';
import { verdictTexts } from './verdict.ts';

const texts = inBoth({
  add: ['Add a service', 'サービスを追加'],
  edit: [(name: string) => `Edit ${name}`, (name: string) => `${name} を編集`],
  name: ['Name', '名前'],
  domain: ['Domain', 'ドメイン'],
  domainHint: [
    'Includes subdomains: example.ai also covers api.example.ai.',
    '下位のホストも含みます：example.ai は api.example.ai も対象です。',
  ],
  hosts: ['Additional domains', 'そのほかのドメイン'],
  hostsHint: ['One per line.', '1 行に 1 つ。'],
  category: ['Category', '区分'],
  categoryHint: [
    'Approved: allowed and masked. Monitoring: allowed and recorded, but not masked. Blocked: not allowed.',
    '承認：マスクして許可。監視：マスクせずに許可し、記録。ブロック：拒否。',
  ],
  kind: ['Kind', '種類'],
  noKind: ['Not set', '未設定'],
  vendor: ['Vendor', '提供元'],
  country: ['Country', '国'],
  countryHint: ['Two-letter code, for example JP.', '2 文字の国コード（例：JP）'],
  reason: ['Reason', '理由'],
  reasonHint: ['Users see it on the block page.', 'ブロックページに表示されます。'],
  coach: ['Ask users to confirm', 'ユーザーに確認を求める'],
  coaches: {
    '': ['As set in the policy', 'ポリシーに従う'],
    true: ['Ask', '求める'],
    false: ['Do not ask', '求めない'],
  },
  save: ['Save', '保存'],
  saved: [(name: string) => `${name} was saved`, (name: string) => `${name} を保存しました`],
  required: ['Required.', '入力してください。'],
});

export type ServiceDialogProps = {
  /** Undefined for a new service. */
  readonly service: Service | undefined;
  /** The initial domain of a new service. */
  readonly domain: string;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
};

type Draft = Readonly<
  Record<'service_name' | 'domain' | 'hosts' | 'category' | 'kind' | 'vendor' | 'country' | 'reason' | 'coach', string>
>;

function draftOf(service: Service | undefined, domain: string): Draft {
  return {
    service_name: service?.service_name ?? '',
    domain: service?.domain ?? domain,
    hosts: service?.alternate_domains.join('\n') ?? '',
    category: service?.category ?? 'monitoring',
    kind: service?.kind ?? '',
    vendor: service?.vendor ?? '',
    country: service?.country ?? '',
    reason: service?.reason ?? '',
    coach: service?.coach === undefined ? '' : String(service.coach),
  };
}

export function ServiceDialog({ service, domain, onClose, onSaved }: ServiceDialogProps): VNode {
  const words = useTexts(texts);
  const { categories: names } = useTexts(verdictTexts);
  const api = useApi();
  const toast = useToast();
  const [draft, setDraft] = useState(() => draftOf(service, domain));
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const [isTried, setTried] = useState(false);
  useEffect(() => setProblem(undefined), [draft]);
  const set = (field: keyof Draft) => (value: string) => setDraft({ ...draft, [field]: value });
  const fieldErrors = errorsOf(problem);
  const errorOf = (field: keyof Draft): string | undefined => {
    const isNeeded = field === 'service_name' || field === 'domain';
    if (isTried && isNeeded && draft[field].trim() === '') return words.required;
    return fieldErrors[field];
  };
  const labels = useLabels();
  const { sentence } = useSentences();
  const countryName = useCountryNames();
  /** A stored reason may be a code or a sentence of the gateway and is translated; input is kept as typed. */
  const given = service?.reason ?? '';
  const shownReason = (reason: string) => (reason === given ? sentence(labels.reason(reason)) : reason);
  const country = draft.country.trim().toUpperCase();
  const kinds = [
    ['', words.noKind],
    ...[...new Set([...labels.kinds, draft.kind])].filter(Boolean).map((kind) => [kind, labels.kind(kind)]),
  ];
  const change = changesOf(draft, service);
  const hasNeeded = draft.service_name.trim() !== '' && draft.domain.trim() !== '';
  const submit = async (): Promise<void> => {
    setTried(true);
    if (!hasNeeded) return;
    setBusy(true);
    const outcome =
      service === undefined
        ? await api.post<Service>('/shadow-ai/services', change)
        : await api.patch<Service>(`/shadow-ai/services/${service.id}`, change);
    setBusy(false);
    if (!outcome.ok) return setProblem(outcome.problem);
    toast({ text: words.saved(outcome.body.service_name) });
    onSaved(outcome.body.service_name);
  };
  const wish =
    service !== undefined
      ? Object.keys(change).length === 0
        ? null
        : { ids: [service.id], change }
      : draft.domain.includes('.')
        ? { domain: draft.domain.trim(), change: { category: draft.category } }
        : null;
  const field = (
    name: Exclude<keyof Draft, 'category' | 'hosts' | 'reason' | 'coach'>,
    label: string,
    hint?: string,
    isMono = false,
  ) =>
    html`<${TextField}
      label=${label}
      hint=${hint}
      error=${errorOf(name)}
      isMono=${isMono}
      value=${draft[name]}
      onInput=${set(name)}
    />`;
  const title = service === undefined ? words.add : words.edit(service.service_name);
  // Errors that are shown at their fields are not repeated.
  const isAtFields = Object.keys(fieldErrors).length > 0;
  const note = problem && isAtFields ? { ...problem, message: '', details: undefined, hint: undefined } : problem;
  const form = { title, label: words.save, isBusy, problem: note, onClose, onSubmit: () => void submit() };
  return html`<${FormDialog} isWide ...${form}>
    <div class="columns">
      ${field('service_name', words.name)} ${field('domain', words.domain, words.domainHint, true)}
      <${Select}
        label=${words.category}
        hint=${words.categoryHint}
        value=${draft.category}
        options=${categories.map((category) => [category, names[category]])}
        onChange=${set('category')}
      />
      <${Select} label=${words.kind} value=${draft.kind} options=${kinds} onChange=${set('kind')} />
      ${field('vendor', words.vendor)}
      ${field('country', words.country, countryName(country) === country ? words.countryHint : countryName(country))}
    </div>
    <${TextArea}
      label=${words.hosts}
      hint=${words.hostsHint}
      error=${fieldErrors.hosts}
      rows=${3}
      isMono
      value=${draft.hosts}
      onInput=${set('hosts')}
    />
    <div class="columns">
      <${TextField}
        label=${words.reason}
        hint=${words.reasonHint}
        error=${errorOf('reason')}
        value=${shownReason(draft.reason)}
        onInput=${(text: string) => set('reason')(text === shownReason(given) ? given : text)}
      />
      ${
        draft.category === 'monitoring' &&
        html`<${Select} label=${words.coach} value=${draft.coach} options=${Object.entries(words.coaches)} onChange=${set('coach')} />`
      }
    </div>
    ${problem === undefined && html`<${ImpactNote} wish=${wish} />`}
  </${FormDialog}>`;
}

/** The changed fields for the API; for a new service, all that are filled in. */
function changesOf(draft: Draft, service: Service | undefined): ServiceChange {
  const before = draftOf(service, '');
  const changes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(draft) as [keyof Draft, string][]) {
    const text = value.trim();
    if (service === undefined ? text === '' : text === before[name].trim()) continue;
    if (name === 'hosts') changes.alternate_domains = text.split(/\s+/).filter(Boolean);
    else if (name === 'country') changes.country = text === '' ? null : text.toUpperCase();
    else if (name === 'coach') changes.coach = text === '' ? null : text === 'true';
    else changes[name] = text === '' && !['service_name', 'domain'].includes(name) ? null : text;
  }
  // `is_blocked` would otherwise outlive the category.
  if (changes.category !== undefined) changes.is_blocked = changes.category === 'blocked';
  return changes;
}

/** The server's error messages by field. */
function errorsOf(problem: Problem | undefined): Readonly<Partial<Record<keyof Draft, string>>> {
  if (!Array.isArray(problem?.details)) return {};
  const found = (problem.details as { field?: string; message?: string }[]).map(({ field = '', message }) => [
    field.startsWith('alternate_domains') ? 'hosts' : field,
    message && capitalized(message),
  ]);
  return Object.fromEntries(found);
}
