import { isTerminal } from '@millrace/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { EditorOnPage } from './journeys/editor.ts';
import { Api } from './product/api.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

let browser: Browser;
let product: Product;
beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), launchProduct()]);
});
afterAll(async () => {
  await Promise.all([browser.close(), product.stop('SIGKILL')]);
});

const flow = `id: orders
namespace: journey
inputs:
  - {id: rows, type: INT, defaults: 10}
tasks:
  - id: extract
    type: core.output.OutputValues
    values:
      rows: "{{ inputs.rows }}"
      cities: [Berlin, Rome]
  - id: check
    type: core.execution.Assert
    conditions: ["{{ outputs.extract.values.rows != '0' }}"]
  - id: load
    type: core.debug.Return
    format: "loaded {{ outputs.extract.values.rows }}"
`;

it('O-3.1 O-3.3 O-3.4 O-4.1 O-4.3 O-5.1 O-5.2 O-5.3 [E391] [E392] compares a failed run with the last good one, forks it with other outputs, and evaluates there', async () => {
  const api = new Api(product.url);
  await api.saveFlow(flow);
  const run = async (rows: string) => {
    const { id } = await api.execute('journey', 'orders', { rows });
    await api.waitForExecution(id, ({ state }) => isTerminal(state.current));
    return id;
  };
  const [good, bad] = [await run('10'), await run('0')];
  const { page, complaints } = await openPage(browser, product.url);

  // The failed run says where it began to differ from the good one; both are in the address.
  await page.goto(`/ui/executions/journey/orders/${bad}/gantt`);
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await page.waitForURL(`**/executions/compare?*left=${good}*`);
  const story = page.getByRole('region', { name: 'Where the executions differ first' });
  await story.getByText('First difference').waitFor();
  await story.getByText('Input rows differs: 10 on the left, 0 on the right.').waitFor();
  await story.getByRole('button', { name: /state of check is Success .* Failed/ }).click();
  const detail = page.getByRole('region', { name: 'Differences of the selection' });
  await detail.getByText('check', { exact: true }).waitFor();
  await page.getByRole('listbox').focus();
  await page.keyboard.press('ArrowUp');
  await page.waitForURL('**at=extract*');
  await detail.getByText('Properties', { exact: true }).click();
  await detail.getByText('values', { exact: true }).waitFor();

  // The failed run is forked after its first task, with outputs that pass the check.
  await page.goto(`/ui/executions/journey/orders/${bad}/gantt`);
  await page.getByRole('treeitem', { name: /^extract/ }).click();
  await page.getByRole('button', { name: 'Fork', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await new EditorOnPage(page).paste('{"values": {"rows": 7, "cities": ["Oslo"]}}');
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
  await page.waitForURL((url) => url.pathname.endsWith('/gantt') && !url.pathname.includes(bad));
  await page.getByText('Fork of').waitFor();
  await page.getByRole('treeitem', { name: /^load .*Success/ }).waitFor();

  // Its outputs are evaluated where a task run sees them, completed with the keyboard.
  await page.getByLabel('Views of this execution').getByRole('link', { name: 'Outputs' }).click();
  await page.getByRole('button', { name: /^load/ }).click();
  const box = page.getByRole('textbox', { name: 'Expression in load' });
  await box.click();
  await page.keyboard.type('outputs.ext');
  const option = page.getByRole('option', { name: 'extract' });
  await option.waitFor();
  expect((await option.boundingBox())?.y).toBeGreaterThan((await box.boundingBox())?.y ?? 0);
  await page.keyboard.press('Tab');
  await page.keyboard.type('.values.ci');
  await page.keyboard.press('Tab');
  expect(await box.inputValue()).toBe('outputs.extract.values.cities');
  await page.keyboard.press('Enter');
  const result = page.getByRole('region', { name: 'Evaluate an expression' }).getByRole('status');
  await result.getByText('List').waitFor();
  await result.getByText('Oslo').waitFor();
  await page.getByRole('button', { name: 'Recent expressions' }).click();
  await page.getByRole('menuitem', { name: 'outputs.extract.values.cities' }).waitFor();
  await page.keyboard.press('Escape');
  // Enter evaluates what was written although completions are offered; an error is shown in place of the result.
  await box.fill('outputs.extract.values.cities | ');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Evaluate an expression' }).getByRole('alert').waitFor();
  await page.getByRole('option').first().waitFor({ state: 'detached' });

  // The origin lists its fork.
  await page.goto(`/ui/executions/journey/orders/${bad}/overview`);
  await page.getByText('Forks', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
