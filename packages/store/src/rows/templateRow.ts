import type { TemplateRecord } from '../port/op.ts';
import { searchText } from './searchText.ts';
import { encodeText } from './text.ts';
import type { Row, SqlValue } from './value.ts';

export const templateKey = ({ namespace, id }: { namespace: string; id: string }): SqlValue[] => [
  encodeText(namespace),
  encodeText(id),
];

export const encodeTemplate = (template: TemplateRecord): SqlValue[] => [
  ...templateKey(template),
  template.updatedAt,
  searchText(template.namespace, template.id),
  JSON.stringify(template),
];

// `as`: written by `encodeTemplate`.
export const decodeTemplate = (row: Row): TemplateRecord => JSON.parse(String(row.data)) as TemplateRecord;
