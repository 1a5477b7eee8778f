/** The registry of AI services: search, filters, single and bulk changes with undo. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Impact } from '../../gateway/api/services-impact.ts';
import type { Category, Service } from '../../policy/service.ts';
import { Button } from '../shared/button.ts';
import { Checkbox, Select, TextField } from '../shared/field.ts';
import { html, useEffect, useLayoutEffect, useMemo, useState, type VNode } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import { LongName } from '../shared/long-name.ts';
import { EmptyState } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { usePages } from '../shared/pager.ts';
import { useTexts } from '../shared/preferences.ts';
import { goTo, useRoute } from '../shared/route.ts';
import { Table } from '../shared/table.ts';
import { categories } from './answers.ts';
import { useFormat } from './format.ts';
import { useCountryNames, useLabels } from './labels.ts';
import { Loaded, useLoad } from './load.ts';
import { ChangeDialog, type Plan, useChange } from './service-change.ts';
import { ServiceDialog } from './service-dialog.ts';
import { useApi } from './session.ts';
import { columnsOf } from './table-card.ts';
import { verdictTexts } from './verdict.ts';

const pageSize = 50;

const texts = inBoth({
  title: ['Services', 'サービス'],
  about: [
    'The AI services in the registry, and what the gateway does with each.',
    'ゲートウェイが把握している AI サービスと、それぞれの扱いです。',
  ],
  add: ['Add a service', 'サービスを追加'],
  search: ['Search', '検索'],
  searchHint: ['Name or host', '名前、ホスト'],
  category: ['Category', '区分'],
  kind: ['Kind', '種類'],
  vendor: ['Vendor', '提供元'],
  country: ['Country', '国'],
  all: ['All', 'すべて'],
  clear: ['Clear the filters', '絞り込みを解除'],
  shown: [
    (n: string, of: string) => (n === of ? `${of} services` : `${n} of ${of} services`),
    (n: string, of: string) => (n === of ? `${of} 件` : `${of} 件中 ${n} 件`),
  ],
  name: ['Service', 'サービス'],
  domain: ['Domain', 'ドメイン'],
  select: [(name: string) => `Select ${name}`, (name: string) => `${name} を選択`],
  selection: ['Selection', '選択'],
  selectAll: ['Select all on this page', 'このページをすべて選択'],
  selected: [(n: string) => `${n} selected`, (n: string) => `${n} 件を選択中`],
  selectFound: [(n: string) => `Select all ${n} found`, (n: string) => `該当する ${n} 件をすべて選択`],
  none: ['Clear the selection', '選択を解除'],
  edit: ['Edit', '編集'],
  editOf: [(name: string) => `Edit ${name}`, (name: string) => `${name} を編集`],
  categoryOf: [(name: string) => `Category of ${name}`, (name: string) => `${name} の区分`],
  set: [(category: string) => `Set to ${category}`, (category: string) => `「${category}」にする`],
  remove: ['Delete', '削除'],
  empty: ['No service matches the filters.', '条件に合うサービスはありません。'],
  emptyHow: ['Clear a filter, or add the service.', '条件を減らすか、サービスを追加してください。'],
  more: [(n: number) => `and ${n} more ${n === 1 ? 'host' : 'hosts'}`, (n: number) => `ほか ${n} ホスト`],
});

export function ServicesView(): VNode {
  const words = useTexts(texts);
  const { query } = useRoute('services');
  const load = useLoad<{ readonly services: readonly Service[] }>('/shadow-ai/services');
  const [edited, setEdited] = useState<Service | 'new'>();
  const domain = query.get('add');
  useEffect(() => {
    if (domain !== null) setEdited('new');
  }, [domain]);
  const close = () => {
    setEdited(undefined);
    if (domain !== null) goTo('services');
  };
  return html`<${ViewHead} title=${words.title} about=${words.about}>
      <${Button} kind="primary" icon="plus" onClick=${() => setEdited('new')}>${words.add}</${Button}>
    </${ViewHead}>
    <${Loaded}
      load=${load}
      show=${({ services }: { services: readonly Service[] }) => html`<${ServiceList}
        services=${services}
        first=${query.get('q') ?? ''}
        onEdit=${setEdited}
        reload=${load.reload}
      />`}
    />
    ${
      edited !== undefined &&
      html`<${ServiceDialog}
        service=${edited === 'new' ? undefined : edited}
        domain=${domain ?? ''}
        onClose=${close}
        onSaved=${(name: string) => {
          close();
          if (edited === 'new') goTo('services', { q: name });
          void load.reload();
        }}
      />`
    }`;
}

type ServiceListProps = {
  readonly services: readonly Service[];
  readonly first: string;
  readonly onEdit: (service: Service) => void;
  readonly reload: () => Promise<void>;
};

function ServiceList({ services, first, onEdit, reload }: ServiceListProps): VNode {
  const words = useTexts(texts);
  const { categories: names } = useTexts(verdictTexts);
  const format = useFormat();
  const [filter, setFilter] = useState<ServiceFilter>({ ...emptyFilter, text: first });
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [plan, setPlan] = useState<Plan & { readonly problem?: Problem | undefined }>();
  const api = useApi();
  const change = useChange(reload);
  useLayoutEffect(() => setFilter((before) => ({ ...before, text: first })), [first]);

  const found = useMemo(() => filtered(services, filter), [services, filter]);
  const { rows, pager, show } = usePages(found, pageSize);
  const chosen = useMemo(() => services.filter(({ id }) => selected.has(id)), [services, selected]);
  const narrow = (part: Partial<ServiceFilter>) => {
    setFilter({ ...filter, ...part });
    show(0);
  };
  const toggle = (ids: readonly number[], isOn: boolean) => {
    const next = new Set(selected);
    for (const id of ids) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    setSelected(next);
  };
  const { kind: kindName } = useLabels();
  const countryName = useCountryNames();
  const inUse = (field: 'kind' | 'vendor' | 'country', nameOf = (value: string) => value) =>
    valuesOf(services, field)
      .map((value) => [value, nameOf(value)])
      .sort(([, a = ''], [, b = '']) => a.localeCompare(b));
  const choices = [
    ['category', categories.map((one) => [one, names[one]])],
    ['kind', inUse('kind', kindName)],
    ['vendor', inUse('vendor')],
    ['country', inUse('country', countryName)],
  ] as const;

  /** Applies immediately if no recorded request would change, else after a preview. Both can be undone. */
  const changeOne = async (service: Service, category: Category) => {
    const wanted: Plan = { services: [service], change: { category, is_blocked: category === 'blocked' } };
    const outcome = await api.post<Impact>(
      '/admin/services/impact',
      { ids: [service.id], change: wanted.change },
      { isReadOnly: true },
    );
    if (outcome.ok && outcome.body.changed.requests === 0) {
      const problem = await change(wanted.services, wanted.change);
      if (problem !== undefined) setPlan({ ...wanted, problem });
    } else setPlan(wanted);
  };

  const columns = columnsOf(words, {
    selection: {
      isLabelHidden: true,
      show: ({ id, service_name: name }: Service) => html`<${PlainCheckbox}
        label=${words.select(name)}
        isChecked=${selected.has(id)}
        onChange=${(isOn: boolean) => toggle([id], isOn)}
      />`,
    },
    name: ({ service_name: name }) => html`<strong class="service-name"><${LongName} text=${name} /></strong>`,
    domain: (service) =>
      html`<span class="mono"><${LongName} text=${service.domain} /></span>
        ${hostsBeside(service) > 0 && html` <span class="quiet-text when">${words.more(hostsBeside(service))}</span>`}`,
    kind: ({ kind }) => (kind === undefined ? '–' : kindName(kind)),
    vendor: ({ vendor }) => html`<${LongName} text=${vendor === undefined || vendor === 'unknown' ? '–' : vendor} />`,
    country: ({ country }) => (country === undefined ? '–' : countryName(country)),
    category: (service) => html`<span class="category-choice ${service.category}"><${Select}
      label=${words.categoryOf(service.service_name)}
      isLabelHidden
      value=${service.category}
      options=${categories.map((category) => [category, names[category]])}
      onChange=${(category: string) => void changeOne(service, category as Category)}
    /></span>`,
    edit: {
      isLabelHidden: true,
      show: (service) =>
        html`<${Button} isSmall kind="quiet" icon="edit" label=${words.editOf(service.service_name)} onClick=${() => onEdit(service)} />`,
    },
  });

  return html`<section class="card filters">
      <${TextField}
        type="search"
        label=${words.search}
        placeholder=${words.searchHint}
        value=${filter.text}
        onInput=${(text: string) => narrow({ text })}
      />
      ${choices.map(
        ([field, options]) => html`<${Select}
          key=${field}
          label=${words[field]}
          value=${filter[field]}
          options=${[['', words.all], ...options]}
          onChange=${(value: string) => narrow({ [field]: value })}
        />`,
      )}
    </section>
    <section class="card middle">
      <div class="row list-head">
        ${
          rows.length > 0 &&
          html`<${PlainCheckbox}
          label=${words.selectAll}
          isLabelShown
          isChecked=${rows.every(({ id }) => selected.has(id))}
          onChange=${(isOn: boolean) =>
            toggle(
              rows.map(({ id }) => id),
              isOn,
            )}
        />`
        }
        <span class="quiet-text number" role="status">${words.shown(format.number(found.length), format.number(services.length))}</span>
        ${
          Object.values(filter).some((value) => value !== '') &&
          html`<${Button} isSmall kind="quiet" onClick=${() => narrow(emptyFilter)}>${words.clear}</${Button}>`
        }
        ${
          selected.size > 0 &&
          found.length > rows.length &&
          html`<${Button} isSmall kind="quiet" onClick=${() =>
            toggle(
              found.map(({ id }) => id),
              true,
            )}>${words.selectFound(format.number(found.length))}</${Button}>`
        }
      </div>
      <${Table}
        caption=${words.title}
        columns=${columns}
        rows=${rows}
        keyOf=${({ key }: Service) => key}
        isChosen=${({ id }: Service) => selected.has(id)}
        empty=${html`<${EmptyState} icon="search" title=${words.empty}><p>${words.emptyHow}</p></${EmptyState}>`}
      />
      ${pager}
    </section>
    ${
      chosen.length > 0 &&
      html`<section class="bulk-bar" aria-label=${words.selected(format.number(chosen.length))}>
        <strong class="number">${words.selected(format.number(chosen.length))}</strong>
        ${categories.map(
          (category) => html`<${Button}
            key=${category}
            isSmall
            onClick=${() => setPlan({ services: chosen, change: { category, is_blocked: category === 'blocked' } })}
          >
            ${words.set(names[category] ?? category)}
          </${Button}>`,
        )}
        <${Button} isSmall kind="danger" onClick=${() => setPlan({ services: chosen, change: null })}>${words.remove}</${Button}>
        <${Button} isSmall kind="quiet" onClick=${() => setSelected(new Set())}>${words.none}</${Button}>
      </section>`
    }
    ${
      plan &&
      html`<${ChangeDialog}
        plan=${plan}
        problem=${plan.problem}
        change=${change}
        onClose=${() => setPlan(undefined)}
        onDone=${() => {
          setPlan(undefined);
          setSelected(new Set());
        }}
      />`
    }`;
}

