import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { TaskRun } from '../execution.ts';
import { Paging, pagedOf } from '../paging.ts';
import { ExecutionFilters } from './executions.ts';

export const searchTaskRuns = endpoint({
  method: 'GET',
  path: '/taskruns/search',
  summary: 'Lists task runs of all executions, newest first',
  query: z.looseObject({ ...Paging.shape, ...ExecutionFilters.shape }),
  reply: pagedOf(TaskRun),
});
