import { type Definition, ownProperties, readInput, type TriggerDefinition } from '@millrace/plugin-kit';
import { aTaskContext, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { exampleProperties, writtenProperties } from './exampleProperties.ts';

/** The ways out of the process that a context offers. */
export type Outside = NonNullable<Parameters<typeof aTaskContext>[0]>;

/** A run of an example: the context that can kill it, and its end. */
export interface ExampleRun {
  readonly context: TestContext;
  readonly ended: Promise<unknown>;
}

/** True for types that code of their own runs: tasks, and triggers that poll or listen. */
export const canRun = (definition: Definition): boolean =>
  (definition.kind === 'task' && definition.role === 'task') ||
  (definition.kind === 'trigger' && (definition.poll ?? definition.listen) !== undefined);

/** Starts each example of a type, with values in the place of expressions. */
export async function* runExamples(
  definition: Definition,
  port: number,
  outside: (signal: () => AbortSignal) => Outside,
): AsyncGenerator<ExampleRun> {
  const count = writtenProperties(definition).length;
  for (let index = 0; index < count; index++) {
    // The context is created before its signal exists.
    const context: TestContext = aTaskContext(outside(() => context.signal));
    const uri = await context.files.put('rows.ion', '{"id":1,"name":"a"}\n');
    const properties = exampleProperties(definition, { fileUri: uri, port })[index] ?? {};
    yield { context, ended: start(definition, properties, context) };
  }
}

async function start(
  definition: Definition,
  properties: Readonly<Record<string, unknown>>,
  context: TestContext,
): Promise<unknown> {
  if (definition.kind === 'task' && definition.role === 'task')
    return runType(definition, properties, context);
  if (definition.kind !== 'trigger') throw new Error(`${definition.type} does not run.`);
  const trigger: TriggerDefinition = definition;
  const own = ownProperties('trigger', properties, trigger.input.shape);
  const input = readInput(trigger.type, trigger.input, own);
  return trigger.poll ? trigger.poll(context, input) : trigger.listen?.(context, input, context.emit);
}