const hostsBeside = ({ alternate_domains: more, host_patterns: patterns, url_prefixes: prefixes }: Service): number =>
  more.length + (patterns?.length ?? 0) + (prefixes?.length ?? 0);

function PlainCheckbox(props: {
  readonly label: string;
  readonly isLabelShown?: boolean;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}): VNode {
  if (props.isLabelShown) return html`<${Checkbox} ...${props} />`;
  return html`<input
    type="checkbox"
    class="row-check"
    aria-label=${props.label}
    checked=${props.isChecked}
    onChange=${(event: Event) => props.onChange((event.currentTarget as HTMLInputElement).checked)}
  />`;
}

/** Empty texts match everything. */
type ServiceFilter = {
  readonly text: string;
  readonly category: string;
  readonly kind: string;
  readonly vendor: string;
  readonly country: string;
};

const emptyFilter: ServiceFilter = { text: '', category: '', kind: '', vendor: '', country: '' };

/** The services that match every part of the filter, by name. Every word of the text must occur somewhere. */
function filtered(services: readonly Service[], filter: ServiceFilter): Service[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return services
    .filter(({ category, kind, vendor, country }) => {
      const { category: wanted } = filter;
      if (wanted !== '' && category !== wanted) return false;
      if (filter.kind !== '' && kind !== filter.kind) return false;
      return (
        (filter.vendor === '' || vendor === filter.vendor) && (filter.country === '' || country === filter.country)
      );
    })
    .filter((service) => {
      if (words.length === 0) return true;
      const text = textOf(service);
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => a.service_name.localeCompare(b.service_name));
}

function valuesOf(services: readonly Service[], field: 'kind' | 'vendor' | 'country'): string[] {
  const values = new Set(services.map((service) => service[field]));
  values.delete(undefined);
  return ([...values] as string[]).sort((a, b) => a.localeCompare(b));
}

function textOf({
  id,
  key,
  service_name: name,
  domain,
  alternate_domains: more,
  vendor = '',
  kind = '',
}: Service): string {
  return [id, key, name, domain, ...more, vendor, kind].join('\n').toLowerCase();
}
