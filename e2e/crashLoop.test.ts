import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Execution, isTerminal } from '@millrace/contract';
import { expect, it } from 'vitest';
import { Api } from './product/api.ts';
import { findFreePort } from './product/freePort.ts';
import { launchProduct, runProduct } from './product/launchProduct.ts';

/** A plugin whose task ends the whole process, as a fault in native code would. */
const crashing = `import { appendFileSync } from 'node:fs';
export default ({ defineTask, z, text }) => [
  defineTask({
    type: 'crash.Now',
    title: 'End the process',
    input: z.object({ counter: text() }),
    run: async (_, { counter }) => {
      appendFileSync(counter, 'x');
      process.kill(process.pid, 'SIGKILL');
      await new Promise(() => {});
    },
  }),
];
`;

it('[A41] [E430] a task that takes its server down three times waits, so that others run and it can be killed', async () => {
  const data = mkdtempSync(join(tmpdir(), 'millrace-crash-'));
  const plugins = join(data, 'plugins');
  mkdirSync(plugins);
  writeFileSync(join(plugins, 'crash.mjs'), crashing);
  const place = { data, env: { MILLRACE_PLUGINS_FOLDER: plugins } };
  const isOver = ({ state }: Execution) => isTerminal(state.current);
  try {
    const first = await launchProduct(place);
    const api = new Api(first.url);
    const tasks = (task: string) => `namespace: crash\ntasks:\n  - ${task}\n`;
    const crash = `{id: crash, type: crash.Now, counter: "${join(data, 'counter')}"}`;
    await api.saveFlow(`id: loop\n${tasks(crash)}`);
    await api.saveFlow(`id: fine\n${tasks('{id: say, type: core.log.Log, message: fine}')}`);
    const { id } = await api.execute('crash', 'loop');
    expect(await first.exited).toMatchObject({ signal: 'SIGKILL' });
    for (const _ of ['second', 'third']) {
      const ports = [
        '--port',
        String(await findFreePort()),
        '--management-port',
        String(await findFreePort()),
      ];
      // It may be gone before it could say that it is healthy.
      expect(await runProduct(['--data', data, ...ports], place).exited).toMatchObject({ signal: 'SIGKILL' });
    }
    const last = await launchProduct(place);
    const again = new Api(last.url);
    const { id: fine } = await again.execute('crash', 'fine');
    expect((await again.waitForExecution(fine, isOver)).state.current).toBe('SUCCESS');
    expect(await again.readLogs(id)).toMatch(/lost 3 times/);
    await again.kill(id);
    expect((await again.waitForExecution(id, isOver)).state.current).toBe('KILLED');
    expect(readFileSync(join(data, 'counter'), 'utf8')).toBe('xxx');
    await last.stop('SIGKILL');
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
