/** The registry of AI services: found, filtered, changed one by one or many at once, with undo. */
import { Button } from '../shared/button.ts';
import { Dialog } from '../shared/dialog.ts';
import { Checkbox, Select, TextField } from '../shared/field.ts';
import { html, useEffect, useMemo, useState, type VNode } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import { EmptyState } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { useTexts } from '../shared/preferences.ts';
import { ProblemNote } from '../shared/problem-note.ts';
import { goTo, useRoute } from '../shared/route.ts';
import { type Column, Table } from '../shared/table.ts';
import { useToast } from '../shared/toast.ts';
import {
  type BulkAnswer,
  type Category,
  categories,
  type Impact,
  type Service,
  type ServiceChange,
} from './answers.ts';
import { useFormat } from './format.ts';
import { ImpactNote } from './impact-note.ts';
import { Loaded, useLoad } from './load.ts';
import { ServiceDialog } from './service-dialog.ts';
import { emptyFilter, filtered, type ServiceFilter, valuesOf } from './service-filter.ts';
import { useApi } from './session.ts';
import { verdictTexts } from './verdict.ts';

const pageSize = 50;

const texts = {
  en: {
    title: 'Services',
    about: 'The AI services that the gateway knows, and what it does with each.',
    add: 'Add a service',
    search: 'Search',
    searchHint: 'Name, host, vendor or id',
    category: 'Category',
    kind: 'Kind',
    vendor: 'Vendor',
    country: 'Country',
    all: 'All',
    clear: 'Clear the filters',
    shown: (n: string, of: string) => `${n} of ${of} services`,
    name: 'Service',
    domain: 'Domain',
    select: (name: string) => `Select ${name}`,
    selectAll: 'Select all on this page',
    selected: (n: string) => `${n} selected`,
    selectFound: (n: string) => `Select all ${n} found`,
    none: 'Clear the selection',
    edit: 'Edit',
    editOf: (name: string) => `Edit ${name}`,
    categoryOf: (name: string) => `Category of ${name}`,
    set: (category: string) => `Set to ${category}`,
    remove: 'Delete',
    changed: (n: number, category: string) =>
      n === 1 ? `1 service is now ${category}` : `${n} services are now ${category}`,
    removed: (n: number) => (n === 1 ? '1 service was deleted' : `${n} services were deleted`),
    failed: (n: number, why: string) => `${n} could not be changed: ${why}`,
    undo: 'Undo',
    undone: 'Undone',
    bulkTitle: (n: number) => (n === 1 ? 'Change 1 service' : `Change ${n} services`),
    removeTitle: (n: number) => (n === 1 ? 'Delete 1 service' : `Delete ${n} services`),
    bulkAsk: (n: number, category: string) =>
      `${n} ${n === 1 ? 'service gets' : 'services get'} the category ${category}.`,
    removeAsk: 'Requests to them are then treated as to unknown hosts.',
    save: 'Change',
    cancel: 'Cancel',
    empty: 'No service meets the filters.',
    pages: 'Pages',
    before: 'Previous',
    next: 'Next',
    page: (n: number, of: number) => `Page ${n} of ${of}`,
    more: (n: number) => `and ${n} more ${n === 1 ? 'host' : 'hosts'}`,
  },
  ja: {
    title: 'サービス',
    about: 'ゲートウェイが把握している AI サービスと、それぞれの扱いです。',
    add: 'サービスを追加',
    search: '検索',
    searchHint: '名前、ホスト、提供元、ID',
    category: '区分',
    kind: '種類',
    vendor: '提供元',
    country: '国',
    all: 'すべて',
    clear: '絞り込みを解除',
    shown: (n: string, of: string) => `${of} 件中 ${n} 件`,
    name: 'サービス',
    domain: 'ドメイン',
    select: (name: string) => `${name} を選択`,
    selectAll: 'このページをすべて選択',
    selected: (n: string) => `${n} 件を選択中`,
    selectFound: (n: string) => `該当する ${n} 件をすべて選択`,
    none: '選択を解除',
    edit: '編集',
    editOf: (name: string) => `${name} を編集`,
    categoryOf: (name: string) => `${name} の区分`,
    set: (category: string) => `「${category}」にする`,
    remove: '削除',
    changed: (n: number, category: string) => `${n} 件のサービスを「${category}」にしました`,
    removed: (n: number) => `${n} 件のサービスを削除しました`,
    failed: (n: number, why: string) => `${n} 件は変更できませんでした: ${why}`,
    undo: '元に戻す',
    undone: '元に戻しました',
    bulkTitle: (n: number) => `${n} 件のサービスを変更`,
    removeTitle: (n: number) => `${n} 件のサービスを削除`,
    bulkAsk: (n: number, category: string) => `${n} 件のサービスの区分を「${category}」にします。`,
    removeAsk: '削除後のリクエストは、未登録ホスト宛てとして扱われます。',
    save: '変更する',
    cancel: 'キャンセル',
    empty: '条件に合うサービスはありません。',
    pages: 'ページ',
    before: '前へ',
    next: '次へ',
    page: (n: number, of: number) => `${n} / ${of} ページ`,
    more: (n: number) => `ほか ${n} ホスト`,
  },
};

