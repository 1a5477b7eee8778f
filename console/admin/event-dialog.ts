/** All fields of an event, the most important first. */
import { Button } from '../shared/button.ts';
import { Dialog } from '../shared/dialog.ts';
import { html, type VNode } from '../shared/html.ts';
import { injectionTexts } from '../shared/injection-texts.ts';
import { LongName } from '../shared/long-name.ts';
import { useTexts } from '../shared/preferences.ts';
import { hrefOf } from '../shared/route.ts';
import { useSentences } from '../shared/sentences.ts';
import type { AuditEvent } from './answers.ts';
import { capitalized, type Format, useFormat } from './format.ts';
import { type Labels, useLabels } from './labels.ts';
import { Verdict, verdictTexts } from './verdict.ts';

const texts = {
  en: {
    title: 'Event',
    close: 'Close',
    explain: 'Why this decision?',
    yes: 'Yes',
    no: 'No',
    names: {
      ts: 'Time',
      requestId: 'Request ID',
      subject: 'User',
      agent: 'Program',
      mcpServers: 'MCP servers',
      tools: 'Tools called',
      toolFindings: 'Findings in tools',
      injection: 'Prompt injection',
      clientAddress: 'Client address',
      kind: 'Kind',
      host: 'Host',
      port: 'Port',
      service: 'Service',
      category: 'Category',
      action: 'Decision',
      inspect: 'Inspection',
      rule: 'Rule',
      reason: 'Reason',
      method: 'Method',
      status: 'Status',
      bytesIn: 'Bytes from the client',
      bytesOut: 'Bytes to the client',
      durationMs: 'Duration (ms)',
      intercepted: 'Decrypted',
      piiTypes: 'Personal data',
      masked: 'Values masked',
      restored: 'Values restored',
      unresolved: 'Tokens not restored',
      error: 'Error',
      groups: 'Groups',
      justification: 'Reason given by the user',
      wouldAction: 'Report-only rule would have',
      wouldRule: 'Report-only rule',
    } as Record<string, string>,
    kinds: {
      request: 'Request',
      tunnel: 'Tunnel',
      websocket: 'WebSocket',
      connect: 'Connection',
      acknowledgement: 'Confirmation by the user',
      bypass: 'Bypass proposal',
    } as Record<string, string>,
    places: {
      prompts: 'in the prompt',
      tool_results: 'in a tool result',
      documents: 'in a document',
    } as Record<string, string>,
    answers: { report: 'reported', warn: 'warned', block: 'blocked', strip: 'removed' } as Record<string, string>,
    findings: {
      poisoned: 'instructs the model',
      invisible: 'contains hidden characters',
      shadows: 'refers to another tool',
      changed: 'differs from its pinned definition',
      added: 'new in a known set of tools',
      denied: 'denied',
      not_allowed: 'not allowed by a rule',
      secret_in_call: 'secret in a call',
      token_in_call: 'token in a call',
      elicitation: 'asks for a secret',
      unknown_server: 'unknown server',
    } as Record<string, string>,
  },
  ja: {
    title: 'イベント',
    close: '閉じる',
    explain: '判定の理由',
    yes: 'はい',
    no: 'いいえ',
    names: {
      ts: '時刻',
      requestId: 'リクエスト ID',
      subject: 'ユーザー',
      agent: 'プログラム',
      mcpServers: 'MCP サーバー',
      tools: '呼び出したツール',
      toolFindings: 'ツールの検出結果',
      injection: 'プロンプトインジェクション',
      clientAddress: 'IP アドレス',
      host: 'ホスト',
      port: 'ポート',
      service: 'サービス',
      category: '区分',
      action: '判定',
      inspect: '検査',
      rule: 'ルール',
      reason: '理由',
      method: 'メソッド',
      status: 'ステータス',
      kind: '種別',
      bytesIn: 'クライアントからのバイト数',
      bytesOut: 'クライアントへのバイト数',
      unresolved: '復元できなかったトークン',
      durationMs: '所要時間（ms）',
      intercepted: '復号',
      piiTypes: '個人情報',
      masked: 'マスクした値',
      restored: '復元した値',
      error: 'エラー',
      groups: 'グループ',
      justification: 'ユーザーが入力した理由',
      wouldAction: '記録のみのルールによる判定',
      wouldRule: '記録のみのルール',
    } as Record<string, string>,
    kinds: {
      request: 'リクエスト',
      tunnel: 'トンネル',
      websocket: 'WebSocket',
      connect: '接続',
      acknowledgement: 'ユーザーによる確認',
      bypass: '検査除外の提案',
    } as Record<string, string>,
    places: {
      prompts: 'プロンプト',
      tool_results: 'ツールの結果',
      documents: '文書',
    } as Record<string, string>,
    answers: { report: '記録', warn: '警告', block: 'ブロック', strip: '除去' } as Record<string, string>,
    findings: {
      poisoned: 'モデルへの指示を含む',
      invisible: '見えない文字を含む',
      shadows: '他のツールに言及',
      changed: '固定された定義と異なる',
      added: '既知のツール群への追加',
      denied: '拒否済み',
      not_allowed: 'ルールで禁止',
      secret_in_call: '呼び出しに機密情報を含む',
      token_in_call: '呼び出しにトークンを含む',
      elicitation: '機密情報を要求',
      unknown_server: '未知のサーバー',
    } as Record<string, string>,
  },
};

/** The gateway's action. An allowed request that could not be sent was rejected; notes are neither. */
export function actionOf({ action, kind, error, status = 0 }: AuditEvent): string {
  if (kind === 'bypass') return 'noted';
  if (kind === 'acknowledgement') return 'confirmed';
  return error !== undefined && status >= 400 && status < 500 && action !== 'block' ? 'none' : action;
}

/** `E-mail address × 2, Telephone number` */
export function countsText(counts: AuditEvent['piiTypes'], format: Format, labels: Labels): string {
  const found = Object.entries(counts ?? {}).map(([type, count]) =>
    count === 1 ? labels.type(type) : `${labels.type(type)} ×\u00a0${format.number(count)}`,
  );
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
    if (name === 'action') return html`<${Verdict} action=${actionOf(event)} />`;
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
