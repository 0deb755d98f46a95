import type { DocumentRecord, StoredDocument } from '../port/document.ts';
import { decodeText, encodeText } from './text.ts';
import type { Row, SqlValue } from './value.ts';

export const documentKey = ({ kind, id }: Pick<DocumentRecord, 'kind' | 'id'>): SqlValue[] => [
  encodeText(kind),
  encodeText(id),
];

/** In the order of `documentColumns`. */
export const encodeDocument = (document: DocumentRecord, version: number): SqlValue[] => [
  ...documentKey(document),
  encodeText(document.parent ?? ''),
  document.at,
  version,
  JSON.stringify(document.data),
];

export function decodeDocument(row: Row): StoredDocument {
  const parent = decodeText(String(row.parent));
  return {
    kind: decodeText(String(row.kind)),
    id: decodeText(String(row.id)),
    ...(parent === '' ? {} : { parent }),
    at: Number(row.at),
    version: Number(row.version),
    data: JSON.parse(String(row.data)),
  };
}
