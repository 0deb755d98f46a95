import type { Task } from '@millrace/contract';
import type { TaskDefinition } from '../definition.ts';
import { runTask } from '../runTask.ts';
import { aTaskContext, type TestContext } from './testContext.ts';

/** Runs a task with these properties and returns its outputs. */
export async function runType(
  definition: TaskDefinition,
  properties: Readonly<Record<string, unknown>> = {},
  context: TestContext = aTaskContext(),
): Promise<Readonly<Record<string, unknown>>> {
  const task = { id: 't', type: definition.type, ...properties } as Task; // a plain map is all a task is
  return (await runTask(definition, task, context)).outputs;
}
