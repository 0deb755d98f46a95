import type { FlowRecord } from '@millrace/contract';
import { searchText } from './searchText.ts';
import { decodeText, encodeOptional, encodeText } from './text.ts';
import type { Row, SqlValue } from './value.ts';

export function encodeFlow(flow: FlowRecord): SqlValue[] {
  return [
    encodeText(flow.namespace),
    encodeText(flow.id),
    flow.revision,
    encodeText(flow.tenantId),
    encodeText(flow.source),
    encodeOptional(flow.description),
    JSON.stringify(flow.labels),
    flow.disabled ? 1 : 0,
    flow.deleted ? 1 : 0,
    flow.updatedAt,
    searchText(flow.namespace, flow.id),
    searchText(flow.source),
    encodeOptional(flow.author),
    encodeOptional(flow.message),
  ];
}

export function decodeFlow(row: Row): FlowRecord {
  return {
    tenantId: decodeText(String(row.tenant_id)),
    namespace: decodeText(String(row.namespace)),
    id: decodeText(String(row.id)),
    revision: Number(row.revision),
    source: decodeText(String(row.source)),
    ...(row.description === null ? {} : { description: decodeText(String(row.description)) }),
    labels: decodeLabels(String(row.labels)),
    disabled: row.disabled === 1,
    deleted: row.deleted === 1,
    updatedAt: Number(row.updated_at),
    ...(row.author === null ? {} : { author: decodeText(String(row.author)) }),
    ...(row.message === null ? {} : { message: decodeText(String(row.message)) }),
  };
}

const isLabel = (label: unknown): label is FlowRecord['labels'][number] =>
  typeof label === 'object' &&
  label !== null &&
  'key' in label &&
  typeof label.key === 'string' &&
  'value' in label &&
  typeof label.value === 'string';

/** Unreadable labels do not hide a flow, because its source is authoritative. */
function decodeLabels(text: string): FlowRecord['labels'] {
  try {
    const labels: unknown = JSON.parse(text);
    return Array.isArray(labels) ? labels.filter(isLabel) : [];
  } catch {
    return [];
  }
}
