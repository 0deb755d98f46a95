import { tmpdir } from 'node:os';
import { aTaskContext, realNetwork, realProcesses, type TestContext } from '@millrace/plugin-kit/testing';

type Overrides = NonNullable<Parameters<typeof aTaskContext>[0]>;

/** A task with the real Git and the real network, to which repositories in temporary folders are open. */
export const aGitContext = (overrides: Overrides = {}): TestContext =>
  aTaskContext({
    ...realNetwork(),
    spawn: realProcesses,
    configuration: (type) => (type === 'git' ? { allowedPaths: [tmpdir()] } : {}),
    ...overrides,
  });

export const aFlow = (id: string, namespace = 'elsewhere', message = 'hello'): string =>
  `id: ${id}\nnamespace: ${namespace}\n\ntasks:\n  - id: show\n    type: core.log.Log\n    message: ${message}\n`;
