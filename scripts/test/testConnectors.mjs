import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../check/sourceFiles.mjs';
import { installWhenNeeded } from '../setup/install.mjs';
import { inRoot } from '../setup/root.mjs';
import { installTools, listTools, toolsFor } from './liveTools.mjs';

/**
 * Implements `npm run test:connectors`: installs servers and tools from other registries, runs the live tests
 * (`*.live.test.ts`) against them, and lists which tests ran and which could not. Arguments are parts of file
 * names; with them only those tests run and only their tools are installed.
 * @param {readonly string[]} filters
 */
export async function testConnectors(filters) {
  await installWhenNeeded();
  const files = [...listFiles('plugins'), ...listFiles('packages/server')].filter(
    (path) =>
      path.endsWith('.live.test.ts') && (filters.length === 0 || filters.some((word) => path.includes(word))),
  );
  if (files.length === 0) {
    console.error(`No live test matches ${filters.join(' ')}.`);
    process.exit(1);
  }
  const texts = files.map((path) => `${path}\n${readFileSync(inRoot(path), 'utf8')}`);
  const tools = toolsFor(await listTools(inRoot('scripts/connectors')), texts);
  const missing = await installTools(tools, (name) => inRoot('node_modules/.cache/connectors', name));

  process.env.MILLRACE_TEST_CONNECTORS = 'true';
  const { runVitest } = await import('./runVitest.mjs');
  /** @type {Map<string, { passed: number, failed: number, skipped: string[] }>} */
  const results = new Map();
  const { passed, failures } = await runVitest(
    { project: ['plugin-*', 'server'], filters: files },
    (test) => {
      const path = test.module.relativeModuleId;
      const file = join(test.project.config.root, path).replace(`${inRoot()}/`, '');
      const result = results.get(file) ?? { passed: 0, failed: 0, skipped: [] };
      results.set(file, result);
      const { state } = test.result();
      if (state === 'passed') result.passed += 1;
      if (state === 'failed') result.failed += 1;
      if (state === 'skipped') result.skipped.push(test.fullName);
    },
  );

  console.log('\nTested:');
  for (const [file, result] of results)
    if (result.passed + result.failed > 0)
      console.log(`  ${file}: ${result.passed} passed, ${result.failed} failed`);
  const skipped = [...results].filter(([, result]) => result.skipped.length > 0);
  if (missing.length + skipped.length > 0) console.log('\nNot tested:');
  for (const { tool, reason } of missing) console.log(`  ${tool} is not available: ${reason}`);
  for (const [file, result] of skipped) console.log(`  ${file}: ${result.skipped.join(', ')}`);
  console.log(`\n${passed} passed, ${failures.length} failed`);
  process.exit(failures.length === 0 ? 0 : 1);
}
