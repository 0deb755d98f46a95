import type { Endpoint } from '@millrace/contract';
import { urlOf } from '../../api/call.ts';
import type { ListView } from '../../ui/index.ts';

type Export = Pick<Endpoint, 'base' | 'path'>;

/** The addresses of all rows of a list, in its order. Downloads as CSV are opened with Excel more than with anything else. */
export function exportLinks(
  { filters, sort }: Pick<ListView, 'filters' | 'sort'>,
  csv: Export,
  json: Export,
) {
  const query = { ...filters, sort };
  return { csv: urlOf(csv, { query: { ...query, bom: true } }), json: urlOf(json, { query }) };
}
