import { rmSync } from 'node:fs';
import { build } from 'vite';
import { inRoot } from '../setup/root.mjs';

/**
 * Builds the two threads of the embedded database once for a whole test run. Every store that a test opens starts both;
 * from sources each of them loads a compiler and the files one by one, which takes longer than most tests.
 */
export async function setup() {
  // Below `node_modules`, so that what the threads import is found on Node 20 too.
  const folder = inRoot('node_modules', '.cache', `threads-${process.pid}`);
  await build({
    configFile: false,
    root: inRoot(),
    logLevel: 'error',
    build: {
      ssr: true,
      outDir: folder,
      target: 'node20',
      minify: false,
      rollupOptions: {
        input: {
          storeWriter: inRoot('packages/store/src/sqlite/writer.ts'),
          storeReader: inRoot('packages/store/src/sqlite/reader.ts'),
        },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  process.env.MILLRACE_STORE_THREADS = folder;
  return () => {
    delete process.env.MILLRACE_STORE_THREADS;
    rmSync(folder, { recursive: true, force: true });
  };
}
