import type { Family } from '../definition.ts';
import { readTypedRows } from '../files/typedRows.ts';
import { runType } from './runType.ts';
import type { TestContext } from './testContext.ts';

/** Runs the types of a family by their names, each in a new context unless one is given. */
export function runFamily(family: Family, aContext: () => TestContext) {
  const find = (name: string) => {
    const found = family.types.find(({ type }) => type === name);
    if (!found) throw new Error(`There is no type ${name}.`);
    return found;
  };
  return {
    run(name: string, properties: object, context = aContext()) {
      const definition = find(name);
      if (definition.kind !== 'task' || definition.role !== 'task') throw new Error(`${name} is no task.`);
      return runType(definition, { ...properties }, context);
    },

    async poll(name: string, properties: object, context = aContext()) {
      const definition = find(name);
      if (definition.kind !== 'trigger' || !definition.poll) throw new Error(`${name} does not poll.`);
      return definition.poll(context, definition.input.parse(properties));
    },

    /** Listens until as many events have arrived, and returns them with their keys. */
    async listen(name: string, properties: object, count: number, context = aContext()) {
      const definition = find(name);
      if (definition.kind !== 'trigger' || !definition.listen) throw new Error(`${name} does not listen.`);
      const events: { outputs: Readonly<Record<string, unknown>>; key: string | undefined }[] = [];
      await definition.listen(context, definition.input.parse(properties), async (outputs, options) => {
        events.push({ outputs, key: options?.key });
        if (events.length >= count) context.kill();
      });
      return events;
    },
  };
}

/** The rows of a stored file. */
export async function storedRows(context: TestContext, uri: unknown): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const row of readTypedRows(context, String(uri))) rows.push(row);
  return rows;
}
