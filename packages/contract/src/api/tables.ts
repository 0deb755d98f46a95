import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { flag, Paging } from '../paging.ts';

/*
 * The rows of a list, all of them, as one file; the query is that of the list. `bom=true` begins a CSV file with a
 * byte order mark, by which Excel recognizes UTF-8; other programs would read it as a part of the first column name.
 */
const { sort } = Paging.shape;
const csvOf = (resource: string) =>
  endpoint({
    method: 'GET',
    path: `/${resource}/export/by-query/csv`,
    summary: `Downloads the ${resource} of a query as CSV`,
    query: z.looseObject({ sort, bom: flag(false) }),
    replyKind: 'file',
  });
const jsonOf = (resource: string) =>
  endpoint({
    method: 'GET',
    path: `/${resource}/export/by-query/json`,
    summary: `Downloads the ${resource} of a query as JSON`,
    query: z.looseObject({ sort }),
    replyKind: 'file',
  });

export const exportExecutionsAsCsv = csvOf('executions');
export const exportExecutionsAsJson = jsonOf('executions');
export const exportTaskRunsAsCsv = csvOf('taskruns');
export const exportTaskRunsAsJson = jsonOf('taskruns');
/** Oldest first, whatever the order of the list: new entries are written at the end. */
export const exportLogsAsCsv = csvOf('logs');
export const exportLogsAsJson = jsonOf('logs');
export const exportFlowsAsCsv = csvOf('flows');
export const exportTriggersAsCsv = csvOf('triggers');