type Plan = { readonly services: readonly Service[]; readonly change: { readonly category: Category } | null };

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
        onSaved=${() => {
          close();
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
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [page, setPage] = useState(0);
  const [plan, setPlan] = useState<Plan>();
  const api = useApi();
  const change = useChange(reload);
  useEffect(() => setFilter((before) => ({ ...before, text: first })), [first]);

  const found = useMemo(() => filtered(services, filter), [services, filter]);
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const at = Math.min(page, pages - 1);
  const rows = found.slice(at * pageSize, (at + 1) * pageSize);
  const chosen = useMemo(() => services.filter(({ id }) => selected.has(id)), [services, selected]);
  const narrow = (part: Partial<ServiceFilter>) => {
    setFilter({ ...filter, ...part });
    setPage(0);
  };
  const toggle = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(selected);
    for (const id of ids) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    setSelected(next);
  };
  const choices = (field: 'kind' | 'vendor' | 'country') => [
    ['', words.all],
    ...valuesOf(services, field).map((value) => [value, value]),
  ];

  /** At once where it changes nothing for anybody, else after a look at whom it concerns; both can be undone. */
  const changeOne = async (service: Service, category: Category) => {
    const wanted: Plan = { services: [service], change: { category } };
    const outcome = await api.post<Impact>('/admin/services/impact', { ids: [service.id], change: wanted.change });
    if (outcome.ok && outcome.body.changed.requests === 0) await change(wanted.services, wanted.change);
    else setPlan(wanted);
  };

  const columns: readonly Column<Service>[] = [
    {
      id: 'select',
      label: '',
      show: ({ id, service_name: name }) => html`<${PlainCheckbox}
        label=${words.select(name)}
        isChecked=${selected.has(id)}
        onChange=${(isOn: boolean) => toggle([id], isOn)}
      />`,
    },
    {
      id: 'name',
      label: words.name,
      show: ({ service_name: name }) => html`<strong class="service-name">${name}</strong>`,
    },
    {
      id: 'domain',
      label: words.domain,
      show: (service) =>
        html`<span class="mono">${service.domain}</span>${hostsBeside(service) > 0 && html` <span class="quiet-text">${words.more(hostsBeside(service))}</span>`}`,
    },
    { id: 'kind', label: words.kind, show: ({ kind }) => kind ?? '–' },
    { id: 'vendor', label: words.vendor, show: ({ vendor }) => vendor ?? '–' },
    { id: 'country', label: words.country, show: ({ country }) => country ?? '–' },
    {
      id: 'category',
      label: words.category,
      show: (service) => html`<span class="category-choice ${service.category}"><${Select}
        label=${words.categoryOf(service.service_name)}
        isLabelHidden
        value=${service.category}
        options=${categories.map((category) => [category, names[category]])}
        onChange=${(category: string) => void changeOne(service, category as Category)}
      /></span>`,
    },
    {
      id: 'edit',
      label: words.edit,
      isLabelHidden: true,
      show: (service) =>
        html`<${Button} isSmall kind="quiet" icon="edit" label=${words.editOf(service.service_name)} onClick=${() => onEdit(service)} />`,
    },
  ];

  return html`<section class="card filters">
      <${TextField} type="search" label=${words.search} placeholder=${words.searchHint} value=${filter.text} onInput=${(text: string) => narrow({ text })} />
      <${Select} label=${words.category} value=${filter.category} options=${[['', words.all], ...categories.map((one) => [one, names[one]])]} onChange=${(category: string) => narrow({ category })} />
      <${Select} label=${words.kind} value=${filter.kind} options=${choices('kind')} onChange=${(kind: string) => narrow({ kind })} />
      <${Select} label=${words.vendor} value=${filter.vendor} options=${choices('vendor')} onChange=${(vendor: string) => narrow({ vendor })} />
      <${Select} label=${words.country} value=${filter.country} options=${choices('country')} onChange=${(country: string) => narrow({ country })} />
    </section>
    <section class="card middle">
      <div class="row list-head">
        <${PlainCheckbox}
          label=${words.selectAll}
          isLabelShown
          isChecked=${rows.length > 0 && rows.every(({ id }) => selected.has(id))}
          onChange=${(isOn: boolean) =>
            toggle(
              rows.map(({ id }) => id),
              isOn,
            )}
        />
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
        keyOf=${({ id }: Service) => id}
        isChosen=${({ id }: Service) => selected.has(id)}
        empty=${html`<${EmptyState} icon="search" title=${words.empty} />`}
      />
      ${
        pages > 1 &&
        html`<nav class="row pager" aria-label=${words.pages}>
          <${Button} isDisabled=${at === 0} onClick=${() => setPage(at - 1)}>${words.before}</${Button}>
          <${Button} isDisabled=${at === pages - 1} onClick=${() => setPage(at + 1)}>${words.next}</${Button}>
          <span class="quiet-text number">${words.page(at + 1, pages)}</span>
        </nav>`
      }
    </section>
    ${
      chosen.length > 0 &&
      html`<section class="bulk-bar" aria-label=${words.selected(format.number(chosen.length))}>
        <strong class="number">${words.selected(format.number(chosen.length))}</strong>
        ${categories.map(
          (
            category,
          ) => html`<${Button} key=${category} isSmall onClick=${() => setPlan({ services: chosen, change: { category } })}>
            ${words.set(names[category] ?? category)}
          </${Button}>`,
        )}
        <${Button} isSmall kind="danger" onClick=${() => setPlan({ services: chosen, change: null })}>${words.remove}</${Button}>
        <${Button} isSmall kind="quiet" onClick=${() => setSelected(new Set())}>${words.none}</${Button}>
      </section>`
    }
    ${
      plan &&
      html`<${BulkDialog}
        plan=${plan}
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

type Change = (services: readonly Service[], change: Plan['change']) => Promise<Problem | undefined>;

/** Changes services, says so, and offers to undo it. */
function useChange(reload: () => Promise<void>): Change {
  const words = useTexts(texts);
  const { categories: names } = useTexts(verdictTexts);
  const api = useApi();
  const toast = useToast();
  const undo = async (before: BulkAnswer['changed']) => {
    const gone = before.filter(({ before }) => 'domain' in before);
    const others = before
      .filter(({ before }) => !('domain' in before))
      .map(({ id, before }) => ({ id, change: before }));
    const outcomes = await Promise.all([
      ...(others.length > 0 ? [api.post('/admin/services/bulk', { items: others })] : []),
      ...gone.map(({ before }) => api.post('/shadow-ai/services', withoutMarks(before))),
    ]);
    const wrong = outcomes.find((outcome) => !outcome.ok);
    toast(wrong === undefined || wrong.ok ? { text: words.undone } : { text: wrong.problem.message, tone: 'bad' });
    await reload();
  };
  return async (services, change) => {
    const outcome = await api.post<BulkAnswer>('/admin/services/bulk', { ids: services.map(({ id }) => id), change });
    if (!outcome.ok) {
      if (services.length === 1 && change !== null) toast({ text: outcome.problem.message || '–', tone: 'bad' });
      await reload();
      return outcome.problem;
    }
    const { changed, failed } = outcome.body;
    const [first] = failed;
    if (first !== undefined) toast({ text: words.failed(failed.length, first.error.message), tone: 'bad' });
    if (changed.length > 0) {
      toast({
        text:
          change === null ? words.removed(changed.length) : words.changed(changed.length, names[change.category] ?? ''),
        action: { label: words.undo, run: () => void undo(changed) },
      });
    }
    await reload();
    return undefined;
  };
}

/** A removed service as it can be added again: the gateway sets id and times itself. */
function withoutMarks({ id: _id, created_at: _made, updated_at: _changed, ...fields }: ServiceChange): ServiceChange {
  return fields;
}

type BulkDialogProps = {
  readonly plan: Plan;
  readonly change: Change;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function BulkDialog({ plan: { services, change: wanted }, change, onClose, onDone }: BulkDialogProps): VNode {
  const words = useTexts(texts);
  const { categories: names } = useTexts(verdictTexts);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const n = services.length;
  const submit = async () => {
    setBusy(true);
    const failed = await change(services, wanted);
    setBusy(false);
    if (failed === undefined) onDone();
    else setProblem(failed);
  };
  return html`<${Dialog}
    title=${wanted === null ? words.removeTitle(n) : words.bulkTitle(n)}
    onClose=${onClose}
    onSubmit=${() => void submit()}
    actions=${html`<${Button} onClick=${onClose}>${words.cancel}</${Button}>
      <${Button} kind=${wanted === null ? 'danger' : 'primary'} submits isBusy=${isBusy}>${wanted === null ? words.remove : words.save}</${Button}>`}
  >
    ${wanted === null ? html`<p>${words.removeAsk}</p>` : html`<p>${words.bulkAsk(n, names[wanted.category] ?? '')}</p>`}
    <p class="quiet-text">${services
      .slice(0, 12)
      .map(({ service_name: name }) => name)
      .join(', ')}${n > 12 ? ` … (+${n - 12})` : ''}</p>
    <${ImpactNote} wish=${{ ids: services.map(({ id }) => id), change: wanted }} />
    ${problem && html`<${ProblemNote} problem=${problem} onRetry=${() => void submit()} />`}
  </${Dialog}>`;
}

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
