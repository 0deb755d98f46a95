import type { DescMessage, Registry } from '@bufbuild/protobuf';
import {
  flag,
  importModule,
  messageOf,
  storageUri,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineConverter, fromProperty, storeRows } from '../converter.ts';

type Protobuf = typeof import('@bufbuild/protobuf');
type Wkt = typeof import('@bufbuild/protobuf/wkt');

const maxMessageBytes = 64 * 1024 * 1024;

export const protobufToIon = defineConverter({
  type: 'serdes.protobuf.ProtobufToIon',
  title: 'Read Protocol Buffers as rows',
  description:
    'Turns messages of Protocol Buffers into rows, as their JSON form has them: 64-bit integers are texts, bytes are base64. The file is one message, or with `delimited` many, each after its length.',
  input: () =>
    z.object({
      from: fromProperty(),
      descriptorFile: storageUri().describe(
        'The URI of the descriptor set, as `protoc --descriptor_set_out --include_imports` writes it.',
      ),
      typeName: text().describe('The full name of the message, for example `shop.Order`.'),
      delimited: flag().default(false).describe('Whether each message stands after its length.'),
      errorOnUnknownFields: flag()
        .default(false)
        .describe('Fail when a message has fields that the descriptor lacks.'),
    }),
  examples: [
    {
      title: 'Read a file of delimited messages.',
      runs: false,
      code: `id: protobuf_to_rows
namespace: company.team

inputs:
  - id: messages
    type: FILE
  - id: descriptor
    type: FILE

tasks:
  - id: rows
    type: serdes.protobuf.ProtobufToIon
    from: "{{ inputs.messages }}"
    descriptorFile: "{{ inputs.descriptor }}"
    typeName: shop.Order
    delimited: true
`,
    },
  ],
  async convert(context, input) {
    const protobuf = await importModule<Protobuf>('@bufbuild/protobuf');
    const registry = await readRegistry(context, protobuf, input.descriptorFile);
    const type = registry.getMessage(input.typeName);
    if (!type) throw new TaskFailed(`The descriptor has no message "${input.typeName}".`, { retry: false });
    const content = await context.files.read(input.from);
    return storeRows(context, rows());

    async function* rows(): AsyncGenerator<unknown> {
      let number = 0;
      for await (const bytes of input.delimited ? delimitedMessages(content) : oneMessage(content)) {
        number++;
        yield toRow(protobuf, registry, type as DescMessage, bytes, number, input.errorOnUnknownFields);
      }
    }
  },
});

async function readRegistry(context: TaskContext, protobuf: Protobuf, uri: string): Promise<Registry> {
  const { FileDescriptorSetSchema } = await importModule<Wkt>('@bufbuild/protobuf/wkt');
  const bytes = await collect(await context.files.read(uri));
  try {
    return protobuf.createFileRegistry(protobuf.fromBinary(FileDescriptorSetSchema, bytes));
  } catch (error) {
    throw new TaskFailed(`The descriptor file is invalid: ${messageOf(error)}`, { retry: false });
  }
}

function toRow(
  protobuf: Protobuf,
  registry: Registry,
  type: DescMessage,
  bytes: Uint8Array,
  number: number,
  refuseUnknown: boolean,
): unknown {
  try {
    const message = protobuf.fromBinary(type, bytes);
    if (refuseUnknown && message.$unknown?.length)
      throw new Error(
        `it has fields that the descriptor lacks: ${message.$unknown.map(({ no }) => no).join(', ')}`,
      );
    return protobuf.toJson(type, message, { registry, useProtoFieldName: true });
  } catch (error) {
    throw new TaskFailed(`Message ${number} is invalid: ${messageOf(error)}`, { retry: false });
  }
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > maxMessageBytes)
      throw new TaskFailed(`A message may have ${maxMessageBytes} bytes, and this one is larger.`, {
        retry: false,
      });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* oneMessage(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await collect(content);
}

async function* delimitedMessages(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending = Buffer.alloc(0);
  for await (const chunk of content) {
    pending = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk]);
    for (let found = firstMessage(pending); found; found = firstMessage(pending)) {
      yield found.message;
      pending = pending.subarray(found.end);
    }
  }
  if (pending.length > 0) throw new TaskFailed('The file ends inside a message.', { retry: false });
}

/** The message at the start, when all of it is there. */
function firstMessage(bytes: Buffer): { message: Buffer; end: number } | undefined {
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * at);
    if (length > maxMessageBytes)
      throw new TaskFailed(`A message of ${length} bytes is too large; is the file delimited?`, {
        retry: false,
      });
    if (byte > 0x7f) continue;
    const start = at + 1;
    return start + length > bytes.length
      ? undefined
      : { message: bytes.subarray(start, start + length), end: start + length };
  }
  return undefined;
}
