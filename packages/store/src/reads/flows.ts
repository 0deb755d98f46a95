import type { FlowRecord } from '@millrace/contract';
import { columnHasWords, namespace, scope, text, words, wordsIn } from '../filters/fields.ts';
import { labelOperations, labelsFilter } from '../filters/labels.ts';
import { ascending, nullable } from '../filters/list.ts';
import { raw, type Sql, sql } from '../filters/sql.ts';
import type { FlowQuery, Page } from '../port/queries.ts';
import { flowColumns } from '../rows/columns.ts';
import { decodeFlow } from '../rows/flowRow.ts';
import { readable } from '../rows/readable.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';
import { readPage, type TableList } from './readPage.ts';

const columns = flowColumns.filter((column) => !column.endsWith('search')).join(', ');
const current = raw('latest = 1 AND deleted = 0');
const isFlow = (namespace: string, id: string): Sql =>
  sql`namespace = ${encodeText(namespace)} AND id = ${encodeText(id)}`;

const labelsOfFlow = {
  table: 'flow_labels',
  owner: 'l.namespace = flows.namespace AND l.id = flows.id AND l.revision = flows.revision',
};

export const flowList: TableList<FlowRecord> = {
  name: 'flows',
  table: 'flows',
  columns,
  decode: decodeFlow,
  fields: {
    q: words(['namespace', 'flows.id']),
    scope,
    namespace,
    flowId: text('flows.id'),
    labels: {
      operations: labelOperations,
      compile: (filter, dialect) => labelsFilter(filter, dialect, labelsOfFlow),
    },
  },
  sort: {
    id: 'id',
    namespace: 'namespace',
    revision: 'revision',
    description: nullable('description'),
    disabled: 'disabled',
    updated: 'updated_at',
  },
  defaultSort: ascending('namespace'),
  key: ['namespace', 'id'],
};

export function listFlows(queries: Queries, query: FlowQuery): Promise<Page<FlowRecord>> {
  const ofSource = columnHasWords('source_search')(wordsIn(query.source ?? ''), queries.dialect);
  return readPage(queries, flowList, query, current, ofSource);
}

export async function getFlow(
  queries: Queries,
  namespace: string,
  id: string,
  revision?: number,
): Promise<FlowRecord | undefined> {
  const chosen = revision === undefined ? sql`` : sql` AND revision = ${revision}`;
  const rows = await queries.point(
    sql`SELECT ${raw(columns)} FROM flows WHERE ${isFlow(namespace, id)}${chosen} ORDER BY revision DESC LIMIT 1`,
  );
  return rows[0] === undefined ? undefined : decodeFlow(rows[0]);
}

export async function listRevisions(queries: Queries, namespace: string, id: string): Promise<FlowRecord[]> {
  const rows = await queries.scan(
    sql`SELECT ${raw(columns)} FROM flows WHERE ${isFlow(namespace, id)} AND revision > 0 ORDER BY revision`,
  );
  return readable(rows, decodeFlow);
}

export async function nextDraftRevision(queries: Queries, namespace: string, id: string): Promise<number> {
  const rows = await queries.point(
    sql`SELECT revision FROM flows WHERE ${isFlow(namespace, id)} AND revision < 0 ORDER BY revision LIMIT 1`,
  );
  return Number(rows[0]?.revision ?? 0) - 1;
}

export async function listFlowNamespaces(queries: Queries): Promise<string[]> {
  const rows = await queries.scan(
    sql`SELECT DISTINCT namespace FROM flows WHERE ${current} ORDER BY namespace`,
  );
  return rows.map((row) => decodeText(String(row.namespace)));
}
