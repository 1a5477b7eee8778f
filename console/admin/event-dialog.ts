/** All fields of an event, the most important first. */

import { capitalized } from '../../core/wording/capitalized.ts';
import { inBoth, type Text } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { Dialog } from '../shared/dialog.ts';
import { html, type VNode } from '../shared/html.ts';
import { injectionTexts } from '../shared/injection-texts.ts';
import { LongName } from '../shared/long-name.ts';
import { useTexts } from '../shared/preferences.ts';
import { hrefOf } from '../shared/route.ts';
import { useSentences } from '../shared/sentences.ts';
import type { AuditEvent } from './answers.ts';
import { type Format, useFormat } from './format.ts';
import { type Labels, useLabels } from './labels.ts';
import { shownVerdict } from './shown-verdict.ts';
import { Verdict, verdictTexts } from './verdict.ts';

const texts = inBoth({
  title: ['Event', 'イベント'],
  close: ['Close', '閉じる'],
  explain: ['Why this decision?', '判定の理由'],
  yes: ['Yes', 'はい'],
  no: ['No', 'いいえ'],
  names: {
    ts: ['Time', '時刻'],
    requestId: ['Request ID', 'リクエスト ID'],
    subject: ['User', 'ユーザー'],
    agent: ['Program', 'プログラム'],
    mcpServers: ['MCP servers', 'MCP サーバー'],
    tools: ['Tools called', '呼び出したツール'],
    toolFindings: ['Findings in tools', 'ツールの検出結果'],
    injection: ['Prompt injection', 'プロンプトインジェクション'],
    clientAddress: ['Client address', 'IP アドレス'],
    kind: ['Kind', '種別'],
    host: ['Host', 'ホスト'],
    port: ['Port', 'ポート'],
    service: ['Service', 'サービス'],
    category: ['Category', '区分'],
    action: ['Decision', '判定'],
    inspect: ['Inspection', '検査'],
    rule: ['Rule', 'ルール'],
    reason: ['Reason', '理由'],
    method: ['Method', 'メソッド'],
    status: ['Status', 'ステータス'],
    bytesIn: ['Bytes from the client', 'クライアントからのバイト数'],
    bytesOut: ['Bytes to the client', 'クライアントへのバイト数'],
    durationMs: ['Duration (ms)', '所要時間（ms）'],
    intercepted: ['Decrypted', '復号'],
    piiTypes: ['Personal data', '個人情報'],
    masked: ['Values masked', 'マスクした値'],
    restored: ['Values restored', '復元した値'],
    unresolved: ['Tokens not restored', '復元できなかったトークン'],
    error: ['Error', 'エラー'],
    groups: ['Groups', 'グループ'],
    justification: ['Reason given by the user', 'ユーザーが入力した理由'],
    wouldAction: ['Report-only rule would have', '記録のみのルールによる判定'],
    wouldRule: ['Report-only rule', '記録のみのルール'],
  } as Record<string, Text>,
  kinds: {
    request: ['Request', 'リクエスト'],
    tunnel: ['Tunnel', 'トンネル'],
    websocket: 'WebSocket',
    connect: ['Connection', '接続'],
    acknowledgement: ['Confirmation by the user', 'ユーザーによる確認'],
    bypass: ['Bypass proposal', '検査除外の提案'],
  } as Record<string, Text>,
  places: {
    prompts: ['in the prompt', 'プロンプト'],
    tool_results: ['in a tool result', 'ツールの結果'],
    documents: ['in a document', '文書'],
  } as Record<string, Text>,
  answers: {
    report: ['reported', '記録'],
    warn: ['warned', '警告'],
    block: ['blocked', 'ブロック'],
    strip: ['removed', '除去'],
  } as Record<string, Text>,
  findings: {
    poisoned: ['instructs the model', 'モデルへの指示を含む'],
    invisible: ['contains hidden characters', '見えない文字を含む'],
    shadows: ['refers to another tool', 'ほかのツールに言及'],
    changed: ['differs from its pinned definition', '固定された定義と異なる'],
    added: ['new in a known set of tools', '既知のツール群への追加'],
    denied: ['denied', '拒否済み'],
    not_allowed: ['not allowed by a rule', 'ルールで禁止'],
    secret_in_call: ['secret in a call', '呼び出しに機密情報を含む'],
    token_in_call: ['token in a call', '呼び出しにトークンを含む'],
    elicitation: ['asks for a secret', '機密情報を要求'],
    unknown_server: ['unknown server', '未知のサーバー'],
  } as Record<string, Text>,
});

/** The decision of the policy, as the filter has it, and whether the request was sent; notes have no decision. */
export function EventVerdict({ event }: { readonly event: AuditEvent }): VNode {
  const { kind } = event;
  if (kind === 'bypass') return html`<${Verdict} action="noted" />`;
  if (kind === 'acknowledgement') return html`<${Verdict} action="confirmed" />`;
  return html`<${Verdict} ...${shownVerdict(event)} />`;
}

