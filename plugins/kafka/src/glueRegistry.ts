import { deflateSync, inflateSync } from 'node:zlib';
import { AwsError, openClient } from '@millrace/plugin-aws/client';
import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type * as Avsc from 'avsc';
import { z } from 'zod';
import { avroType, remembered, toAvro } from './avro.ts';
import type { Properties } from './clientOptions.ts';

export interface GlueInput {
  readonly region?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly accessKey?: string | undefined;
  readonly secretKey?: string | undefined;
}

/** A message begins with a version, how it is compressed, and the id of its schema version. */
const version = 3;
const compressions = { none: 0, zlib: 5 } as const;
const headerBytes = 18;

const Found = z.object({
  SchemaVersionId: z.string(),
  SchemaDefinition: z.string().nullish(),
  DataFormat: z.string().nullish(),
  Status: z.string().nullish(),
});
type Client = Awaited<ReturnType<typeof openClient>>;

/** Schemas of the AWS Glue Schema Registry, with the message header that its serializers write. */
export class GlueRegistry {
  readonly #client: () => Promise<Client>;
  readonly #registry: string;
  readonly #schemaName: string | undefined;
  readonly #mayRegister: boolean;
  readonly #isCompressed: boolean;
  readonly #readers = new Map<string, Promise<Avsc.Type>>();
  readonly #writers = new Map<string, Promise<{ readonly id: Buffer; readonly type: Avsc.Type }>>();

  constructor(context: TaskContext, vendor: GlueInput, properties: Properties) {
    if (vendor.secretKey) context.masker.add(vendor.secretKey);
    const connection = {
      region: vendor.region,
      endpointOverride: vendor.endpoint,
      accessKeyId: vendor.accessKey,
      secretKeyId: vendor.secretKey,
      stsRoleSessionDuration: 900_000,
    };
    let opened: Promise<Client> | undefined;
    this.#client = () => {
      opened ??= openClient(context, connection, 'glue');
      return opened;
    };
    this.#registry = properties['registry.name'] ?? 'default-registry';
    this.#schemaName = properties.schemaName;
    this.#mayRegister = properties.schemaAutoRegistrationEnabled !== 'false';
    this.#isCompressed = properties.compression?.toUpperCase() === 'ZLIB';
  }

  async readAvro(bytes: Buffer): Promise<unknown> {
    const compression = bytes[1];
    const isKnown = compression === compressions.none || compression === compressions.zlib;
    if (bytes.length < headerBytes || bytes[0] !== version || !isKnown)
      throw new TaskFailed('A message does not begin with the header of the AWS Glue Schema Registry.', {
        retry: false,
      });
    const id = toUuid(bytes.subarray(2, headerBytes));
    const type = await remembered(this.#readers, id, (each) => this.#reader(each));
    const content = bytes.subarray(headerBytes);
    return type.fromBuffer(compression === compressions.zlib ? inflateSync(content) : content);
  }

  async writeAvro(value: unknown, schema: string, subject: string): Promise<Buffer> {
    // As the serializers of AWS do, the schema has the name of the topic unless it is given.
    const name = this.#schemaName ?? subject.replace(/-(key|value)$/, '');
    const { id, type } = await remembered(this.#writers, `${name}\n${schema}`, () =>
      this.#writer(schema, name),
    );
    const content = toAvro(type, value, subject);
    const compression = this.#isCompressed ? compressions.zlib : compressions.none;
    const header = Buffer.from([version, compression]);
    return Buffer.concat([header, id, this.#isCompressed ? deflateSync(content) : content]);
  }

  async #reader(id: string): Promise<Avsc.Type> {
    const client = await this.#client();
    const found = await client.json('GetSchemaVersion', { SchemaVersionId: id }, Found);
    if (found.DataFormat !== 'AVRO')
      throw new TaskFailed(`Schema ${id} is ${found.DataFormat ?? 'unknown'}, expected AVRO.`, {
        retry: false,
      });
    return avroType(found.SchemaDefinition ?? '');
  }

  async #writer(schema: string, name: string) {
    const type = await avroType(schema);
    const client = await this.#client();
    const place = { RegistryName: this.#registry, SchemaName: name };
    const definition = { SchemaId: place, SchemaDefinition: schema };
    const found = await client.json('GetSchemaByDefinition', definition, Found).catch(orMissing);
    const { SchemaVersionId } = found ?? (await this.#register(client, name, schema));
    return { id: Buffer.from(SchemaVersionId.replaceAll('-', ''), 'hex'), type };
  }

  async #register(client: Client, name: string, schema: string): Promise<z.infer<typeof Found>> {
    if (!this.#mayRegister)
      throw new TaskFailed(`The schema "${name}" is not registered, and may not be.`, { retry: false });
    const SchemaId = { RegistryName: this.#registry, SchemaName: name };
    const added = await client
      .json('RegisterSchemaVersion', { SchemaId, SchemaDefinition: schema }, Found)
      .catch(orMissing);
    if (added?.Status === 'FAILURE')
      throw new TaskFailed(`The schema "${name}" is not compatible with its earlier versions.`, {
        retry: false,
      });
    if (added) return added;
    const created = await client.json(
      'CreateSchema',
      {
        RegistryId: { RegistryName: this.#registry },
        SchemaName: name,
        DataFormat: 'AVRO',
        Compatibility: 'BACKWARD',
        SchemaDefinition: schema,
      },
      z.object({ SchemaVersionId: z.string() }),
    );
    return { SchemaVersionId: created.SchemaVersionId };
  }
}

function orMissing(error: unknown): undefined {
  if (error instanceof AwsError && error.failure.code === 'EntityNotFoundException') return undefined;
  throw error;
}

const toUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
