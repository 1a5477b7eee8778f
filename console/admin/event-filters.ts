/** Filters for events, kept in the address of the view. */

import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { Select, TextField, type TextFieldProps } from '../shared/field.ts';
import { html, useEffect, useId, useLayoutEffect, useState, type VNode } from '../shared/html.ts';
import { useTexts } from '../shared/preferences.ts';
import { localTime } from './format.ts';
import { type Labels, useLabels } from './labels.ts';
import { verdictTexts } from './verdict.ts';

const filterNames = ['subject', 'host', 'service', 'action', 'type', 'from', 'to'] as const;

/** The filters that are set. */
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

const texts = inBoth({
  filters: ['Filters', '絞り込み'],
  subject: ['User', 'ユーザー'],
  host: ['Host', 'ホスト'],
  service: ['Service', 'サービス'],
  action: ['Decision', '判定'],
  any: ['All', 'すべて'],
  type: ['Personal data', '個人情報'],
  from: ['From', '開始'],
  to: ['Until', '終了'],
  stopped: ['Blocked or not sent', 'ブロック・未送信'],
  apply: ['Filter', '絞り込む'],
  clear: ['Clear', '解除'],
});

export function filtersOf(query: URLSearchParams): Filters {
  return Object.fromEntries(filterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])));
}

type FilterFormProps = {
  readonly filters: Filters;
  readonly onApply: (filters: Filters) => void;
  readonly isLive: boolean;
};

/** The filter form, collapsed on narrow screens. */
export function FilterForm({ filters, onApply, isLive }: FilterFormProps): VNode {
  const words = useTexts(texts);
  const { actions } = useTexts(verdictTexts);
  const labels = useLabels();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft] = useState(filters);
  // The address can change (back, links). A layout effect, so that it does not undo early input.
  useLayoutEffect(() => setDraft(named(filters, labels)), [JSON.stringify(filters)]);
  // Service names may load later; keep input typed before.
  useLayoutEffect(() => setDraft((typed) => named(typed, labels)), [labels.isKnown]);
  const [isApplied, setApplied] = useState(false);
  // A service is sent as its key, which is not known before the names are.
  useEffect(() => {
    if (!isApplied || !labels.isKnown) return;
    setApplied(false);
    onApply(keyed(Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, value.trim()])), labels));
  }, [isApplied, labels.isKnown]);
  const set = (name: (typeof filterNames)[number]) => (value: string) =>
    setDraft(({ [name]: _before, ...rest }) => (value === '' ? rest : { ...rest, [name]: value }));
  const text = (name: 'subject' | 'host' | 'service', more: Partial<TextFieldProps> = {}) => html`<${TextField}
    label=${words[name]}
    value=${draft[name] ?? ''}
    onInput=${set(name)}
    ...${more}
  />`;
  const time = (name: 'from' | 'to') => html`<${TextField}
    label=${words[name]}
    type="datetime-local"
    value=${localTime(draft[name])}
    onInput=${(value: string) => set(name)(value === '' ? '' : new Date(value).toISOString())}
  />`;
  const { type } = draft;
  /** A label of the dictionary has no name of its own. */
  const ownType = type === undefined || labels.types.some(([known]) => known === type) ? [] : [[type, type]];
  const count = Object.keys(filters).length;
  return html`<form
    class=${isOpen ? 'card foldable open' : 'card foldable'}
    aria-label=${words.filters}
    onSubmit=${(event: Event) => {
      event.preventDefault();
      setOpen(false);
      setApplied(true);
    }}
  >
    <span class="fold"><${Button} kind="quiet" icon="search" controls=${id} isExpanded=${isOpen} onClick=${() => setOpen(!isOpen)}
      >${words.filters}${count > 0 && ` (${count})`}</${Button}></span>
    <div class="filters" id=${id}>
    ${text('subject')} ${text('host', { placeholder: 'api.example.com' })} ${text('service', { suggestions: labels.services })}
    <${Select}
      label=${words.action}
      value=${draft.action ?? ''}
      onChange=${set('action')}
      options=${[['', words.any], ...['allow', 'warn', 'block', 'none'].map((action) => [action, action === 'block' ? words.stopped : actions[action]])]}
    />
    <${Select}
      label=${words.type}
      value=${draft.type ?? ''}
      onChange=${set('type')}
      options=${[['', words.any], ...ownType, ...labels.types]}
    />
    ${!isLive && time('from')} ${!isLive && time('to')}
    <div class="row filter-buttons">
      <${Button} kind="primary" icon="search" submits>${words.apply}</${Button}>
      ${count > 0 && html`<${Button} kind="quiet" onClick=${() => onApply({})}>${words.clear}</${Button}>`}
    </div>
    </div>
  </form>`;
}

/** Converts the service from its key (sent) to its name (shown). */
function named(filters: Filters, labels: Labels): Filters {
  const { service } = filters;
  return service === undefined || !labels.isKnown ? filters : { ...filters, service: labels.service(service) };
}

function keyed(filters: Filters, labels: Labels): Filters {
  const { service } = filters;
  return service === undefined ? filters : { ...filters, service: labels.serviceKey(service) };
}
