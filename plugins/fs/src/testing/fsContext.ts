import { aTaskContext, realNetwork, realProcesses, type TestContext } from '@millrace/plugin-kit/testing';

type Overrides = NonNullable<Parameters<typeof aTaskContext>[0]>;

/** A task or trigger with the real network, whose executions are always stored. */
export const anFsContext = (overrides: Overrides = {}): TestContext =>
  aTaskContext({
    ...realNetwork(),
    spawn: realProcesses,
    actions: { hasExecution: async () => true },
    ...overrides,
  });
