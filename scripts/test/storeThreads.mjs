import { rmSync } from 'node:fs';
import { build } from 'vite';
import { inRoot } from '../setup/root.mjs';

/**
 * Builds the two threads of the embedded database once per test run, and a process that tests kill. Every store that a
 * test opens starts both threads; from sources each loads a compiler and every file, which takes longer than most tests.
 */
export async function setup() {
  // Below `node_modules`, so that Node 20 also resolves the imports of the threads.
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
          commitForever: inRoot('packages/store/src/sqlite/testing/commitForever.ts'),
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
