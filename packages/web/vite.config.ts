import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './vite/precompress.ts';
import { withoutJsonSchema } from './vite/withoutJsonSchema.ts';
import { withoutSchemas } from './vite/withoutSchemas.ts';

/** What every page needs. */
const everyPage = inFolders(
  'node_modules/(react|react-dom|scheduler|use-sync-external-store|zod|i18next|react-i18next|nprogress|clsx)',
  'node_modules/@tanstack/(react-router|router-core|history|store|react-store|query-core|react-query)',
  'node_modules/@floating-ui',
  'node_modules/@mantine/core/esm/core',
  'node_modules/@mantine/core/esm/components/(ActionIcon|Button|Floating|Loader|Portal|Tooltip|Transition)',
  'node_modules/@mantine/core/esm/components/(UnstyledButton|VisuallyHidden)',
  'packages/web/src/(api|reports|routing|state|storage)',
);

/** The small things that most pages show. */
const mostPages =
  /packages[\\/]web[\\/]src[\\/](format|ui)[\\/](Card|Date|Duration|Id|KeyHint|LinkButton|State|TabBar|Tags|date|duration|timeZone|useCopy|useNow)/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [withoutJsonSchema(), withoutSchemas(), react(), precompress()],
  // Monaco has an exports map since 0.56; the packages around it still import the old deep paths.
  resolve: { alias: [{ find: /^monaco-editor\/esm\/vs\/(.*)$/, replacement: 'monaco-editor/$1' }] },
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
    // What every page needs arrives in a few large files: a hundred small ones cost a tenth more to send.
    rolldownOptions: {
      // Making a schema does nothing else: one that nobody uses can go.
      treeshake: { manualPureFunctions: ['z', 'endpoint', 'pagedOf', 'listOf', 'flag'] },
      output: {
        advancedChunks: {
          groups: [
            { name: 'base', test: everyPage },
            { name: 'parts', test: mostPages },
            // Most are smaller than the request for them.
            { name: 'icons', test: inFolders('node_modules/@tabler/icons-react'), minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});

function inFolders(...folders: string[]): RegExp {
  return new RegExp(`(${folders.join('|')})/`.replaceAll('/', '[\\\\/]'));
}
