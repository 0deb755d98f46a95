import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Costly rules whose findings are moderate or minor, so that they are never reported here. */
const lesser = Object.fromEntries(
  ['region', 'landmark-unique', 'heading-order', 'aria-allowed-role'].map((rule) => [
    rule,
    { enabled: false },
  ]),
);

/**
 * The serious and critical findings of axe on the page as it is now, one line each.
 * @param rules All of them unless given.
 */
export async function findSeriousProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source);
  // The script above puts `axe` on the window; in here there is no type for it.
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : { rules: lesser }) };
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}
