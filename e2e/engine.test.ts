import { resolve } from 'node:path';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { openBrowser } from './browser/openBrowser.ts';

/** The engine as one script for a page, made from its sources with nothing of Node at hand. */
async function bundleEngine(): Promise<string> {
  const entry = resolve(import.meta.dirname, 'journeys/engineForBrowser.ts');
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ['iife'], name: 'millrace', fileName: 'engine' },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error('The engine was not bundled.');
  return output.output[0].code;
}

interface Engine {
  parseFlow(source: string): { flow?: unknown; issues: unknown[] };
  flowGraph(flow: unknown): { nodes: { uid: string }[] };
  simulate(seed: number): { state: string; problem?: string };
}

it('the engine runs in a browser: it parses, draws and carries runs through', async () => {
  const script = await bundleEngine();
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: script });
    const seen = await page.evaluate(() => {
      const millrace = (globalThis as unknown as { millrace: Engine }).millrace;
      const { flow, issues } = millrace.parseFlow(
        'id: a\nnamespace: b\ntasks:\n  - id: hello\n    type: core.log.Log\n    message: hi\n',
      );
      const problems = Array.from({ length: 50 }, (_, seed) => millrace.simulate(seed).problem).filter(
        Boolean,
      );
      return { issues, problems, nodes: millrace.flowGraph(flow).nodes.map((node) => node.uid) };
    });
    expect(seen.issues).toEqual([]);
    expect(seen.problems).toEqual([]);
    expect(seen.nodes).toContain('root.hello');
  } finally {
    await browser.close();
  }
});
