import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readAcks, readClientOptions, readCompression, readOffsetReset } from './clientOptions.ts';
import { lz4, snappy, zstd } from './codecs.ts';
import { kafkaFamily } from './index.ts';
import { untilLoaded } from './messageSource.ts';
import { openRegistry } from './registry.ts';
import { deserialize, type SerdeType, serialize } from './serdes.ts';

const servers = { 'bootstrap.servers': 'a:9092, PLAINTEXT://b:9093' };

describe('properties of the Kafka client', () => {
  test('become options', () => {
    expect(readClientOptions(servers)).toEqual({
      brokers: ['a:9092', 'b:9093'],
      clientId: 'millrace',
      secrets: [],
    });
    const login =
      'org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="p\\"w";';
    expect(
      readClientOptions({
        ...servers,
        'security.protocol': 'SASL_SSL',
        'sasl.mechanism': 'SCRAM-SHA-512',
        'sasl.jaas.config': login,
        'ssl.truststore.certificates': '-----BEGIN CERTIFICATE-----',
        'ssl.endpoint.identification.algorithm': '',
      }),
    ).toMatchObject({
      sasl: { mechanism: 'scram-sha-512', username: 'u', password: 'p"w' },
      secrets: ['p"w'],
      tls: { ca: '-----BEGIN CERTIFICATE-----', checkServerIdentity: expect.any(Function) },
    });
    expect([readAcks({}), readAcks({ acks: '1' }), readCompression({}), readOffsetReset({})]).toEqual([
      -1,
      1,
      'none',
      'latest',
    ]);
  });

  test('that are wrong are named', () => {
    expect(() => readClientOptions({})).toThrow('"bootstrap.servers"');
    expect(() => readClientOptions({ ...servers, 'security.protocol': 'TLS' })).toThrow(
      '"security.protocol"',
    );
    const sasl = { ...servers, 'security.protocol': 'SASL_PLAINTEXT' };
    expect(() => readClientOptions({ ...sasl, 'sasl.mechanism': 'GSSAPI' })).toThrow('"sasl.mechanism"');
    expect(() => readClientOptions({ ...sasl, 'sasl.mechanism': 'PLAIN' })).toThrow('username="…"');
    const jks = Buffer.from('feedfeed00000002', 'hex').toString('base64');
    const ssl = { ...servers, 'security.protocol': 'SSL' };
    expect(() => readClientOptions({ ...ssl, 'ssl.truststore.location': jks })).toThrow('PEM');
    expect(() => readClientOptions({ ...ssl, 'ssl.keystore.location': jks })).toThrow('JKS');
    expect(() => readCompression({ 'compression.type': 'zip' })).toThrow('"compression.type"');
  });
});

test('values are written and read as the serializers of Kafka do', async () => {
  const there = async (value: unknown, type: SerdeType) => {
    const bytes = await serialize(value, type, { subject: 's' });
    return [bytes?.toString('hex'), await deserialize(bytes, type, undefined)];
  };
  expect(await there('é', 'STRING')).toEqual(['c3a9', 'é']);
  expect(await there({ a: 1 }, 'JSON')).toEqual(['7b2261223a317d', { a: 1 }]);
  expect(await there(1, 'INTEGER')).toEqual(['00000001', 1]);
  expect(await there('-2', 'SHORT')).toEqual(['fffe', -2]);
  expect(await there(9_007_199_254_740_993n, 'LONG')).toEqual(['0020000000000001', 9_007_199_254_740_993n]);
  expect(await there(1.5, 'DOUBLE')).toEqual(['3ff8000000000000', 1.5]);
  expect(await there(1.5, 'FLOAT')).toEqual(['3fc00000', 1.5]);
  expect(await there(Buffer.from('ff', 'hex'), 'BYTES')).toEqual(['ff', new Uint8Array([255])]);
  expect(await there('x', 'VOID')).toEqual([undefined, null]);
  expect(await there(null, 'STRING')).toEqual([undefined, null]);
  await expect(there('x', 'INTEGER')).rejects.toThrow('"x" is not a INTEGER');
  await expect(deserialize(Buffer.from('{'), 'JSON', undefined)).rejects.toThrow('cannot be read as JSON');
  await expect(there({}, 'AVRO')).rejects.toThrow('schema registry');
});

test('compressed messages of every kind are read', async () => {
  const text = Buffer.from('a message that repeats itself '.repeat(5_000));
  for (const codec of [snappy, lz4, zstd]) {
    const packed = await codec.compress({ buffer: text });
    expect(packed.length).toBeLessThan(text.length / 5);
    expect((await codec.decompress(packed)).equals(text)).toBe(true);
  }
});

