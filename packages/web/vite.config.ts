import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups } from './vite/chunks.ts';
import { compileHints } from './vite/compileHints.ts';
import { pageFiles } from './vite/pageFiles.ts';
import { precompress } from './vite/precompress.ts';
import { pureContract } from './vite/pureContract.ts';
import { withoutJsonSchema } from './vite/withoutJsonSchema.ts';
import { withoutSchemas } from './vite/withoutSchemas.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    withoutJsonSchema(),
    withoutSchemas(),
    pureContract(),
    react(),
    pageFiles(),
    compileHints(),
    precompress(),
  ],
  resolve: {
    alias: [
      // Monaco has an exports map since 0.56; the packages around it still import the old deep paths.
      { find: /^monaco-editor\/esm\/vs\/(.*)$/, replacement: 'monaco-editor/$1' },
    ],
  },
  // Found late, these make the development server reload the page at the first visit of the editor.
  optimizeDeps: {
    include: [
      'monaco-editor/editor',
      'monaco-editor/features/register.all',
      'monaco-yaml',
      'monaco-yaml/yaml.worker.js',
    ],
  },
  worker: { format: 'es' },
  // Scripts find each other from where they lie, so that the same build works below a base path; the page is rewritten
  // by the server.
  experimental: {
    renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  build: {
    target: 'es2023',
    manifest: true,
    outDir: '../../dist/web',
    emptyOutDir: true,
    // Monaco and its workers are large and lazy; the page budgets are checked against the manifest.
    chunkSizeWarningLimit: 4000,
    rolldownOptions: {
      // No `treeshake.manualPureFunctions`: it goes by name in every library, and `z` took `z.detach()` out of Monaco.
      output: {
        advancedChunks: { groups: chunkGroups },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
