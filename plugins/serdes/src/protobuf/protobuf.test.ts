import { create, toBinary } from '@bufbuild/protobuf';
import {
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { aTaskContext } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { convertFile, rowsOf } from '../testing/convert.ts';
import { protobufToIon } from './protobufToIon.ts';

/** The descriptor of FieldDescriptorProto's own file is a real one, with messages, enums and options. */
const descriptor = toBinary(
  FileDescriptorSetSchema,
  create(FileDescriptorSetSchema, { file: [FileDescriptorProtoSchema.file.proto] }),
);
const message = (name: string, number: number) =>
  toBinary(FieldDescriptorProtoSchema, create(FieldDescriptorProtoSchema, { name, number, jsonName: 'ü' }));
const typeName = 'google.protobuf.FieldDescriptorProto';

async function read(bytes: Uint8Array, properties = {}) {
  const context = aTaskContext();
  const descriptorFile = await context.files.put('descriptor', descriptor);
  return rowsOf(
    await convertFile(protobufToIon, bytes, { descriptorFile, typeName, ...properties }, context),
  );
}

test('a message is a row, with the names of its fields', async () => {
  expect(await read(message('a', 7))).toEqual([{ name: 'a', number: 7, json_name: 'ü' }]);
});

test('delimited messages are rows', async () => {
  const parts = Array.from({ length: 300 }, (_, number) => message(`field ${number}`, number));
  const bytes = Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), part]));
  const rows = await read(bytes, { delimited: true });
  expect(rows).toHaveLength(300);
  expect(rows[299]).toEqual({ name: 'field 299', number: 299, json_name: 'ü' });
  await expect(read(bytes.subarray(0, -1), { delimited: true })).rejects.toThrow('ends inside a message');
});

test('unknown fields fail when asked', async () => {
  const bytes = Buffer.concat([message('a', 1), Buffer.from([0xf8, 0x7f, 1])]);
  expect(await read(bytes)).toHaveLength(1);
  await expect(read(bytes, { errorOnUnknownFields: true })).rejects.toThrow(
    'Message 1 is invalid: it has fields that the descriptor lacks',
  );
});

test('says what is wrong with the descriptor, the name or the message', async () => {
  await expect(read(message('a', 1), { typeName: 'nope' })).rejects.toThrow(
    'The descriptor has no message "nope".',
  );
  await expect(read(Buffer.from([0xff]))).rejects.toThrow('Message 1 is invalid');
  const context = aTaskContext();
  const descriptorFile = await context.files.put('descriptor', 'not a descriptor');
  const properties = { descriptorFile, typeName };
  await expect(convertFile(protobufToIon, message('a', 1), properties, context)).rejects.toThrow(
    'The descriptor file is invalid',
  );
});
