import { stateTypes } from '@millrace/contract';
import {
  choice,
  dateTime,
  defineTask,
  duration,
  flag,
  integer,
  listOf,
  mapOf,
  TaskFailed,
  text,
  writeTypedRows,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { Api, type Query, serverProperties } from './api.ts';

type Execution = Readonly<Record<string, unknown>>;

const nothing = () => z.object({});

const states = () => listOf(choice(stateTypes)).optional().describe('Only executions in these states.');

export const countExecutions = defineTask({
  type: 'kestra.executions.Count',
  title: 'Count executions through the API',
  description:
    'Counts executions by namespace, flow, state and date. Several namespaces are counted together.',
  input: () =>
    z.object({
      ...serverProperties(),
      namespaces: listOf(text())
        .optional()
        .describe('The namespaces, with those below them; all when absent.'),
      flowId: text().optional().describe('The id of the flow.'),
      states: states(),
      startDate: text().optional().describe('Executions started from then on.'),
      endDate: text().optional().describe('Executions started until then.'),
      expression: text()
        .optional()
        .describe('An expression over `count`; when it is not truthy, the count that is returned is 0.'),
    }),
  output: () => z.object({ count: z.number().describe('How many executions.') }),
  sideEffects: true,
  raw: ['expression'],
  examples: [
    {
      title: 'Count the failures of a namespace.',
      runs: false,
      code: `id: count_failures
namespace: company.team

tasks:
  - id: failures
    type: kestra.executions.Count
    namespaces: [company.team]
    states: [FAILED]
    startDate: "{{ now() | dateAdd(-1, 'DAYS') }}"
`,
    },
  ],
  async run(context, input) {
    const api = new Api(context, input);
    let count = 0;
    for (const namespace of input.namespaces ?? [undefined]) {
      const query = {
        namespace,
        flowId: input.flowId,
        state: input.states,
        startDate: input.startDate,
        endDate: input.endDate,
      };
      count += (
        await api.json<{ total: number }>('/executions/search', { query: { ...query, page: 1, size: 1 } })
      ).total;
    }
    if (input.expression === undefined) return { count };
    const rendered = String(await context.render(input.expression, { count })).trim();
    return { count: ['', 'false', '0'].includes(rendered) ? 0 : count };
  },
});

export const queryExecutions = defineTask({
  type: 'kestra.executions.Query',
  title: 'Search executions',
  description: 'Finds executions and stores or returns them. Without `page` all pages are read.',
  input: () =>
    z.object({
      ...serverProperties(),
      page: integer({ min: 1 }).optional().describe('The page; all when absent.'),
      size: integer({ min: 1 }).default(10).describe('How many executions a page has.'),
      fetchType: choice(['STORE', 'FETCH', 'FETCH_ONE', 'NONE'])
        .default('STORE')
        .describe('Store the executions in a file, return all, return the first, or only count them.'),
      flowScopes: listOf(choice(['USER', 'SYSTEM']))
        .optional()
        .describe('Flows of users, of the system, or both.'),
      namespace: text().optional().describe('The namespace, with those below it.'),
      flowId: text().optional().describe('The id of the flow.'),
      startDate: dateTime().optional().describe('Executions started from then on.'),
      endDate: dateTime().optional().describe('Executions started until then.'),
      timeRange: duration()
        .optional()
        .describe('Executions started within this time until now, for example `PT1H`.'),
      states: states(),
      labels: mapOf(text()).optional().describe('Labels that the executions must have.'),
      triggerExecutionId: text().optional().describe('The execution that started them.'),
      childFilter: choice(['CHILD', 'MAIN'])
        .optional()
        .describe('Only executions that another one started, or only others.'),
    }),
  output: () =>
    z.object({
      uri: z.string().optional().describe('The file with the executions, one a row.'),
      rows: z.array(z.unknown()).optional().describe('The executions.'),
      row: z.unknown().optional().describe('The first execution.'),
      size: z.number().describe('How many executions were found.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Store the failures of the last day.',
      runs: false,
      code: `id: failures
namespace: company.team

tasks:
  - id: failures
    type: kestra.executions.Query
    namespace: company.team
    states: [FAILED]
    timeRange: P1D
`,
    },
  ],
  async run(context, input) {
    const api = new Api(context, input);
    const labels = Object.entries(input.labels ?? {}).map(([key, value]) => `${key}:${value}`);
    const query: Query = {
      namespace: input.namespace,
      flowId: input.flowId,
      scope: input.flowScopes?.join(','),
      state: input.states,
      startDate: input.startDate,
      endDate: input.endDate,
      timeRange: input.timeRange === undefined ? undefined : `PT${input.timeRange / 1000}S`,
      labels: labels.length > 0 ? labels : undefined,
      triggerExecutionId: input.triggerExecutionId,
      childFilter: input.childFilter,
    };
    const found =
      input.page === undefined ? api.pages<Execution>('/executions/search', query, input.size) : onePage();
    async function* onePage(): AsyncGenerator<Execution> {
      const { results } = await api.json<{ results: readonly Execution[] }>('/executions/search', {
        query: { ...query, page: input.page, size: input.size },
      });
      yield* results;
    }
    if (input.fetchType === 'STORE') {
      const writer = writeTypedRows(found, context.signal);
      const uri = await context.files.put('executions.ion', writer.content);
      return { uri, size: writer.count };
    }
    const rows: Execution[] = [];
    for await (const execution of found) {
      rows.push(execution);
      if (input.fetchType === 'FETCH_ONE') break;
    }
    if (input.fetchType === 'FETCH') return { rows, size: rows.length };
    return { ...(input.fetchType === 'FETCH_ONE' && rows.length > 0 && { row: rows[0] }), size: rows.length };
  },
});

const executionId = () => text().describe('The id of the execution.');

export const killExecution = defineTask({
  type: 'kestra.executions.Kill',
  title: 'Kill an execution',
  description: 'Asks an execution, and by default the executions that it started, to stop.',
  input: () =>
    z.object({
      ...serverProperties(),
      executionId: executionId(),
      propagateKill: flag().default(true).describe('Also kill the executions that it started.'),
    }),
  output: nothing,
  sideEffects: true,
  examples: [
    {
      title: 'Kill an execution.',
      runs: false,
      code: `id: kill
namespace: company.team

inputs:
  - id: execution
    type: STRING

tasks:
  - id: kill
    type: kestra.executions.Kill
    executionId: "{{ inputs.execution }}"
`,
    },
  ],
  async run(context, input) {
    const query = { isOnKillCascade: input.propagateKill };
    await new Api(context, input).open(`/executions/${encodeURIComponent(input.executionId)}/kill`, {
      method: 'DELETE',
      query,
    });
    return {};
  },
});

export const deleteExecution = defineTask({
  type: 'kestra.executions.Delete',
  title: 'Delete an execution',
  description: 'Deletes an execution with its logs, metrics and files. An execution cannot delete itself.',
  input: () =>
    z.object({
      ...serverProperties(),
      executionId: executionId(),
      deleteLogs: flag().default(true).describe('Delete its logs.'),
      deleteMetrics: flag().default(true).describe('Delete its metrics.'),
      deleteStorage: flag().default(true).describe('Delete its files.'),
    }),
  output: nothing,
  sideEffects: true,
  examples: [
    {
      title: 'Delete an execution but keep its logs.',
      runs: false,
      code: `id: delete
namespace: company.team

inputs:
  - id: execution
    type: STRING

tasks:
  - id: delete
    type: kestra.executions.Delete
    executionId: "{{ inputs.execution }}"
    deleteLogs: false
`,
    },
  ],
  async run(context, input) {
    if (input.executionId === context.run.executionId)
      throw new TaskFailed('An execution cannot delete itself.', { retry: false });
    const query = {
      deleteLogs: input.deleteLogs,
      deleteMetrics: input.deleteMetrics,
      deleteStorage: input.deleteStorage,
    };
    await new Api(context, input).open(`/executions/${encodeURIComponent(input.executionId)}`, {
      method: 'DELETE',
      query,
    });
    return {};
  },
});

export const resumeExecution = defineTask({
  type: 'kestra.executions.Resume',
  title: 'Resume a paused execution through the API',
  description: 'Resumes an execution that is paused, with the values that it asks for.',
  input: () =>
    z.object({
      ...serverProperties(),
      executionId: text().optional().describe('The id of the execution; the current one when absent.'),
      inputs: mapOf(z.unknown()).optional().describe('The values that the pause asks for.'),
    }),
  output: nothing,
  sideEffects: true,
  examples: [
    {
      title: 'Approve another execution.',
      runs: false,
      code: `id: approve
namespace: company.team

inputs:
  - id: execution
    type: STRING

tasks:
  - id: resume
    type: kestra.executions.Resume
    executionId: "{{ inputs.execution }}"
    inputs:
      approved: true
`,
    },
  ],
  async run(context, input) {
    const id = encodeURIComponent(input.executionId ?? context.run.executionId);
    const body = multipart(input.inputs ?? {});
    await new Api(context, input).open(`/executions/${id}/resume`, { method: 'POST', body });
    return {};
  },
});

/** One form field for each value, as the API expects inputs. */
function multipart(values: Readonly<Record<string, unknown>>): { contentType: string; content: string } {
  const boundary = `millrace-${crypto.randomUUID()}`;
  const parts = Object.entries(values).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name.replace(/["\r\n]/g, '_')}"\r\n\r\n${typeof value === 'string' ? value : JSON.stringify(value)}\r\n`,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: `${parts.join('')}--${boundary}--\r\n`,
  };
}
