import {
  type Outputs,
  type Properties,
  readInput,
  type TaskContext,
  TaskFailed,
  Warning,
} from '@millrace/plugin-kit';

/**
 * Runs a task of another family, such as a query of a database, with these values. Unlike `runNested` it does
 * not render: the values come from models and stores, and an expression in them must stay text.
 */
export async function runOtherTask(context: TaskContext, type: string, values: Properties): Promise<Outputs> {
  const definition = context.findType(type);
  if (definition?.kind !== 'task' || definition.role !== 'task')
    throw new TaskFailed(`This needs the task type "${type}", which is not installed.`, { retry: false });
  const result = await definition.run(
    withoutMetrics(context),
    readInput(definition.type, definition.input, values),
  );
  return result instanceof Warning ? result.outputs : result;
}

/** Drops the metrics of a helper task, which would otherwise count as metrics of the task itself. */
function withoutMetrics(context: TaskContext): TaskContext {
  return new Proxy(context, {
    get(target, name) {
      if (name === 'metric') return () => {};
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
