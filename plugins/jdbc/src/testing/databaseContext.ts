import type { Socket } from 'node:net';
import {
  createOutboundClient,
  type Definition,
  type Outputs,
  type TaskDefinition,
} from '@millrace/plugin-kit';
import { aTaskContext, runType, type TestContext } from '@millrace/plugin-kit/testing';
import type { ProcessHelper } from '@millrace/plugin-scripts';

const outbound = createOutboundClient();

/** A context that can reach servers of the test. */
export const aDatabaseContext = (): TestContext =>
  aTaskContext({
    connect: (request) => outbound.connect(request),
    fetch: (request) => outbound.send(request),
  });

/** As above; `readBytes` is what its connections have received. */
export function aCountingContext(): { context: TestContext; readBytes: () => number } {
  const sockets: Socket[] = [];
  const context = aTaskContext({
    connect: async (request) => {
      const socket = await outbound.connect(request);
      sockets.push(socket);
      return socket;
    },
  });
  return { context, readBytes: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0) };
}

/** A context whose processes are real; the caller closes the helper. */
export function aProcessContext(helper: ProcessHelper): TestContext {
  // The context is created before its signal exists.
  const context: TestContext = aTaskContext({
    spawn: (request) => helper.spawn({ ...request, signal: request.signal ?? context.signal }),
  });
  return context;
}

/** Runs types of a list by the last part of their name. */
export function runnerOf(types: readonly Definition[]) {
  return async (
    kind: string,
    properties: Readonly<Record<string, unknown>>,
    context: TestContext,
  ): Promise<Outputs> => {
    const definition = types.find(({ type }) => type.endsWith(`.${kind}`));
    if (definition?.kind !== 'task' || definition.role !== 'task')
      throw new Error(`There is no task ${kind}.`);
    const task: TaskDefinition = definition;
    return runType(task, properties, context);
  };
}

/** One poll of a trigger in a list. */
export async function pollOf(
  types: readonly Definition[],
  properties: Readonly<Record<string, unknown>>,
  context: TestContext,
): Promise<Outputs | undefined> {
  const trigger = types.find(({ kind }) => kind === 'trigger');
  if (trigger?.kind !== 'trigger') throw new Error('There is no trigger.');
  return trigger.poll?.(context, trigger.input.parse(properties));
}

/** The lines of a stored file, one per row. */
export async function storedLines(context: TestContext, uri: unknown): Promise<string[]> {
  return (await context.files.text(String(uri))).split('\n').filter((line) => line !== '');
}
