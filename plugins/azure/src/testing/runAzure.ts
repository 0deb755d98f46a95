import { aTaskContext, realNetwork, runFamily, type TestContext } from '@millrace/plugin-kit/testing';
import { azureFamily } from '../index.ts';

/** A context with the network of this machine. */
export const anAzureContext = (): TestContext =>
  aTaskContext({ ...realNetwork(), actions: { hasExecution: async () => true } });

export const { run: runAzure, poll: pollAzure, listen: listenAzure } = runFamily(azureFamily, anAzureContext);
