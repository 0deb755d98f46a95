import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const sealed = fileURLToPath(new URL('../../../scripts/millrace-sealed', import.meta.url));
const module = new URL('./unsealEnvironment.mjs', import.meta.url).href;

/** A process that unseals its variables, and its child, which reads the parent's initial environment. */
const program = `
  import { spawnSync } from 'node:child_process';
  import { unsealEnvironment } from ${JSON.stringify(module)};
  unsealEnvironment(process.env);
  const look = "tr '\\\\0' '\\\\n' < /proc/$PPID/environ | grep -c SECRET_HIDDEN";
  const found = spawnSync('sh', ['-c', look], { env: { PATH: process.env.PATH } }).stdout.toString().trim();
  console.log(JSON.stringify({ found, known: process.env.SECRET_HIDDEN, seal: process.env.MILLRACE_SEALED_FD }));
`;

const run = (command: readonly string[]) =>
  new Promise<unknown>((resolve, reject) => {
    const [name = '', ...args] = [...command, '--import', 'tsx', '--input-type=module', '-e', program];
    const env = { ...process.env, SECRET_HIDDEN: 'two\nlines = ✓' };
    execFile(name, args, { env }, (error, stdout) => (error ? reject(error) : resolve(JSON.parse(stdout))));
  });

it.runIf(process.platform === 'linux')(
  '[A34] a task cannot read the variables of a sealed server from its process',
  async () => {
    const known = 'two\nlines = ✓';
    expect(await run([process.execPath])).toEqual({ found: '1', known });
    expect(await run(['sh', sealed, process.execPath])).toEqual({ found: '0', known });
  },
  180_000,
);
