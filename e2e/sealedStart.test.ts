import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFlags } from '../scripts/setup/nodeFlags.mjs';
import { inRoot } from '../scripts/setup/root.mjs';
import { Api } from './product/api.ts';
import { launchProduct } from './product/launchProduct.ts';

/** Counts what a task can read of the server's secrets: in its own environment and in those of its ancestors. */
const flow = `id: spy
namespace: company.team
inputs:
  - id: server
    type: INT
tasks:
  - id: look
    type: io.kestra.plugin.scripts.shell.Commands
    taskRunner:
      type: io.kestra.plugin.core.runner.Process
    commands:
      - echo "known {{ secret('HIDDEN') | length }}"
      - echo "own $(env | grep -c -e HIDDEN -e ENCRYPTION -e a-long-password)"
      - |
        pid=$$
        while [ "$pid" != "{{ inputs.server }}" ]; do
          pid=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$pid/status")
          echo "ancestor $pid $(tr '\\\\0' '\\\\n' < "/proc/$pid/environ" | grep -c -e HIDDEN -e ENCRYPTION -e a-long-password)"
          echo "command $pid $(tr '\\\\0' '\\\\n' < "/proc/$pid/cmdline" | grep -c -e HIDDEN -e a-long-password)"
        done
`;

const commands = {
  'npm start and the millrace command': ['sh', inRoot('scripts', 'millrace')],
  'the container image': [
    ...['sh', inRoot('scripts', 'millrace-sealed')],
    ...[process.execPath, ...nodeFlags, inRoot('dist', 'server', 'millrace.js')],
  ],
};

it.runIf(process.platform === 'linux').each(Object.entries(commands))(
  '[A34] a task cannot read the secrets of the server when it is started by %s',
  async (_, command) => {
    const product = await launchProduct({
      command,
      env: {
        SECRET_HIDDEN: Buffer.from('hidden value').toString('base64'),
        MILLRACE_ENCRYPTION_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
        MILLRACE_STORAGE_SECRET_ACCESS_KEY: 'a-long-password',
      },
    });
    try {
      expect(product.output()).not.toContain('Tasks can read');
      const api = new Api(product.url);
      await api.saveFlow(flow);
      const { id } = await api.execute('company.team', 'spy', { server: String(product.pid) });
      await api.waitForExecution(
        id,
        ({ state }) => state.current === 'SUCCESS' || state.current === 'FAILED',
      );
      const log = await api.readLogs(id);
      const lines = [...log.matchAll(/(known \d+|own \d+|ancestor \d+ \d+|command \d+ \d+)$/gm)].map(
        ([line]) => line.replace(/ \d+ (\d+)$/, ' $1'),
      );
      // The helper that starts processes, and the server itself.
      const ancestors = ['ancestor 0', 'command 0', 'ancestor 0', 'command 0'];
      expect(lines).toEqual(['known 12', 'own 0', ...ancestors]);
    } finally {
      await product.stop();
    }
  },
);

it('npm start, the millrace command and the container image start sealed', () => {
  const { scripts, bin } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  expect([scripts.start, bin.millrace]).toEqual(['sh scripts/millrace', 'scripts/millrace']);
  expect(readFileSync(inRoot('Dockerfile'), 'utf8')).toContain(
    'ENTRYPOINT ["sh", "scripts/millrace-sealed", ',
  );
});
