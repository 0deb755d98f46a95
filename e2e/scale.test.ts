import { readFileSync } from 'node:fs';
import { isTerminal } from '@millrace/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findSeriousProblems } from './browser/findSeriousProblems.ts';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { Api } from './product/api.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

/** Iteration 17 of 400 fails. */
const source = `id: looped
namespace: journey
tasks:
  - id: before
    type: core.log.Log
    message: starts
  - id: orders
    type: core.flow.ForEach
    values: "{{ range(1, 400) }}"
    concurrencyLimit: 0
    tasks:
      - id: price
        type: core.output.OutputValues
        values:
          order: "{{ taskrun.value }}"
      - id: check
        type: core.execution.Fail
        runIf: "{{ taskrun.value == '17' }}"
`;

let product: Product;
let browser: Browser;
let id = '';
beforeAll(async () => {
  product = await launchProduct();
  browser = await openBrowser();
  const api = new Api(product.url);
  await api.saveFlow(source);
  id = (await api.execute('journey', 'looped')).id;
  await api.waitForExecution(id, ({ state }) => isTerminal(state.current));
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

it('O-6.1 O-6.2 O-11.2 the failed iteration of a long loop is found from the grid, and opens in graph, gantt and outputs', async () => {
  const { page, complaints } = await openPage(browser, product.url);

  // The grid has one column; the arrow keys lead to the cell of the task that failed.
  await page.goto('/flows/edit/journey/looped/grid');
  const grid = page.getByRole('grid');
  await grid.getByRole('gridcell', { name: /^check, Failed/ }).waitFor();
  await grid.focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter'])
    await page.keyboard.press(key);
  await page.waitForURL(/\/gantt\?taskRunId=/);
  await page.getByRole('treeitem', { name: /^check 17 Failed/ }).waitFor();

  // Without a selection the loop is one row and one node.
  await page.goto(`/executions/journey/looped/${id}/gantt`);
  const loop = page.getByRole('treeitem', { name: /^orders/ });
  await loop.waitFor();
  expect(await page.getByRole('treeitem').count()).toBe(2);
  // Where the counts of its iterations have no room, none of the numbers in sight is cut.
  await page.setViewportSize({ width: 390, height: 844 });
  const numbers = await loop.locator('[title]').evaluateAll((chips) =>
    chips.map((chip) => {
      const [own, line] = [chip.getBoundingClientRect(), chip.parentElement?.getBoundingClientRect()];
      const isInSight = line !== undefined && own.top < line.bottom - 1;
      return isInSight && own.right > line.right + 1 ? 'cut' : 'whole';
    }),
  );
  expect(numbers).toContain('whole');
  expect(numbers).not.toContain('cut');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/executions/journey/looped/${id}/topology`);
  const node = page.locator('.react-flow__node', { hasText: 'check' }).last();
  // How many iterations skip the task depends on when the failure stops the loop.
  await node.getByText('Skipped').waitFor({ state: 'attached' });
  expect(await page.locator('.react-flow__node').count()).toBeLessThan(12);

  // The list of iterations, filtered by state.
  await node.click();
  const iterations = page.getByRole('listbox', { name: 'Iterations of orders' });
  await iterations.waitFor();
  await page.getByRole('button', { name: /^Failed 1$/ }).click();
  await page.getByText('1 of 400 iterations').waitFor();
  await iterations.focus();
  await page.keyboard.press('Enter');
  const bar = page.getByText('Iteration 17 of 400');
  await bar.waitFor();

  // The open iteration is the same in every view, and after a reload.
  await page.getByRole('link', { name: 'Gantt' }).click();
  await page.getByRole('treeitem', { name: /^price 17 Success/ }).waitFor();
  expect(await page.getByRole('treeitem').count()).toBe(4);
  await page.reload();
  await bar.waitFor();
  await page.getByRole('link', { name: 'Outputs' }).first().click();
  await page.getByRole('button', { name: /^price 17/ }).click();
  await page.getByRole('region', { name: 'price' }).getByText('order').waitFor();
  expect(await findSeriousProblems(page)).toEqual([]);

  // The list as a file.
  await page.goto('/taskruns?state=FAILED');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'Download' })
      .click()
      .then(() => page.getByRole('menuitem', { name: 'CSV' }).click()),
  ]);
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
  expect(lines[0]).toMatch(/^\ufeffid,executionId,/);
  expect(lines.some((line) => line.includes(`${id},journey,looped,check,17,FAILED`))).toBe(true);
  expect(complaints).toEqual([]);
});
