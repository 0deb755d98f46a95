import { KvType } from '@millrace/contract';
import type { KvEntryRecord, KvRecord } from '../port/op.ts';
import { searchText } from './searchText.ts';
import { decodeText, encodeOptional, encodeText } from './text.ts';
import type { Row, SqlValue } from './value.ts';

export const kvKey = ({ namespace, key }: { namespace: string; key: string }): SqlValue[] => [
  encodeText(namespace),
  encodeText(key),
];

export function encodeKv(entry: KvRecord): SqlValue[] {
  return [
    ...kvKey(entry),
    entry.type,
    JSON.stringify(entry.value ?? null),
    encodeOptional(entry.description),
    entry.createdAt,
    entry.updatedAt,
    entry.expiresAt ?? null,
    1,
    searchText(entry.namespace, entry.key, entry.description),
  ];
}

export function decodeKvEntry(row: Row): KvEntryRecord {
  return {
    namespace: decodeText(String(row.namespace)),
    key: decodeText(String(row.key)),
    // An unknown type does not hide the key: any value can be read as text.
    type: KvType.safeParse(row.type).data ?? 'STRING',
    ...(row.description === null ? {} : { description: decodeText(String(row.description)) }),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    ...(row.expires_at === null ? {} : { expiresAt: Number(row.expires_at) }),
    version: Number(row.version),
  };
}

export const decodeKv = (row: Row): KvRecord & KvEntryRecord => ({
  ...decodeKvEntry(row),
  value: JSON.parse(String(row.value)),
});
