import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** The rows of a list, all of them, as one table; the query is that of the list. */
const tableOf = (resource: string) =>
  endpoint({
    method: 'GET',
    path: `/${resource}/export/by-query/csv`,
    summary: `Downloads the ${resource} of a query as CSV`,
    query: z.looseObject({}),
    replyKind: 'file',
  });

export const exportExecutionsAsCsv = tableOf('executions');
export const exportFlowsAsCsv = tableOf('flows');
export const exportTriggersAsCsv = tableOf('triggers');
