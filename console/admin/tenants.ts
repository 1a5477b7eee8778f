/** API accounts: plan, members, usage of the month. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Tenant } from '../../gateway/api/routes/tenants.ts';
import { Button } from '../shared/button.ts';
import { Select, TextField } from '../shared/field.ts';
import { html, useMemo, useState, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { EmptyState } from '../shared/notes.ts';
import { usePages } from '../shared/pager.ts';
import { useTexts } from '../shared/preferences.ts';
import { hrefOf } from '../shared/route.ts';
import { useFormat } from './format.ts';
import { KeyDialog } from './key-dialog.ts';
import { Loaded, useLoad, useSend } from './load.ts';
import { planChoices, planTitle } from './plans.ts';
import { useApi } from './session.ts';

const texts = inBoth({
  empty: ['No accounts yet.', 'アカウントはまだありません。'],
  emptyHow: [
    'Programs that call the API need a key. The first key creates an account.',
    'API を呼び出すプログラムにはキーが必要です。最初のキーを作成すると、アカウントも作成されます。',
  ],
  nobody: ['Without members', 'メンバーなし'],
  add: ['New account with a key', 'アカウントとキーを作成'],
  search: ['Search', '検索'],
  searchHint: ['Account, member or plan', 'アカウント、メンバー、プラン'],
  notFound: ['No account matches.', '該当するアカウントはありません。'],
  notFoundHow: [
    'Shorten the search: it looks for names of accounts and members, and for plans.',
    '検索語を短くしてください。アカウント名、メンバー名、プラン名から探します。',
  ],
  member: ['Add a member', 'メンバーを追加'],
  plan: [(tenant: string) => `Plan of ${tenant}`, (tenant: string) => `${tenant} のプラン`],
  moved: [
    (tenant: string, plan: string) => `${tenant} is now on the ${plan} plan`,
    (tenant: string, plan: string) => `${tenant} のプランを ${plan} にしました`,
  ],
  members: [
    (n: string, seats: string) => `${n} of ${seats === '1' ? '1 member' : `${seats} members`}`,
    (n: string, seats: string) => `メンバー ${n} / ${seats} 人`,
  ],
  unlimited: [(n: string) => (n === '1' ? '1 member' : `${n} members`), (n: string) => `メンバー ${n} 人`],
  full: ['All seats are taken. A larger plan has more.', '空きがありません。追加するには上位のプランが必要です。'],
  noMembers: ['No live key.', '有効なキーがありません。'],
  used: [
    (used: string, limit: string) => `${used} of ${limit} credits used this month`,
    (used: string, limit: string) => `今月のクレジット ${used} / ${limit}`,
  ],
  usedFree: [
    (used: string) => `${used} credits used this month, no limit`,
    (used: string) => `今月のクレジット ${used}（上限なし）`,
  ],
  keys: ['Keys', 'キー'],
  admin: ['admin', '管理者'],
});

const pageSize = 30;

export function TenantList(): VNode {
  const words = useTexts(texts);
  const load = useLoad<{ readonly tenants: readonly Tenant[] }>('/admin/tenants');
  const [isAdding, setAdding] = useState<{
    readonly tenant?: string;
    readonly plan?: string;
    readonly account?: string;
  }>();
  const [text, setText] = useState('');
  const found = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    return (load.body?.tenants ?? []).filter(({ tenant, plan, members }) =>
      [tenant, plan, ...members.map(({ name }) => name)].some((value) => value.toLowerCase().includes(wanted)),
    );
  }, [load.body, text]);
  const { rows, pager } = usePages(found, pageSize);
  return html`<div class="stack">
    <div class="row end">
      <div class="grow narrow"><${TextField}
        type="search"
        label=${words.search}
        placeholder=${words.searchHint}
        value=${text}
        onInput=${setText}
      /></div>
      <${Button} kind="primary" icon="plus" onClick=${() => setAdding({})}>${words.add}</${Button}>
    </div>
    <${Loaded}
      load=${load}
      show=${() =>
        rows.length === 0
          ? html`<${EmptyState} icon="users" title=${text === '' ? words.empty : words.notFound}>
              <p>${text === '' ? words.emptyHow : words.notFoundHow}</p>
            </${EmptyState}>`
          : html`<div class="tenants">${rows.map(
              (tenant) => html`<${TenantCard}
                key=${tenant.tenant}
                tenant=${tenant}
                reload=${load.reload}
                onAdd=${setAdding}
              />`,
            )}</div>${pager}`}
    />
    ${
      isAdding &&
      html`<${KeyDialog}
        tenant=${isAdding.tenant}
        plan=${isAdding.plan}
        account=${isAdding.account}
        onClose=${() => {
          setAdding(undefined);
          void load.reload();
        }}
      />`
    }
  </div>`;
}

type TenantCardProps = {
  readonly tenant: Tenant;
  readonly reload: () => Promise<void>;
  readonly onAdd: (to: {
    readonly tenant: string;
    readonly plan: string;
    readonly account?: string | undefined;
  }) => void;
};

function TenantCard({ tenant: { tenant, plan, seats, members, usage }, reload, onAdd }: TenantCardProps): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const api = useApi();
  const send = useSend(reload);
  const title = members[0]?.name ?? words.nobody;
  const move = (plan: string) =>
    send(api.patch(`/admin/tenants/${encodeURIComponent(tenant)}`, { plan }), words.moved(title, planTitle(plan)));
  const used = format.number(usage.credits_used);
  const names = new Set(members.map(({ name }) => name)).size;
  const isFull = seats !== null && names >= seats;
  return html`<article class="card stack tight">
    <div class="row tenant-head">
      <div class="grow"><h2><${LongName} text=${title} /></h2><p class="quiet-text mono">${tenant}</p></div>
      <${Select}
        label=${words.plan(title)}
        isLabelHidden
        value=${plan}
        options=${planChoices}
        onChange=${(next: string) => void move(next)}
      />
    </div>
    <p>${usage.credits_limit === null ? words.usedFree(used) : words.used(used, format.number(usage.credits_limit))}</p>
    ${
      usage.credits_limit !== null &&
      html`<progress
        max=${usage.credits_limit}
        value=${Math.min(usage.credits_used, usage.credits_limit)}
        aria-label=${words.used(used, format.number(usage.credits_limit))}
      ></progress>`
    }
    <p class="quiet-text">
      ${
        seats === null
          ? words.unlimited(format.number(names))
          : words.members(format.number(names), format.number(seats))
      }${isFull && ` · ${words.full}`}
    </p>
    ${
      members.length === 0
        ? html`<p class="quiet-text">${words.noMembers}</p>`
        : html`<ul class="members">${members.map(
            ({ id, name, role }) => html`<li key=${id}>
            <${LongName} text=${name} />${role === 'admin' && html` <span class="quiet-text">(${words.admin})</span>`}
          </li>`,
          )}</ul>`
    }
    <div class="row">
      <${Button}
        isSmall
        icon="plus"
        isDisabled=${isFull}
        onClick=${() => onAdd({ tenant, plan, account: members[0]?.name })}
      >${words.member}</${Button}>
      <a href=${hrefOf('accounts', { tab: 'keys', tenant })}>${words.keys}</a>
    </div>
  </article>`;
}
