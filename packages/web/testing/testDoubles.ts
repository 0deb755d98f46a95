import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const source = resolve(import.meta.dirname, '../src');
const doubles = resolve(source, 'testing/doubles');

const byModule: Readonly<Record<string, string>> = {
  [resolve(source, 'ui/code/CodeEditor.tsx')]: 'CodeEditor.tsx',
  [resolve(source, 'ui/code/loadMonaco.ts')]: 'loadMonaco.ts',
  [resolve(source, 'features/editor/FlowEditor.tsx')]: 'FlowEditor.tsx',
};
const byName: Readonly<Record<string, string>> = {
  'pdfjs-dist': 'pdfjs.ts',
  'pdfjs-dist/build/pdf.worker.mjs?worker': 'pdfWorker.ts',
};

/**
 * Puts doubles in the place of modules that need a real browser, for all tests alike: files share their modules, so no
 * test may replace one for itself. A double can import the module that it stands for.
 */
export const testDoubles = (): Plugin => ({
  name: 'test-doubles',
  enforce: 'pre',
  resolveId(id, importer) {
    const named = byName[id];
    if (named) return resolve(doubles, named);
    if (!importer || !id.startsWith('.') || importer.startsWith(doubles)) return undefined;
    const double = byModule[resolve(importer, '..', id)];
    return double && resolve(doubles, double);
  },
});
