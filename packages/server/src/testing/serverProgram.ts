import { fileURLToPath } from 'node:url';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Arguments of `node` that run the server: `npm test` has built it, which starts ten times as fast as the sources. */
export const serverProgram: readonly string[] =
  process.env.MILLRACE_TEST_WHOLE === 'true'
    ? [at('../../../../dist/server/millrace.js')]
    : ['--import', 'tsx', at('../main.ts')];
