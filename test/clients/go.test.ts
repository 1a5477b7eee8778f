/** A Go program that uses only `net/http`, with the proxy and the root certificate from its environment. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type Origin, startOrigin } from '../support/origin.ts';
import { leaksIn, personal, prompt } from '../support/personal.ts';
import { onPath } from '../support/programs.ts';
import { makeProvider, tokensIn } from '../support/provider.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const go = onPath('go');
const masked = 'api.openai.com';
const audited = 'api.perplexity.ai';
const say = (values: readonly string[]) => `I wrote to ${values.join(' and ')} – 承知しました.`;
const urlOf = (host: string) => `https://${host}/v1/chat/completions`;

describe.skipIf(go === undefined)(
  'a Go program; skipped where go (Debian package golang-go) is not on the PATH',
  () => {
    const folder = tempFolder('go');
    const program = join(folder, 'client');
    let origin: Origin;
    let gateway: Gateway;

    beforeAll(async () => {
      origin = await startOrigin({ names: [masked, audited], handler: makeProvider({ say, deltaLength: 3 }).handler });
      gateway = await startGateway({
        hosts: { [masked]: origin, [audited]: origin },
        config: {
          policy: {
            bypass_learning: { mode: 'auto', failures: 3 },
            rules: [{ name: 'audited', when: { hosts: [audited] }, then: { action: 'allow', inspect: 'audit' } }],
          },
        },
      });
      const env = { GO111MODULE: 'off', CGO_ENABLED: '0', GOTOOLCHAIN: 'local', HOME: homedir() };
      const source = resolve(import.meta.dirname, 'client.go');
      const built = await run(go ?? '', ['build', '-o', program, source], { env });
      expect([built.code, built.stderr]).toEqual([0, '']);
    });

    async function client(args: readonly string[], trusted = gateway.caFile): Promise<string> {
      const env = { HTTPS_PROXY: gateway.proxyUrl, SSL_CERT_FILE: trusted, SSL_CERT_DIR: folder };
      const { text, stderr } = await run(program, args, { env });
      expect(stderr).toBe('');
      return text;
    }

    const rejects = async () => {
      const metrics = await (await fetch(`${gateway.apiUrl}/metrics`)).text();
      return Number(/^privet_tls_client_rejects_total (.*)$/m.exec(metrics)?.[1]);
    };

    test.each(['chat', 'stream'])('%s: the origin gets tokens, the program the values', async (way) => {
      origin.reset();
      const text = await client([way, urlOf(masked), prompt]);
      expect(leaksIn(origin.everything())).toEqual([]);
      expect(tokensIn(origin.requests[0]?.body.toString() ?? '')).toHaveLength(Object.keys(personal).length);
      expect(text).toBe(say(Object.values(personal)));
    });

    test.each([
      ['h2', /^60 of 60\n$/],
      ['http1', /^60 of 60\n$/],
      ['cancel', /^\d+ of 60\n$/],
    ])(
      '%s: connections dialled in parallel and then closed do not count as rejections of the certificate',
      async (way, expected) => {
        for (const host of [masked, audited])
          expect(await client([way, urlOf(host), `to ${personal.EMAIL}`])).toMatch(expected);
        expect(await rejects()).toBe(0);
        const { decision } = (await (await gateway.api(`/admin/explain?url=https://${audited}/`)).json()) as {
          decision: object;
        };
        expect(decision).toMatchObject({ inspect: 'audit', rule: 'audited' });
      },
    );

    test('without the root it rejects the certificate, and that is counted', async () => {
      const text = await client(['chat', urlOf(audited), 'hi'], join(folder, 'no-such-file'));
      expect(text).toMatch(/x509: certificate signed by unknown authority/);
      await expect.poll(rejects).toBe(1);
    });
  },
);
