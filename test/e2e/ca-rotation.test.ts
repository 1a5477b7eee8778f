/** The root of a running gateway is replaced while real clients use it: with the old root, the new one, and both. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { certificatesOf } from '../../certs/formats.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { onPath } from '../support/programs.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const origin = await startOrigin({ names: ['chatgpt.com'] });
const gateway = await startGateway({ hosts: { 'chatgpt.com': origin } });

const works = async (caFile: string) => {
  const args = ['-s', '-m', '10', '--proxy', gateway.proxyUrl, '--cacert', caFile, 'https://chatgpt.com/'];
  return (await run('curl', args)).code === 0;
};
const getter = `
import java.net.*;
public class Get {
  public static void main(String[] args) throws Exception {
    System.out.println(((HttpURLConnection) new URL("https://chatgpt.com/").openConnection()).getResponseCode());
  }
}
`;

/** What Java reports when it trusts this root and checks revocation lists, as PKIX does in companies. */
async function javaWith(caFile: string): Promise<string> {
  const own = tempFolder('java');
  writeFileSync(join(own, 'Get.java'), getter);
  const keys = join(own, 'trust.p12');
  const store = ['-keystore', keys, '-storepass', 'changeit'];
  await run('keytool', ['-importcert', '-noprompt', '-alias', 'root', '-file', caFile, ...store]);
  const settings = {
    'https.proxyHost': '127.0.0.1',
    'https.proxyPort': gateway.proxyPort,
    'javax.net.ssl.trustStore': keys,
    'javax.net.ssl.trustStorePassword': 'changeit',
    'com.sun.net.ssl.checkRevocation': true,
    'com.sun.security.enableCRLDP': true,
  };
  const args = Object.entries(settings).map(([name, value]) => `-D${name}=${value}`);
  const { text, stderr } = await run('java', [...args, join(own, 'Get.java')]);
  return text.trim() || stderr.slice(0, 400);
}

const published = async () => certificatesOf(await (await fetch(`${gateway.proxyUrl}/ca.pem`)).text());
const rotate = async (activateAt: Date) => {
  const body = JSON.stringify({ activate_at: activateAt.toISOString() });
  return gateway.api('/admin/ca/rotate', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
};

const folder = tempFolder('roots');
const oldFile = join(folder, 'old.pem');
const newFile = join(folder, 'new.pem');

test('a time in the past is refused, and nothing takes over', async () => {
  const answer = await rotate(new Date(Date.now() - 365 * 86_400_000));
  expect({ status: answer.status, text: await answer.text() }).toEqual({
    status: 422,
    text: expect.stringContaining('activate_at is in the past'),
  });
  expect(await published()).toHaveLength(1);
});

test('clients with either root work before, during and after the rotation', async () => {
  writeFileSync(oldFile, (await published())[0] ?? '');
  expect((await rotate(new Date(Date.now() + 86_400_000))).status).toBe(200);
  const both = await published();
  expect(both).toHaveLength(2);
  writeFileSync(newFile, both[1] ?? '');
  expect(await works(oldFile)).toBe(true);
  expect(await works(newFile)).toBe(false);

  await rotate(new Date());
  await gateway.event(({ event }) => event === 'ca_rotated' || event === 'ca_rotation');
  await expect.poll(() => works(newFile)).toBe(true);
  expect(await works(oldFile)).toBe(true);
  expect(await published()).toEqual([both[1]]);
  const { root, next } = (await (await gateway.api('/admin/ca')).json()) as { root: object; next: null };
  expect(next).toBeNull();
  expect(root).toMatchObject({ subject: expect.stringMatching(/^Privet root CA [0-9a-f]{8}$/) });
});

// The new root is also signed by the old one, and that certificate names a list of its own.
test.skipIf(onPath('java') === undefined)('Java that checks revocation lists works with either root', async () => {
  expect([await javaWith(oldFile), await javaWith(newFile)]).toEqual(['200', '200']);
});