test('Avro messages carry the id that the registry gave their schema', async () => {
  const schema = {
    type: 'record',
    name: 'Order',
    fields: [
      { name: 'id', type: 'long' },
      { name: 'note', type: ['null', 'string'], default: null },
    ],
  };
  const requests: string[] = [];
  const server = createServer(async (request, reply) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    const body = request.method === 'POST' ? { id: 7 } : { schema: JSON.stringify(schema) };
    reply.writeHead(request.url === '/schemas/ids/8' ? 404 : 200).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  const registry = openRegistry(aTaskContext(realNetwork()), {
    serdeProperties: { 'schema.registry.url': url, 'basic.auth.user.info': 'u:p' },
  });
  const value = { id: 9_007_199_254_740_993n, note: 'hello' };
  const options = { registry, schema: JSON.stringify(schema), subject: 'orders-value' };
  const bytes = await serialize(value, 'AVRO', options);
  expect(bytes?.subarray(0, 5).toString('hex')).toBe('0000000007');
  expect(await deserialize(bytes, 'AVRO', registry)).toMatchObject(value);
  await serialize({ id: 1, note: null }, 'AVRO', options);
  expect(requests).toEqual([
    'POST /subjects/orders-value/versions Basic dTpw',
    'GET /schemas/ids/7 Basic dTpw',
  ]);
  await expect(serialize({ id: 'x' }, 'AVRO', options)).rejects.toThrow('does not match the AVRO schema');
  await expect(deserialize(Buffer.from('000000000801', 'hex'), 'AVRO', registry)).rejects.toThrow('404');
});

test('messages of the AWS Glue Schema Registry carry the id of their schema version, and can be compressed', async () => {
  const schema = JSON.stringify({ type: 'record', name: 'Order', fields: [{ name: 'id', type: 'int' }] });
  const SchemaVersionId = '0d4d3b2a-1c00-4a5e-9f00-000000000007';
  const calls: string[] = [];
  const server = createServer(async (request, reply) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const action = String(request.headers['x-amz-target']).replace('AWSGlue.', '');
    calls.push(action);
    const isSigned = /^AWS4-HMAC-SHA256 Credential=AK\/\d+\/eu-west-1\/glue\//.test(
      request.headers.authorization ?? '',
    );
    const isMissing = action === 'GetSchemaByDefinition' || action === 'RegisterSchemaVersion';
    const body = isMissing
      ? { __type: 'EntityNotFoundException', Message: 'no schema' }
      : { SchemaVersionId, SchemaDefinition: schema, DataFormat: 'AVRO' };
    reply.writeHead(isSigned && !isMissing ? 200 : 400).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  const type = 'io.kestra.plugin.kafka.registry.AwsGlueSchemaRegistry';
  const vendor = { type, region: 'eu-west-1', endpoint, accessKey: 'AK', secretKey: 'SK' };
  for (const [compression, byte] of [
    ['NONE', '00'],
    ['ZLIB', '05'],
  ] as const) {
    const registry = openRegistry(aTaskContext(realNetwork()), {
      serdeProperties: { compression },
      schemaRegistryVendor: vendor,
    });
    const bytes = await serialize({ id: 5 }, 'AVRO', { registry, schema, subject: 'orders-value' });
    expect(bytes?.subarray(0, 18).toString('hex')).toBe(`03${byte}${SchemaVersionId.replaceAll('-', '')}`);
    expect(await deserialize(bytes, 'AVRO', registry)).toEqual({ id: 5 });
    await expect(deserialize(Buffer.from('00000007', 'hex'), 'AVRO', registry)).rejects.toThrow('header');
  }
  expect(calls.slice(0, 4)).toEqual([
    'GetSchemaByDefinition',
    'RegisterSchemaVersion',
    'CreateSchema',
    'GetSchemaVersion',
  ]);
});

test('a call is repeated while the coordinator of the group loads, and other errors end it', async () => {
  const { signal } = aTaskContext();
  const loading = Object.assign(new Error('The coordinator is loading'), { retriable: true });
  const failWith = (errors: Error[]) => () => {
    const error = errors.shift();
    return error ? Promise.reject(error) : Promise.resolve('offsets');
  };
  expect(await untilLoaded({ signal }, failWith([loading, loading]), 1)).toBe('offsets');
  const refused = Object.assign(new Error('Not authorized'), { retriable: false });
  await expect(untilLoaded({ signal }, failWith([loading, refused]), 1)).rejects.toBe(refused);
  await expect(untilLoaded({ signal }, failWith(Array(10).fill(loading)), 1)).rejects.toBe(loading);
});

test('errors name the brokers and respect the outbound policy', async () => {
  const produce = kafkaFamily.types.find(({ type }) => type === 'kafka.Produce') as TaskDefinition; // a task
  const properties = { 'bootstrap.servers': '127.0.0.1:1' };
  const run = (more: object, context = aTaskContext(realNetwork())) =>
    runType(
      produce,
      { properties, topic: 't', from: { value: 'x' }, transactional: false, ...more },
      context,
    );
  await expect(run({})).rejects.toThrow(/127\.0\.0\.1:1/);
  await expect(run({}, aTaskContext(realNetwork({ denyPrivate: true })))).rejects.toMatchObject({
    retry: false,
  });
});
