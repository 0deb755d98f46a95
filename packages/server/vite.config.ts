import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import type { Family } from '../plugin-kit/src/definition.ts';
import { summarizeFamily } from '../plugin-kit/src/familySource.ts';

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
  embeddedDatabase: '../../plugins/jdbc/src/embedded/host.js',
  transformWorker: '../../plugins/transform/src/worker/worker.js',
  pluginProbe: '../plugin-kit/src/load/probe.js',
  importModule: '../plugin-kit/src/importModule.ts',
};

const pluginFolder = join(import.meta.dirname, '../../plugins');
/** The package that lists the others has no types. */
const familyNames = readdirSync(pluginFolder).filter((name) => name !== 'all');

/** Each plugin family is a file that is loaded when one of its types is first used. */
const families = Object.fromEntries(
  familyNames.map((name) => [`family-${name}`, join(pluginFolder, name, 'src/index.ts')]),
);

/** Lists what the families have, so that the server knows every type without loading its code. */
const listFamilies: Plugin = {
  name: 'millrace-families',
  writeBundle({ dir = '' }) {
    const require = createRequire(join(dir, 'millrace.js'));
    const summaries = familyNames.map((name) => {
      const module: Readonly<Record<string, Family>> = require(`./family-${name}.js`);
      const family = module[`${name}Family`];
      if (family?.name !== name)
        throw new Error(`plugins/${name} must export ${name}Family, named "${name}".`);
      return summarizeFamily(family);
    });
    writeFileSync(join(dir, 'families.json'), JSON.stringify(summaries));
  },
};

/** Client libraries are loaded from node_modules when a task first needs them, so no family slows the start. */
function clientLibraries(): string[] {
  return readdirSync(pluginFolder)
    .flatMap((family) => {
      const manifest: { dependencies?: Record<string, string> } = JSON.parse(
        readFileSync(join(pluginFolder, family, 'package.json'), 'utf8'),
      );
      return Object.keys(manifest.dependencies ?? {});
    })
    .filter((name) => !name.startsWith('@millrace/') && !bundled.has(name));
}

/**
 * Modules that the server never runs, which the bundler cannot know: the compilers of Fastify (routes take their
 * schemas from the contract) and the translated messages of Zod. Their text would stay in memory.
 */
const leaveOut: Plugin = {
  name: 'millrace-leave-out',
  enforce: 'pre',
  resolveId(source, importer = '') {
    const isUnused =
      source === '@fastify/ajv-compiler' ||
      source === '@fastify/fast-json-stringify-compiler' ||
      (source === '../locales/index.js' && importer.includes('/node_modules/zod/'));
    return isUnused ? '\0unused' : undefined;
  },
  load: (id) => (id === '\0unused' ? 'export default undefined;' : undefined),
};

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
      input: { ...programs, ...families },
      output: {
        format: 'cjs',
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // Node keeps the text of each file in memory. One character outside of Latin-1 would double its size.
        comments: { legal: true, annotation: false, jsdoc: false },
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
      },
    },
  },
  plugins: [
    leaveOut,
    listFamilies,
    {
      name: 'millrace-commonjs',
      generateBundle() {
        this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
      },
    },
  ],
});
