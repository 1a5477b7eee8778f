/**
 * The origin of the benchmarks, in a separate process so that its work is not counted: a TLS server with chat answers and
 * event streams, a TCP echo server, and one that sends bulk data.
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';

const answer = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok '.repeat(290) } }],
  }),
);
const block = Buffer.alloc(262_144, 'x');

const server = https.createServer(
  { cert: readFileSync(process.env.ORIGIN_CERT as string), key: readFileSync(process.env.ORIGIN_KEY as string) },
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url?.startsWith('/timed')) return timedEvents(response, Number(request.url.split('=')[1] ?? 100));
      if (request.url?.startsWith('/sse')) {
        const query = new URL(request.url, 'https://x').searchParams;
        return events(response, Number(query.get('n') ?? 100), query.get('text') ?? ' word');
      }
      // Echo tokens, so that they are restored.
      const tokens =
        Buffer.concat(chunks)
          .toString('latin1')
          .match(/\[[A-Z_]+-\d+\]/g) ?? [];
      const body =
        tokens.length === 0
          ? answer
          : Buffer.from(
              JSON.stringify({
                id: 'chatcmpl-1',
                choices: [
                  { index: 0, message: { role: 'assistant', content: `${tokens.join(' ')} ${'ok '.repeat(250)}` } },
                ],
              }),
            );
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  },
);
server.keepAliveTimeout = 60_000;

function events(response: import('node:http').ServerResponse, count: number, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let sent = 0;
  const next = () => {
    if (sent === count) {
      response.end('data: [DONE]\n\n');
      return;
    }
    const chunk = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta: { content: `${text}${sent}` }, finish_reason: null }],
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    sent++;
    setImmediate(next);
  };
  next();
}

/** Events 2 ms apart with their send time, on the clock that all processes of a machine share. */
function timedEvents(response: import('node:http').ServerResponse, count: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let sent = 0;
  const timer = setInterval(() => {
    if (sent++ === count) {
      clearInterval(timer);
      response.end();
      return;
    }
    const delta = { content: ` word${sent}`, at: String(process.hrtime.bigint()) };
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
  }, 2);
}

const echo = net.createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {});
  socket.pipe(socket);
});

/** Sends the number of bytes given in the first line; a PUT is read without a response. */
const bulk = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', (data) => {
    if (data.toString('latin1', 0, 3) === 'PUT') {
      socket.on('data', (chunk) => {
        // About 200 MB/s, so that a fast sender has to wait.
        socket.pause();
        setTimeout(() => socket.resume(), chunk.length / 200_000);
      });
      socket.on('end', () => socket.end());
      return;
    }
    let left = Number(data.toString().trim());
    const send = () => {
      while (left > 0) {
        left -= block.length;
        if (!socket.write(block)) {
          socket.once('drain', send);
          return;
        }
      }
      socket.end();
    };
    send();
  });
});

const listen = (target: net.Server) =>
  new Promise<number>((resolve) =>
    target.listen(0, '127.0.0.1', () => resolve((target.address() as AddressInfo).port)),
  );

const plain = http.createServer({ keepAliveTimeout: 60_000 }, (_request, response) =>
  response.end(block.subarray(0, 1_024)),
);

const [tlsPort, echoPort, bulkPort] = [await listen(server), await listen(echo), await listen(bulk)];
const httpPort = await listen(plain);
process.stdout.write(`${JSON.stringify({ httpPort, tlsPort, echoPort, bulkPort })}\n`);
