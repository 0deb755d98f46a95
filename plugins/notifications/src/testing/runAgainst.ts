import type { TaskDefinition } from '@millrace/plugin-kit';
import { runType } from '@millrace/plugin-kit/testing';
import { aNotifyingContext, type Received, type Reply, startReceiver } from './receiver.ts';

type Data = Record<string, unknown>;

/** Runs a task whose requests to `from` go to a receiver. */
export async function runAgainst(
  task: TaskDefinition,
  properties: Data | ((url: string) => Data),
  {
    from = 'https://unused',
    reply,
  }: { from?: string; reply?: (request: Received, count: number) => Reply } = {},
) {
  const { url, received } = await startReceiver(reply);
  const context = aNotifyingContext({ redirect: { from, to: url } });
  const given = typeof properties === 'function' ? properties(url) : properties;
  const outputs = await runType(task, given, context);
  return { outputs, received, context, body: received.at(-1)?.body ?? {} };
}
