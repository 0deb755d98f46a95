import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';

/**
 * One file per program of the server. The rooms and the plain JavaScript packages are bundled, so that a start reads a
 * few files instead of two thousand; what is native or finds its own files at run time stays outside. The chunks lie
 * beside the programs, because they look for each other there.
 */
const programs = {
  millrace: 'src/main.ts',
  storeWriter: '../store/src/sqlite/writer.ts',
  storeReader: '../store/src/sqlite/reader.ts',
  spawnHelper: '../../plugins/scripts/src/process/helper.js',
  pluginProbe: '../plugin-kit/src/load/probe.js',
  importModule: '../plugin-kit/src/importModule.ts',
};

/** Client libraries are loaded from node_modules when a task first needs them, so no family slows the start. */
function clientLibraries(): string[] {
  const folder = join(import.meta.dirname, '../../plugins');
  return readdirSync(folder)
    .flatMap((family) => {
      const manifest: { dependencies?: Record<string, string> } = JSON.parse(
        readFileSync(join(folder, family, 'package.json'), 'utf8'),
      );
      return Object.keys(manifest.dependencies ?? {});
    })
    .filter((name) => !name.startsWith('@millrace/') && !bundled.has(name));
}

const bundled = new Set(['zod', 'yaml']);

export default defineConfig({
  root: import.meta.dirname,
  ssr: {
    noExternal: true,
    external: ['@photostructure/sqlite', 'pg', 'pg-native', ...clientLibraries()],
  },
  build: {
    ssr: true,
    target: 'node20',
    outDir: '../../dist/server',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rollupOptions: {
      input: programs,
      output: { format: 'cjs', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  plugins: [
    {
      name: 'millrace-commonjs',
      generateBundle() {
        this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
      },
    },
  ],
});
