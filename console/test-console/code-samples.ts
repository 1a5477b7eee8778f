/** Programs for the page's last action, tested by running them. They take the key from the environment. */

/** The call of a sample. */
export type SampleCall = {
  /** Origin of the API: `http://127.0.0.1:3001`. */
  readonly origin: string;
  /** `/mask` or `/demo/mask`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Path that restores a mask call's session: `/restore` or `/demo/restore`. */
  readonly restorePath?: string;
  readonly needsKey: boolean;
};

/** Address of the proxy: `http://127.0.0.1:3128`. */
export type SampleProxy = { readonly url: string; readonly prompt: string };

/** A shell command. The body is a here-document, so no text can end a quote. */
export function curlSample({ origin, path, body, needsKey }: SampleCall): string {
  return [
    `curl -sS ${origin}${path} \\`,
    ...(needsKey ? ['  -H "Authorization: Bearer $PRIVET_KEY" \\'] : []),
    "  -H 'Content-Type: application/json' \\",
    "  --data-binary @- <<'JSON'",
    jsonOf(body),
    'JSON',
  ].join('\n');
}

/** A module for Node 20 and later (`node sample.mjs`), also for browsers. */
export function nodeSample(call: SampleCall): string {
  const { origin, path, body, restorePath, needsKey } = call;
  return [
    'async function privet(path, body) {',
    `  const answer = await fetch('${origin}' + path, {`,
    "    method: 'POST',",
    '    headers: {',
    ...(needsKey ? ["      Authorization: 'Bearer ' + process.env.PRIVET_KEY,"] : []),
    "      'Content-Type': 'application/json',",
    '    },',
    '    body: JSON.stringify(body),',
    '  });',
    "  if (!answer.ok) throw new Error(answer.status + ' ' + (await answer.text()));",
    '  return answer.json();',
    '}',
    '',
    `const answer = await privet('${path}', ${jsonOf(body)});`,
    ...(restorePath === undefined
      ? ['console.log(answer);']
      : [
          'console.log(answer.masked);',
          '',
          '// Give answer.masked to a model; here its answer is the same text.',
          `const restored = await privet('${restorePath}', { text: answer.masked, sessionId: answer.sessionId });`,
          'console.log(restored.restored);',
        ]),
  ].join('\n');
}

/** A program for Python 3 with the package requests. */
export function pythonSample({ origin, path, body, restorePath, needsKey }: SampleCall): string {
  return [
    ...(needsKey ? ['import os', ''] : []),
    'import requests',
    '',
    'privet = requests.Session()',
    ...(needsKey ? ['privet.headers["Authorization"] = "Bearer " + os.environ["PRIVET_KEY"]'] : []),
    '',
    '',
    'def call(path, body):',
    `    answer = privet.post("${origin}" + path, json=body)`,
    '    answer.raise_for_status()',
    '    return answer.json()',
    '',
    '',
    `answer = call("${path}", ${pythonOf(body)})`,
    ...(restorePath === undefined
      ? ['print(answer)']
      : [
          'print(answer["masked"])',
          '',
          '# Give answer["masked"] to a model; here its answer is the same text.',
          `restored = call("${restorePath}", {"text": answer["masked"], "sessionId": answer["sessionId"]})`,
          'print(restored["restored"])',
        ]),
  ].join('\n');
}

/** A program without knowledge of the gateway, and the environment that routes it through. */
export function proxySample({ url, prompt }: SampleProxy): string {
  return [
    "cat > app.py <<'PYTHON'",
    'import os',
    '',
    'import requests',
    '',
    'answer = requests.post(',
    '    "https://api.openai.com/v1/chat/completions",',
    '    headers={"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},',
    '    json={',
    '        "model": "gpt-4o-mini",',
    `        "messages": [{"role": "user", "content": ${pythonOf(prompt)}}],`,
    '    },',
    ')',
    'answer.raise_for_status()',
    'print(answer.json()["choices"][0]["message"]["content"])',
    'PYTHON',
    '',
    `curl -sS -o privet-ca.pem ${url}/ca.pem`,
    `HTTPS_PROXY=${url} REQUESTS_CA_BUNDLE=privet-ca.pem python3 app.py`,
  ].join('\n');
}

/** JSON as program text; characters that end a JavaScript line or an HTML script are escaped. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[\u2028\u2029\u0085]/g, hex);
}

function hex(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A value in Python syntax. */
function pythonOf(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value === 'object') {
    const fields = Object.entries(value).map(([name, inner]) => `${pythonOf(name)}: ${pythonOf(inner)}`);
    return `{${fields.join(', ')}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value).replace(/[\u2028\u2029\u0085]/g, hex) : String(value);
}
