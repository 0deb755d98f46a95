import { mainTenant } from '@millrace/contract';
import type { TemplateRecord } from '../port/op.ts';
import { parseDocument, salvaged, toDocument } from './readable.ts';
import { searchText } from './searchText.ts';
import { decodeText, encodeText } from './text.ts';
import type { Row, SqlValue } from './value.ts';

export const templateKey = ({ namespace, id }: { namespace: string; id: string }): SqlValue[] => [
  encodeText(namespace),
  encodeText(id),
];

export const encodeTemplate = (template: TemplateRecord): SqlValue[] => [
  ...templateKey(template),
  template.updatedAt,
  searchText(template.namespace, template.id),
  toDocument(template),
];

// `as`: written by `encodeTemplate`.
const decode = (row: Row): TemplateRecord => parseDocument(row.data, fields) as TemplateRecord;
const fields = { namespace: 'string', id: 'string', tasks: 'list', updatedAt: 'number' } as const;

/** The columns that `salvageTemplate` needs. */
export const templateColumns = 'namespace, id, updated_at, data';

export const salvageTemplate = (row: Row): TemplateRecord =>
  salvaged(row, decode, ({ namespace, id, updated_at }) => ({
    tenantId: mainTenant,
    namespace: decodeText(String(namespace)),
    id: decodeText(String(id)),
    tasks: [],
    updatedAt: Number(updated_at),
  }));
