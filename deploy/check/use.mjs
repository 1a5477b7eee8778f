/** Uses the gateway from inside its container: a plain request, a blocked one, and TLS under its own authority. */
import http from 'node:http';
import tls from 'node:tls';

const proxy = { host: '127.0.0.1', port: 3128 };
const origin = http.createServer((_request, response) => response.end('from the origin'));
await new Promise((resolve) => origin.listen(0, '127.0.0.1', resolve));
const target = `127.0.0.1:${origin.address().port}`;

const fetched = await ask({ path: `http://${target}/`, headers: { host: target } });
expect('a plain request is forwarded', fetched.status === 200 && fetched.text === 'from the origin');
const { status, text: ca } = await ask({ path: '/ca.pem' });
expect('the root certificate is served', status === 200 && ca.includes('-----BEGIN CERTIFICATE-----'));

const service = 'api.openai.com';
const tunnel = await new Promise((resolve, reject) =>
  http
    .request({ ...proxy, method: 'CONNECT', path: `${service}:443`, headers: { host: `${service}:443` } })
    .once('connect', (answer, socket) =>
      answer.statusCode === 200 ? resolve(socket) : reject(new Error(`CONNECT: ${answer.statusCode}`)),
    )
    .once('error', reject)
    .end(),
);
const secured = tls.connect({ socket: tunnel, servername: service, ca });
await new Promise((resolve, reject) => secured.once('secureConnect', resolve).once('error', reject));
expect(
  'a service is intercepted with it',
  secured.authorized && secured.getPeerCertificate().subjectaltname.includes(service),
);
secured.destroy();

const blocked = await ask({ path: 'http://deepseek.com/', headers: { host: 'deepseek.com' } });
expect('a blocked service is refused without a network', blocked.status === 403);
origin.close();
process.exit(process.exitCode ?? 0);

function ask(options) {
  return new Promise((resolve, reject) => {
    http
      .get({ ...proxy, agent: false, ...options }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        answer.once('end', () => resolve({ status: answer.statusCode, text }));
      })
      .once('error', reject);
  });
}

function expect(what, holds) {
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${what}`);
  if (!holds) process.exitCode = 1;
}