/** `E-mail address × 2, Telephone number` */
export function countsText(counts: AuditEvent['piiTypes'], format: Format, labels: Labels): string {
  const found = Object.entries(counts ?? {}).map(([type, count]) => {
    const name = labels.type(type).replaceAll('-', '\u2011');
    return count === 1 ? name : `${name} ×\u00a0${format.number(count)}`;
  });
  return found.length === 0 ? '–' : format.list(found);
}

/** The decision first, then the findings, then technical details. */
const order = [
  ...['ts', 'action', 'subject', 'groups', 'service', 'host', 'reason', 'rule', 'category', 'inspect', 'error'],
  ...['piiTypes', 'masked', 'restored', 'unresolved', 'injection', 'toolFindings', 'justification'],
  ...['wouldAction', 'wouldRule', 'agent', 'mcpServers', 'tools'],
  ...['status', 'method', 'kind', 'port', 'durationMs', 'bytesIn', 'bytesOut', 'intercepted', 'clientAddress'],
];

/** Fields that are hidden if zero. */
const isZeroNothing = new Set(['status', 'bytesIn', 'bytesOut', 'durationMs', 'unresolved']);
/** Fields that do not apply to a request that was not sent. */
const ofSent = new Set(['inspect', 'masked', 'restored']);

/** The fields of an event in order; the request id, needed only to search logs, comes last. */
function ordered(event: AuditEvent): [name: string, value: unknown][] {
  const rank = (name: string) => (name === 'requestId' ? 1_000 : order.includes(name) ? order.indexOf(name) : 500);
  return Object.entries(event)
    .filter(([name, value]) => {
      if (value === null || value === undefined || value === '') return false;
      if (event.action === 'block' && ofSent.has(name)) return false;
      if (event.inspect !== 'mask' && value === 0 && (name === 'masked' || name === 'restored')) return false;
      return !(Array.isArray(value) && value.length === 0) && !(value === 0 && isZeroNothing.has(name));
    })
    .sort(([a], [b]) => rank(a) - rank(b));
}

export function EventDialog({ event, onClose }: { readonly event: AuditEvent; readonly onClose: () => void }): VNode {
  const words = useTexts(texts);
  const verdicts = useTexts(verdictTexts);
  const injections = useTexts(injectionTexts);
  const { sentence, code, rule } = useSentences();
  const format = useFormat();
  const labels = useLabels();
  const shown = (name: string, value: unknown): unknown => {
    if (name === 'ts') return format.time(String(value));
    if (name === 'action') return html`<${EventVerdict} event=${event} />`;
    if (name === 'kind') return words.kinds[String(value)] ?? String(value);
    if (name === 'rule' || name === 'wouldRule') return rule(String(value));
    if (name === 'reason') return sentence(String(value));
    if (name === 'injection') {
      const { kind, risk, categories, answer } = value as NonNullable<AuditEvent['injection']>;
      const found = categories.map((category) => injections.categories[category]?.[0] ?? category);
      return [injections.risks[risk], format.list(found), words.places[kind], words.answers[answer]]
        .filter(Boolean)
        .join(' · ');
    }
    if (name === 'toolFindings') {
      return html`<ul>
        ${(value as NonNullable<AuditEvent['toolFindings']>).map(({ tool, kind, answer }, i) => {
          const facts = [tool, words.findings[kind] ?? kind, words.answers[answer] ?? answer];
          return html`<li key=${i}>${facts.join(' · ')}</li>`;
        })}
      </ul>`;
    }
    if (name === 'wouldAction') return html`<${Verdict} action=${String(value)} />`;
    if (name === 'piiTypes') return countsText(value as AuditEvent['piiTypes'], format, labels);
    if (name === 'service') return labels.service(String(value));
    if (name === 'category') return verdicts.categories[String(value)] ?? String(value);
    if (name === 'inspect') return capitalized(verdicts.inspects[String(value)] ?? String(value));
    if (name === 'intercepted') return value === true ? words.yes : words.no;
    if (Array.isArray(value)) return format.list(value);
    if (name === 'port' || name === 'status') return String(value);
    if (name === 'error') return code(String(value));
    return typeof value === 'number' ? format.number(value) : html`<span><${LongName} text=${String(value)} /></span>`;
  };
  return html`<${Dialog}
    title=${words.title}
    onClose=${onClose}
    actions=${html`<a
      class="button"
      href=${hrefOf('policy', { tab: 'explain', url: event.host ?? '', user: event.subject })}
      onClick=${onClose}
      >${words.explain}</a
      ><${Button} kind="primary" onClick=${onClose}>${words.close}</${Button}>`}
  >
    <dl class="facts wide">
      ${ordered(event).map(
        ([name, value]) =>
          html`<div key=${name}><dt>${words.names[name] ?? name}</dt><dd>${shown(name, value)}</dd></div>`,
      )}
    </dl>
  </${Dialog}>`;
}
