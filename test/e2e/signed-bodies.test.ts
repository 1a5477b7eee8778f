/**
 * Requests of the AWS SDKs to Bedrock: their signature covers the body, so it cannot be masked; requests with bearer
 * keys can.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { personal } from '../support/personal.ts';

const host = 'bedrock-runtime.us-east-1.amazonaws.com';
const url = `https://${host}/model/anthropic.claude-x/converse`;
const signed =
  'AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20260922/us-east-1/bedrock/aws4_request, SignedHeaders=content-type;host, Signature=0';
const body = JSON.stringify({ messages: [{ role: 'user', content: [{ text: `to ${personal.EMAIL}` }] }] });

const origin = await startOrigin({ names: [host], protocols: ['http/1.1'] });
const rule = { when: { hosts: [host] }, then: { action: 'allow', inspect: 'mask' } };
const gateway = await startGateway({ hosts: { [host]: origin } });
const proxied = proxiedFetch(gateway);
beforeEach(() => origin.reset());

describe.each([
  ['block', 403],
  ['allow', 200],
])('masking.uninspectable.signed: %s', (setting, status) => {
  beforeAll(() => gateway.configure({ policy: { rules: [rule] }, masking: { uninspectable: { signed: setting } } }));

  const send = (authorization: string, text = body) =>
    proxied.fetch(url, { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: text });

  test('a signed body with a finding', async () => {
    const answer = await send(signed);
    expect(answer.status).toBe(status);
    if (status === 200) expect(origin.requests[0]?.body.toString()).toBe(body);
    else {
      expect(origin.requests).toEqual([]);
      expect(await answer.text()).toContain('contains EMAIL and is signed (AWS Signature Version 4)');
    }
  });

  test('a signed body without a finding is unchanged', async () => {
    const plain = body.replace(personal.EMAIL, 'nobody');
    expect((await send(signed, plain)).status).toBe(200);
    expect(origin.requests[0]?.body.toString()).toBe(plain);
  });

  test('with a bearer key it is masked', async () => {
    expect((await send('Bearer bedrock-api-key-x')).status).toBe(200);
    const sent = origin.requests[0]?.body.toString().replace(/\[EMAIL-\d+\]/, '[EMAIL-1]');
    expect(sent).toBe(body.replace(personal.EMAIL, '[EMAIL-1]'));
  });
});
