import type { FlowTestRecord } from '@millrace/contract';
import type { StoredFlowTest } from '../port/op.ts';
import { parseDocument, salvaged, toDocument } from './readable.ts';
import { decodeText, encodeText } from './text.ts';
import type { Row, SqlValue } from './value.ts';

export const encodeFlowTest = (test: FlowTestRecord): SqlValue[] => [
  encodeText(test.namespace),
  encodeText(test.id),
  test.version,
  encodeText(test.flowId),
  test.flowRevision,
  test.deleted ? 1 : 0,
  test.updatedAt,
  toDocument(test),
];

// `as`: written by `encodeFlowTest`.
const decode = (row: Row): FlowTestRecord => parseDocument(row.data, fields) as FlowTestRecord;
const fields = {
  namespace: 'string',
  id: 'string',
  version: 'number',
  flowId: 'string',
  source: 'string',
  testCaseIds: 'list',
  updatedAt: 'number',
} as const;

/** The columns that `readFlowTest` needs. */
export const readFlowTestColumns =
  't.namespace, t.id, t.version, t.flow_id, t.flow_revision, t.deleted, t.updated_at, t.result, t.data';

export function readFlowTest(row: Row): StoredFlowTest {
  const test = salvaged(row, decode, ({ namespace, id, version, flow_id, flow_revision, updated_at }) => ({
    namespace: decodeText(String(namespace)),
    id: decodeText(String(id)),
    version: Number(version),
    flowId: decodeText(String(flow_id)),
    flowRevision: Number(flow_revision),
    source: '',
    disabled: true,
    testCaseIds: [],
    deleted: false,
    updatedAt: Number(updated_at),
  }));
  const result = row.result === null ? undefined : parsed(row.result);
  return result === undefined ? { test } : { test, result };
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
