import { createHash } from 'node:crypto';
import type { TaskContext } from '@millrace/plugin-kit';
import { flag, text } from '@millrace/plugin-kit';

export const stateProperties = {
  name: text().default('default').describe('The name of the state.'),
  namespace: flag()
    .default(false)
    .describe('Shared by all flows of the namespace instead of this flow alone.'),
  taskrunValue: flag().default(true).describe('Inside a loop, one state per value.'),
};

interface Choice {
  readonly name: string;
  readonly namespace: boolean;
  readonly taskrunValue: boolean;
}

/** The key under which a state lives in the key-value store of the namespace. */
export function stateKey(
  { run }: Pick<TaskContext, 'run'>,
  { name, namespace, taskrunValue }: Choice,
): string {
  const owner = namespace ? '' : `${run.flowId}_`;
  const value = taskrunValue && run.value !== undefined ? `_${shortHash(run.value)}` : '';
  return `${owner}states_tasks-states_${name}${value}`;
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

export type StateData = Readonly<Record<string, unknown>>;

export async function readState(
  context: Pick<TaskContext, 'run' | 'kv'>,
  key: string,
): Promise<StateData | undefined> {
  const found = await context.kv.get(key, context.run.namespace);
  return typeof found === 'object' && found !== null ? (found as StateData) : undefined; // maps are all that Set stores
}
