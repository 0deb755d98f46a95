import { inputTypes } from '@millrace/contract';
import { z } from 'zod';
import type { PluginCatalogue } from './catalogue.ts';
import { anything, choice, deprecated, duration, fixed, flag, integer, mapOf, text } from './dynamic.ts';
import { type JsonSchema, toEditorSchema, toJsonSchema } from './jsonSchema.ts';

const at = (place: string) => z.looseObject({}).meta({ $place: place });
const listAt = (place: string) => fixed(z.array(at(place)));
const labels = () => z.union([fixed(mapOf(text())), z.array(z.strictObject({ key: text(), value: text() }))]);

const output = z.strictObject({
  id: fixed(text()).describe('The name of the output.'),
  type: fixed(choice(inputTypes)).describe('The type of the value.'),
  value: anything().describe('Rendered when the execution ends.'),
  description: text().optional().describe('What it is. Markdown.'),
  displayName: text().optional().describe('Shown instead of the id.'),
  required: fixed(flag()).default(true).describe('The execution fails when there is no value.'),
});

const sla = z.strictObject({
  id: fixed(text()).describe('The name of the agreement.'),
  type: fixed(choice(['MAX_DURATION', 'EXECUTION_ASSERTION'])).describe('What the SLA watches.'),
  behavior: fixed(choice(['FAIL', 'CANCEL', 'NONE'])).describe(
    'What happens to the execution that breaks it.',
  ),
  duration: fixed(duration()).optional().describe('For MAX_DURATION: the longest an execution may take.'),
  assert: text().optional().describe('For EXECUTION_ASSERTION: must render to a truthy value.'),
  labels: labels().optional().describe('Put on the execution that breaks it.'),
});

const check = z.strictObject({
  condition: text().describe('Must render to a truthy value, or the check fails.'),
  message: text().describe('Shown when the check fails.'),
  style: fixed(choice(['ERROR', 'WARNING', 'INFO', 'SUCCESS']))
    .default('INFO')
    .describe('How the message is shown.'),
  behavior: fixed(choice(['BLOCK_EXECUTION', 'FAIL_EXECUTION', 'CREATE_EXECUTION']))
    .default('BLOCK_EXECUTION')
    .describe(
      'What a failed check does: refuse the start, start an execution that fails, or only show the message.',
    ),
});

const concurrency = z.strictObject({
  limit: fixed(integer({ min: 1 })).describe('How many executions may run at once.'),
  behavior: fixed(choice(['QUEUE', 'CANCEL', 'FAIL']))
    .default('QUEUE')
    .describe('What happens to an execution above the limit.'),
});

const flow = z.strictObject({
  id: fixed(text()).describe('The name of the flow; it cannot be changed.'),
  namespace: fixed(text()).describe('Where the flow lives; it cannot be changed.'),
  tasks: fixed(z.array(at('Task')).min(1)).describe('What the flow does, one task after the other.'),
  description: text().optional().describe('What the flow is for. Markdown.'),
  labels: labels().optional().describe('Put on every execution.'),
  inputs: listAt('Input').optional().describe('Values an execution is started with.'),
  variables: fixed(z.record(z.string(), z.unknown()))
    .optional()
    .describe('Values reached by `{{ vars.name }}`.'),
  triggers: listAt('Trigger').optional().describe('Triggers start executions by themselves.'),
  errors: listAt('Task').optional().describe('Run when a task has failed.'),
  finally: listAt('Task').optional().describe('Run at the end, whatever happened.'),
  afterExecution: listAt('Task').optional().describe('Run after the execution has its final state.'),
  outputs: fixed(z.array(output)).optional().describe('The values that the flow returns to the caller.'),
  pluginDefaults: listAt('PluginDefault').optional().describe('Properties given to all tasks of a type.'),
  taskDefaults: deprecated(listAt('PluginDefault').optional(), 'use `pluginDefaults`.'),
  concurrency: concurrency.optional().describe('How many executions may run at once.'),
  retry: at('Retry').optional().describe('When and how often to try again after a failure.'),
  sla: fixed(z.array(sla)).optional().describe('Agreements every execution is held to.'),
  checks: fixed(z.array(check))
    .optional()
    .describe('Conditions on the inputs that are checked before an execution starts.'),
  disabled: fixed(flag()).default(false).describe('No execution can be started.'),
  revision: fixed(integer({ min: 1 }))
    .optional()
    .describe('Given by the server; ignored here.'),
  listeners: deprecated(
    fixed(
      z.array(
        z.strictObject({
          description: text().optional(),
          conditions: listAt('Condition').optional(),
          tasks: listAt('Task'),
        }),
      ),
    ).optional(),
    'use `afterExecution`.',
  ),
});

const template = z.strictObject({
  id: fixed(text()).describe('The name of the template.'),
  namespace: fixed(text()).describe('Where the template lives.'),
  description: text().optional().describe('What it is for. Markdown.'),
  tasks: fixed(z.array(at('Task')).min(1)).describe('The tasks of the template.'),
  errors: listAt('Task').optional().describe('Run when a task has failed.'),
});

/** The properties of a dashboard; its charts are validated by their own types. */
export const dashboardProperties = z.strictObject({
  id: fixed(text()).optional().describe('The name of the dashboard.'),
  title: fixed(text()).describe('The heading.'),
  description: fixed(text()).optional().describe('Shown below the heading.'),
  timeWindow: z
    .strictObject({
      default: fixed(duration()).prefault('P30D').describe('The span shown at first.'),
      max: fixed(duration()).prefault('P366D').describe('The longest span that may be chosen.'),
    })
    .optional()
    .describe('How far back the charts look.'),
  charts: listAt('Chart').describe('The charts, in order.'),
});

const toSchema = (schema: z.ZodObject): JsonSchema => toEditorSchema(toJsonSchema(schema));

/** The definitions of whole documents: a flow, a template, a dashboard, a plugin default. */
export function flowProperties(catalogue: PluginCatalogue): JsonSchema {
  const types = catalogue.list().filter(({ kind }) => kind === 'task' || kind === 'trigger');
  return {
    Flow: toSchema(flow),
    Template: toSchema(template),
    Dashboard: toSchema(dashboardProperties),
    PluginDefault: {
      type: 'object',
      required: ['type', 'values'],
      additionalProperties: false,
      properties: {
        // A prefix of a type's name is allowed, so the list only helps to choose.
        type: { anyOf: [{ enum: types.map(({ type }) => type) }, { type: 'string' }] },
        forced: {
          type: 'boolean',
          default: false,
          markdownDescription: 'The value wins over what the task says.',
        },
        values: { type: 'object', markdownDescription: 'The properties and their values.' },
      },
    },
  };
}
