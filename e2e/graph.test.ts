import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { findSeriousProblems } from './browser/findSeriousProblems.ts';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

let browser: Browser;
let product: Product;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  product = await launchProduct();
});
afterEach(() => product.stop('SIGKILL'));

/** The node of a task, found by its id. */
const nodeOf = (page: Page, id: string) =>
  page
    .locator('.react-flow__node')
    .filter({ has: page.getByText(id, { exact: true }) })
    .last();

/** Chooses a type in the open palette by typing, and fills in one field of the form that follows. */
async function choose(page: Page, words: string, field?: { name: string; value: string }): Promise<void> {
  const search = page.getByRole('combobox', { name: 'Search types' });
  await search.waitFor();
  await page.keyboard.type(words);
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('complementary', { name: /^Edit / });
  await sheet.getByRole('textbox', { name: /^id/ }).waitFor();
  if (field) await sheet.getByRole('textbox', { name: field.name }).fill(field.value);
  await sheet.getByRole('button', { name: 'Close' }).click();
}

it('S1-1.2 builds a flow on the graph alone, with mouse and keyboard, saves it and runs it', async () => {
  const { page, complaints } = await openPage(browser, product.url);
  await page.goto('/flows/new');
  const code = page.locator('.monaco-editor .view-lines');
  const text = async () => (await code.innerText()).replaceAll('\u00a0', ' ');
  await nodeOf(page, 'hello').waitFor();

  // A task on an edge, with the mouse.
  await page.getByRole('button', { name: 'Add after hello' }).click();
  await choose(page, 'core log Log', { name: 'message', value: 'second task' });
  await nodeOf(page, 'log').waitFor();

  // A container after it and a task inside, with the keyboard.
  await nodeOf(page, 'log').focus();
  await page.keyboard.press('a');
  await choose(page, 'flow parallel');
  await nodeOf(page, 'parallel').focus();
  await page.keyboard.press('i');
  await choose(page, 'core log Log', { name: 'message', value: 'inner task' });
  await nodeOf(page, 'log_2').waitFor();
  expect(await findSeriousProblems(page)).toEqual([]);

  // The first added task moves into the container by dragging.
  const [from, target] = await Promise.all([
    nodeOf(page, 'log').boundingBox(),
    page.getByRole('button', { name: 'Add after log_2' }).boundingBox(),
  ]);
  if (!from || !target) throw new Error('The graph is not there.');
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 40, { steps: 4 });
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 6 });
  await page.locator('[data-slot][data-active]').waitFor();
  await page.mouse.up();
  await expect.poll(text).toMatch(/parallel[\s\S]*inner task[\s\S]*second task/);

  // A copy, gone again, and back by the history that text and graph share.
  await nodeOf(page, 'hello').focus();
  await page.keyboard.press('ControlOrMeta+d');
  await nodeOf(page, 'hello_2').waitFor();
  await nodeOf(page, 'hello_2').focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => nodeOf(page, 'hello_2').count()).toBe(0);
  await nodeOf(page, 'hello').focus();
  await page.keyboard.press('ControlOrMeta+z');
  await nodeOf(page, 'hello_2').waitFor();
  // From node to node by arrow keys, and disabled by key.
  await nodeOf(page, 'hello').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ControlOrMeta+/');
  await expect.poll(text).toContain('disabled: true');

  await page.getByText('No problems').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL('**/flows/edit/company.team/hello_world/edit');
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Execute' }).click();
  await page.waitForURL('**/executions/company.team/hello_world/*/gantt');
  const views = page.getByLabel('Views of this execution');
  await views.getByRole('link', { name: 'Logs', exact: true }).click();
  for (const line of ['Hello World!', 'second task', 'inner task'])
    await page.getByText(line).first().waitFor();

  expect(complaints).toEqual([]);
});
