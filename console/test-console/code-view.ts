/** The current call as programs to copy: curl, Node.js, Python, and a program that uses the proxy. */

import { inBoth } from '../../core/wording/in-both.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { CodeBlock, Note } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { Tabs } from '../shared/tabs.ts';
import { useAccess } from './access.ts';
import { curlSample, nodeSample, proxySample, pythonSample } from './code-samples.ts';

const texts = inBoth({
  languages: ['Programming language', 'プログラミング言語'],
  node: 'Node.js',
  proxy: ['Through the proxy', 'プロキシ経由'],
  key: [
    'Set your key in the environment first, and nowhere else: export PRIVET_KEY=…',
    '先に環境変数へキーを設定してください（ほかの場所には書かないでください）：export PRIVET_KEY=…',
  ],
  sandbox: ['This calls the sandbox, so it needs no key.', 'サンドボックスを呼び出すため、キーは不要です。'],
  proxyNote: [
    'The program does not change: the environment sends it through the gateway, which masks and restores. It needs an OpenAI key.',
    'プログラムは 1 行も変わりません。環境変数によってゲートウェイを通り、出ていく内容はマスクされ、戻る内容は復元されます。OpenAI のキーが必要です。',
  ],
  proxyAway: [
    'This gateway does not say where its proxy is. Ask your administrator for the address.',
    'プロキシのアドレスが分かりません。管理者にアドレスを確認してください。',
  ],
  run: {
    curl: ['Shell', 'シェル'],
    node: ['sample.mjs – run it with: node sample.mjs', 'sample.mjs – 実行：node sample.mjs'],
    python: ['sample.py – run it with: python3 sample.py', 'sample.py – 実行：python3 sample.py'],
    proxy: ['Shell', 'シェル'],
  },
});

const kinds = ['curl', 'node', 'python', 'proxy'] as const;
type Kind = (typeof kinds)[number];

export type CodeViewProps = {
  /** The path without /demo. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The prompt of the program that uses the proxy; without it, that program is not shown. */
  readonly prompt?: string;
};

export function CodeView({ path, body, prompt }: CodeViewProps): VNode {
  const words = useTexts(texts);
  const access = useAccess();
  const [kind, setKind] = useState<Kind>('curl');
  const call = {
    origin: location.origin,
    path: access.pathOf(path),
    body,
    ...(path === '/mask' ? { restorePath: access.pathOf('/restore') } : {}),
    needsKey: access.key !== undefined || !access.canCall(path),
  };
  const { proxy } = access.settings ?? {};
  const url = proxy ? `http://${hostOf(proxy.host)}:${proxy.port}` : undefined;
  const sample = {
    curl: () => curlSample(call),
    node: () => nodeSample(call),
    python: () => pythonSample(call),
    proxy: () => (url === undefined ? '' : proxySample({ url, prompt: prompt ?? '' })),
  }[kind]();
  const labels = { curl: 'curl', node: words.node, python: 'Python', proxy: words.proxy };
  const shown = kinds.filter((name) => name !== 'proxy' || prompt !== undefined);
  return html`<${Tabs}
    label=${words.languages}
    tabs=${shown.map((id) => ({ id, label: labels[id] }))}
    current=${kind}
    onSelect=${setKind}
  >
    <div class="stack">
      <${Note}><p>${kind === 'proxy' ? words.proxyNote : call.needsKey ? words.key : words.sandbox}</p></${Note}>
      ${
        sample === ''
          ? html`<${Note} tone="warn"><p>${words.proxyAway}</p></${Note}>`
          : html`<${CodeBlock} text=${sample} label=${words.run[kind]} />`
      }
    </div>
  </${Tabs}>`;
}

/** The proxy's host; if it listens on all addresses, the host name of this page. */
function hostOf(host: string | null): string {
  const name = host ?? location.hostname;
  return name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
}
