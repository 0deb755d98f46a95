import {
  aTaskContext,
  realNetwork,
  realProcesses,
  runFamily,
  type TestContext,
} from '@millrace/plugin-kit/testing';
import { huaweiFamily } from '../index.ts';

/** A context with the network and the processes of this machine. */
export const aContext = (): TestContext =>
  aTaskContext({ ...realNetwork(), spawn: realProcesses, actions: { hasExecution: async () => true } });

export const { run, poll, listen } = runFamily(huaweiFamily, aContext);
