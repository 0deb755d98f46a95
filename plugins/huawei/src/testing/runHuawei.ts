import {
  aTaskContext,
  realNetwork,
  realProcesses,
  runType,
  type TestContext,
} from '@millrace/plugin-kit/testing';
import { huaweiFamily } from '../index.ts';

/** A context with the network and the processes of this machine. */
export const aContext = (): TestContext =>
  aTaskContext({ ...realNetwork(), spawn: realProcesses, actions: { hasExecution: async () => true } });

function find(name: string) {
  const found = huaweiFamily.types.find(({ type }) => type === `huawei.${name}`);
  if (!found) throw new Error(`There is no type ${name}.`);
  return found;
}

export function run(name: string, properties: object, context: TestContext = aContext()) {
  const definition = find(name);
  if (definition.kind !== 'task' || definition.role !== 'task') throw new Error(`${name} is no task.`);
  return runType(definition, { ...properties }, context);
}

export async function poll(name: string, properties: object, context: TestContext = aContext()) {
  const definition = find(name);
  if (definition.kind !== 'trigger' || !definition.poll) throw new Error(`${name} does not poll.`);
  return definition.poll(context, definition.input.parse(properties));
}

/** Listens until as many events have arrived, and returns them with their keys. */
export async function listen(
  name: string,
  properties: object,
  count: number,
  context: TestContext = aContext(),
) {
  const definition = find(name);
  if (definition.kind !== 'trigger' || !definition.listen) throw new Error(`${name} does not listen.`);
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
