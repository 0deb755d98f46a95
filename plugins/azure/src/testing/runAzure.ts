import { aTaskContext, realNetwork, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { azureFamily } from '../index.ts';

/** A context with the network of this machine. */
export const anAzureContext = (): TestContext =>
  aTaskContext({ ...realNetwork(), actions: { hasExecution: async () => true } });

function find(name: string) {
  const found = azureFamily.types.find(({ type }) => type === name);
  if (!found) throw new Error(`There is no type ${name}.`);
  return found;
}

export function runAzure(name: string, properties: object, context: TestContext = anAzureContext()) {
  const definition = find(name);
  if (definition.kind !== 'task' || definition.role !== 'task') throw new Error(`${name} is no task.`);
  return runType(definition, { ...properties }, context);
}

export async function pollAzure(name: string, properties: object, context: TestContext = anAzureContext()) {
  const definition = find(name);
  if (definition.kind !== 'trigger' || !definition.poll) throw new Error(`${name} does not poll.`);
  return definition.poll(context, definition.input.parse(properties));
}

/** Listens until as many events have arrived, and returns them with their keys. */
export async function listenAzure(name: string, properties: object, count: number) {
  const definition = find(name);
  if (definition.kind !== 'trigger' || !definition.listen) throw new Error(`${name} does not listen.`);
  const context = anAzureContext();
  const events: { outputs: Readonly<Record<string, unknown>>; key: string | undefined }[] = [];
  await definition.listen(context, definition.input.parse(properties), async (outputs, options) => {
    events.push({ outputs, key: options?.key });
    if (events.length >= count) context.kill();
  });
  return events;
}

export async function rowsOf(context: TestContext, uri: unknown): Promise<unknown[]> {
  const text = await context.files.text(String(uri));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
