import { part, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import type * as Avsc from 'avsc';
import { z } from 'zod';
import { avroType, remembered, toAvro } from './avro.ts';
import type { Properties } from './clientOptions.ts';
import { type GlueInput, GlueRegistry } from './glueRegistry.ts';

export const vendorProperty = () =>
  part({
    type: text().describe(
      '`kafka.registry.ConfluentSchemaRegistry` or `kafka.registry.AwsGlueSchemaRegistry`.',
    ),
    schemaRegistryUrl: text().optional().describe('The address of a registry with the API of Confluent.'),
    region: text().optional().describe('The region of AWS Glue.'),
    endpoint: text().optional().describe('The address of AWS Glue instead of that of the region.'),
    accessKey: text()
      .optional()
      .describe('The access key for AWS Glue. Without it the credentials of the server are used.'),
    secretKey: text().optional().describe('The secret key for AWS Glue.'),
  })
    .optional()
    .describe(
      'The schema registry of AVRO messages; `schema.registry.url` in `serdeProperties` does the same.',
    );

/** A registry of schemas, and the messages that name their schema. */
export interface AvroRegistry {
  readAvro(bytes: Buffer): Promise<unknown>;
  /** `subject` is the topic with `-key` or `-value`. */
  writeAvro(value: unknown, schema: string, subject: string): Promise<Buffer>;
}

export interface RegistryInput {
  readonly serdeProperties: Properties;
  readonly schemaRegistryVendor?:
    | (GlueInput & { readonly type: string; readonly schemaRegistryUrl?: string | undefined })
    | undefined;
}

/** The registry that the input names, if any. */
export function openRegistry(context: TaskContext, input: RegistryInput): AvroRegistry | undefined {
  const { serdeProperties, schemaRegistryVendor: vendor } = input;
  if (vendor?.type.endsWith('AwsGlueSchemaRegistry'))
    return new GlueRegistry(context, vendor, serdeProperties);
  const url = vendor?.schemaRegistryUrl ?? serdeProperties['schema.registry.url'];
  return url === undefined
    ? undefined
    : new ConfluentRegistry(context, url.split(',')[0] ?? url, serdeProperties);
}

const headerBytes = 5;
const SchemaReply = z.object({ schema: z.string(), schemaType: z.string().optional() });
const IdReply = z.object({ id: z.number() });

/** Schemas of a registry with the Confluent API, and the messages that contain their schema id. */
class ConfluentRegistry implements AvroRegistry {
  readonly #context: TaskContext;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #readers = new Map<number, Promise<Avsc.Type>>();
  readonly #writers = new Map<string, Promise<{ readonly id: number; readonly type: Avsc.Type }>>();

  constructor(context: TaskContext, url: string, properties: Properties) {
    this.#context = context;
    this.#url = url.trim().replace(/\/$/, '');
    const user = properties['basic.auth.user.info'] ?? properties['schema.registry.basic.auth.user.info'];
    const token = properties['bearer.auth.token'];
    if (user !== undefined) context.masker.add(user.slice(user.indexOf(':') + 1));
    if (token !== undefined) context.masker.add(token);
    this.#headers = {
      accept: 'application/vnd.schemaregistry.v1+json',
      ...(user !== undefined && { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
  }

  async readAvro(bytes: Buffer): Promise<unknown> {
    if (bytes.length < headerBytes || bytes[0] !== 0)
      throw new TaskFailed(
        'A message does not begin with the id of a schema, so it is not AVRO of a registry.',
        {
          retry: false,
        },
      );
    const type = await remembered(this.#readers, bytes.readInt32BE(1), (id) => this.#reader(id));
    return type.fromBuffer(bytes.subarray(headerBytes));
  }

  async writeAvro(value: unknown, schema: string, subject: string): Promise<Buffer> {
    const { id, type } = await remembered(this.#writers, `${subject}\n${schema}`, () =>
      this.#writer(schema, subject),
    );
    const header = Buffer.alloc(headerBytes);
    header.writeInt32BE(id, 1);
    return Buffer.concat([header, toAvro(type, value, subject)]);
  }

  async #reader(id: number): Promise<Avsc.Type> {
    const { schema, schemaType = 'AVRO' } = SchemaReply.parse(await this.#call('GET', `/schemas/ids/${id}`));
    if (schemaType !== 'AVRO')
      throw new TaskFailed(`Schema ${id} is ${schemaType}, expected AVRO.`, { retry: false });
    return avroType(schema);
  }

  async #writer(schema: string, subject: string) {
    const type = await avroType(schema);
    const path = `/subjects/${encodeURIComponent(subject)}/versions`;
    const { id } = IdReply.parse(await this.#call('POST', path, { schema }));
    return { id, type };
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const reply = await this.#context.fetch({
      url: `${this.#url}${path}`,
      method,
      headers: {
        ...this.#headers,
        ...(body && { 'content-type': 'application/vnd.schemaregistry.v1+json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: this.#context.signal,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of reply.body) chunks.push(chunk);
    const content = Buffer.concat(chunks).toString('utf8');
    if (reply.status >= 400)
      throw new TaskFailed(`Schema registry ${this.#url}${path}: ${reply.status} ${content.slice(0, 500)}`, {
        retry: reply.status >= 500,
      });
    return JSON.parse(content);
  }
}
