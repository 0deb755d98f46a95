import { z } from 'zod';
import { Label } from './label.ts';
import { StateType } from './state.ts';

/** A task as its author wrote it: the properties every task has, and the type's own beside them. */
export const Task = z.looseObject({ id: z.string(), type: z.string() });
export type Task = z.infer<typeof Task>;

export const TriggerDefinition = z.looseObject({
  id: z.string(),
  type: z.string(),
  description: z.string().optional(),
  disabled: z.boolean().optional(),
  stopAfter: z.array(StateType).optional(),
});
export type TriggerDefinition = z.infer<typeof TriggerDefinition>;

export const inputTypes = [
  'STRING',
  'INT',
  'FLOAT',
  'BOOLEAN',
  'BOOL',
  'DATETIME',
  'DATE',
  'TIME',
  'DURATION',
  'FILE',
  'JSON',
  'YAML',
  'URI',
  'SECRET',
  'ARRAY',
  'EMAIL',
  'SELECT',
  'MULTISELECT',
  'ENUM',
] as const;
export const InputType = z.enum(inputTypes);
export type InputType = z.infer<typeof InputType>;

export const Input = z.looseObject({
  id: z.string(),
  type: InputType,
  description: z.string().optional(),
  displayName: z.string().optional(),
  required: z.boolean().optional(),
  defaults: z.unknown().optional(),
  dependsOn: z
    .object({ inputs: z.array(z.string()).optional(), condition: z.string().optional() })
    .optional(),
});
export type Input = z.infer<typeof Input>;

export const Output = z.looseObject({
  id: z.string(),
  type: InputType,
  value: z.unknown(),
  description: z.string().optional(),
  displayName: z.string().optional(),
});
export type Output = z.infer<typeof Output>;

export const Concurrency = z.object({
  limit: z.number().int().positive(),
  behavior: z.enum(['QUEUE', 'CANCEL', 'FAIL']),
});
export type Concurrency = z.infer<typeof Concurrency>;

export const PluginDefault = z.object({
  type: z.string(),
  forced: z.boolean(),
  values: z.record(z.string(), z.unknown()),
});
export type PluginDefault = z.infer<typeof PluginDefault>;

export const Sla = z.looseObject({
  id: z.string(),
  type: z.enum(['MAX_DURATION', 'EXECUTION_ASSERTION']),
  behavior: z.enum(['FAIL', 'CANCEL', 'NONE']),
  labels: z.array(Label).optional(),
});
export type Sla = z.infer<typeof Sla>;

/** A condition that must hold before an execution is started; when it does not, its message is shown. */
export const FlowCheck = z.object({
  condition: z.string(),
  message: z.string(),
  style: z.enum(['ERROR', 'WARNING', 'INFO', 'SUCCESS']),
  behavior: z.enum(['BLOCK_EXECUTION', 'FAIL_EXECUTION', 'CREATE_EXECUTION']),
});
export type FlowCheck = z.infer<typeof FlowCheck>;

export const Listener = z.looseObject({
  description: z.string().optional(),
  conditions: z.array(z.looseObject({ type: z.string() })).optional(),
  tasks: z.array(Task),
});
export type Listener = z.infer<typeof Listener>;

export const Flow = z.object({
  tenantId: z.string().optional(),
  id: z.string(),
  namespace: z.string(),
  revision: z.number().int(),
  description: z.string().optional(),
  labels: z.array(Label).optional(),
  inputs: z.array(Input).optional(),
  outputs: z.array(Output).optional(),
  variables: z.record(z.string(), z.unknown()).optional(),
  tasks: z.array(Task),
  errors: z.array(Task).optional(),
  finally: z.array(Task).optional(),
  afterExecution: z.array(Task).optional(),
  listeners: z.array(Listener).optional(),
  triggers: z.array(TriggerDefinition).optional(),
  pluginDefaults: z.array(PluginDefault).optional(),
  concurrency: Concurrency.optional(),
  retry: z.looseObject({ type: z.string() }).optional(),
  sla: z.array(Sla).optional(),
  checks: z.array(FlowCheck).optional(),
  disabled: z.boolean(),
  deleted: z.boolean(),
  /** Types that no plugin of the server provides; such a flow stays disabled. */
  unknownTypes: z.array(z.string()).optional(),
});
export type Flow = z.infer<typeof Flow>;

export const FlowWithSource = Flow.extend({ source: z.string(), exception: z.string().optional() });
export type FlowWithSource = z.infer<typeof FlowWithSource>;

/** A saved revision: when it was saved, by whom and why. */
export const FlowRevision = FlowWithSource.extend({
  updated: z.string().optional(),
  author: z.string().optional(),
  message: z.string().optional(),
});
export type FlowRevision = z.infer<typeof FlowRevision>;

const TaskForExecution: z.ZodType<TaskForExecution> = z.lazy(() =>
  z.looseObject({ id: z.string(), type: z.string(), tasks: z.array(TaskForExecution).optional() }),
);
export type TaskForExecution = {
  id: string;
  type: string;
  tasks?: TaskForExecution[] | undefined;
  [key: string]: unknown;
};

/** The shape of a flow without its properties, for the execution pages. */
export const FlowForExecution = z.object({
  tenantId: z.string().optional(),
  id: z.string(),
  namespace: z.string(),
  revision: z.number().int(),
  inputs: z.array(Input).optional(),
  disabled: z.boolean(),
  deleted: z.boolean(),
  tasks: z.array(TaskForExecution),
  errors: z.array(TaskForExecution),
  finally: z.array(TaskForExecution),
  afterExecution: z.array(TaskForExecution),
  triggers: z.array(z.looseObject({ id: z.string(), type: z.string() })),
});
export type FlowForExecution = z.infer<typeof FlowForExecution>;

export const FlowValidation = z.object({
  flow: z.string().optional(),
  namespace: z.string().optional(),
  index: z.number().int(),
  /** All violations in one text, joined by ", ". A message may hold commas itself: read `violations` to tell them apart. */
  constraints: z.string().optional(),
  violations: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  outdated: z.boolean(),
  deprecationPaths: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
  infos: z.array(z.string()).optional(),
});
export type FlowValidation = z.infer<typeof FlowValidation>;

type Violation = NonNullable<FlowValidation['violations']>[number];

/** How a validation reports its violations; empty when there are none. */
export function tellViolations(
  violations: readonly Violation[],
): Pick<FlowValidation, 'constraints' | 'violations'> {
  if (violations.length === 0) return {};
  const texts = violations.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return { constraints: texts.join(', '), violations: [...violations] };
}
