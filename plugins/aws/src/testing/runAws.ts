import { aTaskContext, realNetwork, runFamily, type TestContext } from '@millrace/plugin-kit/testing';
import { awsFamily } from '../index.ts';

/** A context with the network of this machine. */
export const anAwsContext = (): TestContext =>
  aTaskContext({ ...realNetwork(), actions: { hasExecution: async () => true } });

export const { run: runAws, poll: pollAws, listen: listenAws } = runFamily(awsFamily, anAwsContext);
