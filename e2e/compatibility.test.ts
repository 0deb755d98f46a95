import { isTerminal } from '@millrace/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { Api } from './product/api.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

let product: Product;
let browser: Browser;
beforeAll(async () => {
  product = await launchProduct({ env: { MILLRACE_COMPATIBILITY: 'kestra' } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await product.stop('SIGKILL');
});

const source = `id: files
namespace: compat
tasks:
  - id: write
    type: core.storage.Write
    content: hello
    extension: .txt
  - id: say
    type: io.kestra.plugin.core.log.Log
    message: "{{ outputs.write.uri }}"
triggers:
  - id: nightly
    type: core.trigger.Schedule
    cron: "0 2 * * *"
`;
const timeout = 20_000;

it('the web app works with the names of Kestra: icons, previews, downloads, forms and graphs', async () => {
  const api = new Api(product.url);
  await api.saveFlow(source);
  const { id } = await api.execute('compat', 'files');
  await expect
    .poll(async () => isTerminal((await api.getExecution(id)).state.current), { timeout })
    .toBe(true);
  const { page, complaints } = await openPage(browser, product.url);

  // The graphs of the flow and of the execution have an icon for each type.
  for (const address of ['/flows/edit/compat/files/topology', `/executions/compat/files/${id}/topology`]) {
    await page.goto(address);
    const graph = page.getByLabel('Topology', { exact: true });
    for (const node of ['write', 'say', 'nightly'])
      await graph.getByText(node, { exact: true }).waitFor({ timeout });
    await expect.poll(() => graph.locator('img').count(), { timeout }).toBe(3);
  }

  // The file has its name, its address as Kestra writes it, and can be read and downloaded.
  await page.goto(`/executions/compat/files/${id}/outputs`);
  await page.locator('[title^="kestra:///"]').first().waitFor({ timeout });
  await page
    .getByRole('button', { name: /^Preview/ })
    .first()
    .click({ timeout });
  await page.getByText('hello', { exact: true }).waitFor({ timeout });
  const download = page.waitForEvent('download', { timeout });
  await page.getByText('Download', { exact: true }).first().click({ timeout });
  expect((await download).suggestedFilename()).toMatch(/\.txt$/);

  // The form of a task whose type has the prefix shows the properties of the type.
  await page.goto('/flows/edit/compat/files/edit?editor=NO_CODE&side=none&element=tasks%5B1%5D');
  await page.getByRole('heading', { name: 'say' }).waitFor({ timeout });
  expect(await page.getByRole('textbox', { name: 'message' }).inputValue()).toContain('outputs.write');

  await page.goto('/plugins');
  await page.getByRole('link', { name: 'Fetch' }).first().click({ timeout });
  await page.getByText('type: io.kestra.plugin.').first().waitFor({ timeout });
  await page.goto('/plugins/core.log.Log');
  await page.getByText('Write to the log of the execution').first().waitFor({ timeout });
  expect(complaints).toEqual([]);
});
