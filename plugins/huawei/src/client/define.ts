import {
  defineTask,
  defineTrigger,
  dropMissing,
  duration,
  type Emit,
  fixed,
  type JsonMap,
  type MetricInfo,
  type TaskContext,
  type TaskDefinition,
  type TriggerContext,
  type TriggerDefinition,
} from '@millrace/plugin-kit';
import {
  type InputOf,
  type OutputFields,
  outputSchema,
  type Properties,
  schemasOf,
  taskExample,
  triggerExample,
} from '@millrace/plugin-saas/rest';
import { z } from 'zod';

interface Words<P extends Properties> {
  readonly type: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly properties: P;
  readonly output: OutputFields;
  readonly example: JsonMap;
}

interface Task<P extends Properties> extends Words<P> {
  readonly metrics?: readonly MetricInfo[];
  readonly run: (context: TaskContext, input: InputOf<P>) => Promise<JsonMap>;
}

/** A task of a service that is not REST with signed requests. */
export const huaweiTask = <P extends Properties>(task: Task<P>): TaskDefinition =>
  defineTask({
    ...wordsOf(task),
    examples: [taskExample(task.type, task.title, task.example)],
    metrics: task.metrics ?? [],
    sideEffects: true,
    input: () => z.object(schemasOf(task.properties)),
    output: () => z.object(outputSchema(task.output)),
    // `as`: the schema was made of these properties.
    run: async (context, input) => dropMissing(await task.run(context, input as InputOf<P>)),
  });

interface Poll<P extends Properties> extends Words<P> {
  readonly poll: (context: TriggerContext, input: InputOf<P>) => Promise<JsonMap | undefined>;
}

export const huaweiPoll = <P extends Properties>(trigger: Poll<P>): TriggerDefinition =>
  defineTrigger({
    ...wordsOf(trigger),
    role: 'polling',
    examples: [triggerExample(trigger.type, trigger.title, trigger.example)],
    input: () =>
      z.object({
        ...schemasOf(trigger.properties),
        interval: fixed(duration()).prefault('PT60S').describe('The pause between two polls.'),
      }),
    output: () => z.object(outputSchema(trigger.output)),
    poll: async (context, input) => {
      // `as`: the schema was made of these properties.
      const found = await trigger.poll(context, input as unknown as InputOf<P>);
      return found && dropMissing(found);
    },
  });

interface Listener<P extends Properties> extends Words<P> {
  readonly listen: (context: TriggerContext, input: InputOf<P>, emit: Emit) => Promise<void>;
}

/** A trigger that runs until it is stopped; what a stop interrupts is no failure. */
export const huaweiListener = <P extends Properties>(trigger: Listener<P>): TriggerDefinition =>
  defineTrigger({
    ...wordsOf(trigger),
    role: 'realtime',
    examples: [triggerExample(trigger.type, trigger.title, trigger.example)],
    input: () => z.object(schemasOf(trigger.properties)),
    output: () => z.object(outputSchema(trigger.output)),
    listen: (context, input, emit) =>
      // `as`: the schema was made of these properties.
      trigger.listen(context, input as InputOf<P>, emit).catch((error: unknown) => {
        if (!context.signal.aborted) throw error;
      }),
  });

const wordsOf = ({ type, aliases, title, description }: Words<Properties>) => ({
  type,
  title,
  description,
  ...(aliases && { aliases }),
});
