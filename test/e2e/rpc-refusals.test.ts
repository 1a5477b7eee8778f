/**
 * What a client of gRPC, gRPC-Web or Connect shows when the gateway refuses its call: the reason, in its own protocol.
 */
import { create, createFileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, file_google_protobuf_wrappers } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { personal } from '../support/personal.ts';
import { openTls } from '../support/tunnel.ts';

const masked = 'rpc.masked.example';
const blocked = 'rpc.blocked.example';
const down = 'rpc.down.example';

const registry = createFileRegistry(
  create(FileDescriptorProtoSchema, {
    name: 'ask.proto',
    package: 'test',
    syntax: 'proto3',
    dependency: ['google/protobuf/wrappers.proto'],
    service: [
      {
        name: 'Assistant',
        method: ['Ask', 'Stream'].map((name) => ({
          name,
          inputType: '.google.protobuf.StringValue',
          outputType: '.google.protobuf.StringValue',
          serverStreaming: name === 'Stream',
          options: { idempotencyLevel: name === 'Ask' ? 1 : 0 },
        })),
      },
    ],
  }),
  () => file_google_protobuf_wrappers.proto,
);
const service = registry.getService('test.Assistant');
if (service === undefined) throw new Error('no service');
type Assistant = {
  ask(request: { value: string }): Promise<{ value: string }>;
  stream(request: { value: string }): AsyncIterable<{ value: string }>;
};

const rule = (host: string, result: object, when = {}): object => ({ when: { hosts: [host], ...when }, then: result });

const origin = await startOrigin({ names: [masked, blocked] });
const gateway = await startGateway({
  hosts: { [masked]: origin, [blocked]: origin, [down]: '127.0.0.1:9' },
  config: {
    masking: { max_body: '64KiB' },
    policy: {
      rules: [
        rule(masked, { inspect: 'mask', types: { EMAIL: 'block' } }),
        rule(blocked, { action: 'block' }, { methods: ['POST'] }),
        rule(blocked, { inspect: 'audit' }),
        rule(down, { inspect: 'audit' }),
      ],
    },
  },
});

type TransportKind = 'gRPC' | 'gRPC-Web' | 'Connect JSON' | 'Connect binary' | 'Connect by GET';

/** A transport of connect-node over HTTP/2 in a tunnel of the gateway. */
async function transportTo(kind: TransportKind, host: string): Promise<Transport> {
  const socket = await openTls(gateway, `${host}:443`, { protocols: ['h2'] });
  onTestFinished(() => void socket.destroy());
  const nodeOptions = { createConnection: () => socket };
  const common = { baseUrl: `https://${host}`, httpVersion: '2', nodeOptions } as const;
  if (kind === 'gRPC') return createGrpcTransport(common);
  if (kind === 'gRPC-Web') return createGrpcWebTransport(common);
  return createConnectTransport({
    ...common,
    useBinaryFormat: kind === 'Connect binary',
    useHttpGet: kind === 'Connect by GET',
  });
}

async function failureOf(call: Promise<unknown>): Promise<ConnectError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConnectError);
  return error as ConnectError;
}

async function stream(client: Assistant, value: string): Promise<void> {
  for await (const _part of client.stream({ value })) break;
}

const unread = 'messages of gRPC, Connect and event streams are not sent to this service';
const calls: [
  kind: TransportKind,
  method: 'ask' | 'stream',
  host: string,
  value: string,
  code: Code,
  message: string,
][] = [
  ['gRPC', 'ask', masked, 'hello', Code.PermissionDenied, unread],
  ['gRPC', 'stream', masked, 'hello', Code.PermissionDenied, unread],
  ['gRPC-Web', 'ask', masked, 'hello', Code.PermissionDenied, unread],
  ['gRPC-Web', 'stream', masked, 'hello', Code.PermissionDenied, unread],
  ['Connect JSON', 'stream', masked, 'hello', Code.PermissionDenied, unread],
  ['Connect binary', 'stream', masked, 'hello', Code.PermissionDenied, unread],
  ['Connect binary', 'ask', masked, '\u0000\u0001', Code.PermissionDenied, 'Step inspect'],
  ['Connect JSON', 'ask', masked, personal.EMAIL, Code.PermissionDenied, 'EMAIL'],
  ['Connect by GET', 'ask', masked, personal.EMAIL, Code.PermissionDenied, 'EMAIL'],
  ['Connect JSON', 'ask', masked, 'x'.repeat(70_000), Code.ResourceExhausted, 'body'],
  ...(['gRPC', 'gRPC-Web', 'Connect JSON', 'Connect binary'] as const).flatMap((kind): typeof calls => [
    [kind, 'ask', blocked, 'hello', Code.PermissionDenied, 'rule'],
    [kind, 'stream', blocked, 'hello', Code.PermissionDenied, 'rule'],
    [kind, 'ask', down, 'hello', Code.Unavailable, 'refused the connection'],
    [kind, 'stream', down, 'hello', Code.Unavailable, 'refused the connection'],
  ]),
];

test.each(calls)('%s %s to %s', async (kind, method, host, value, code, message) => {
  const client = createClient(service, await transportTo(kind, host)) as unknown as Assistant;
  const error = await failureOf(method === 'ask' ? client.ask({ value }) : stream(client, value));
  expect([Code[error.code], error.rawMessage]).toEqual([Code[code], expect.stringContaining(message)]);
  expect(error.rawMessage).toMatch(/^Privet: /);
  expect(error.metadata.get('x-request-id')).toMatch(/./);
  expect(origin.requests).toEqual([]);
});

test.each([
  [masked, status.PERMISSION_DENIED, unread],
  [blocked, status.PERMISSION_DENIED, 'rule'],
  [down, status.UNAVAILABLE, 'refused the connection'],
])('grpc-js to %s', async (host, code, message) => {
  const before = process.env.grpc_proxy;
  process.env.grpc_proxy = gateway.proxyUrl;
  const client = new Client(`${host}:443`, credentials.createSsl(Buffer.from(gateway.ca)));
  onTestFinished(() => {
    client.close();
    if (before === undefined) delete process.env.grpc_proxy;
    else process.env.grpc_proxy = before;
  });
  const same = (bytes: Buffer): Buffer => bytes;
  const error = await new Promise<ServiceError | null>((resolve) => {
    const bytes = Buffer.from('\n\x05hello');
    client.makeUnaryRequest('/test.Assistant/Ask', same, same, bytes, new Metadata(), {}, resolve);
  });
  expect([error?.code, error?.details]).toEqual([code, expect.stringContaining(message)]);
});
