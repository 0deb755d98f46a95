import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { EditorOnPage } from './journeys/editor.ts';
import { GatedFlow } from './journeys/gatedFlow.ts';
import { eachDatabase } from './product/database.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe.each(eachDatabase)('on $name', ({ createDatabase }) => {
  let product: Product;
  let flow: GatedFlow;
  beforeEach(async () => {
    product = await launchProduct(await createDatabase());
    flow = new GatedFlow();
  });
  afterEach(async () => {
    await product.stop('SIGKILL');
    flow.clean();
  });

  it('S1-1.1 S1-1.3 S1-1.4 S1-1.5 S1-1.8 S1-1.22 S2-2.1 S2-2.3 S2-4f.6 writes a flow, runs it with inputs and watches it to its end', async () => {
    const { page, complaints } = await openPage(browser, product.url);
    const editor = new EditorOnPage(page);

    // An empty product welcomes and invites to the first flow.
    await page.goto('/');
    await page.waitForURL('**/welcome');
    await page.getByRole('link', { name: 'Create flow' }).click();

    // The editor marks problems in the text, lists them below it, and knows the types.
    await editor.paste('id: gated\nnamespace: journey\ntasks:\n  - id: one\n    type: core.log.Nothing\n');
    await editor.waitForMarker();
    await page.getByRole('region', { name: 'Problems' }).getByText('core.log.Nothing').first().waitFor();
    await editor.paste('id: gated\nnamespace: journey\ntasks:\n  - id: one\n    type: core.log.');
    expect(await editor.complete()).toContainEqual(expect.stringContaining('core.log.Log'));
    await page.keyboard.press('Escape');
    // Inside an expression it knows what the flow offers.
    const inputs = 'inputs:\n  - {id: customer, type: STRING}\n';
    await editor.paste(
      `id: gated\nnamespace: journey\n${inputs}tasks:\n  - id: one\n    type: core.log.Log\n    message: Hello {{ inputs.`,
    );
    expect(await editor.complete()).toContainEqual(expect.stringContaining('customer'));
    await page.keyboard.press('Escape');

    // The graph follows the text.
    await editor.paste(flow.source);
    await page.getByText('No problems').waitFor();
    const topology = page.getByLabel('Topology', { exact: true });
    for (const id of ['before', 'gate', 'after']) await topology.getByText(id, { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/flows/edit/journey/gated/edit');

    // Started with an input, it is seen at work: the gantt and the log move by themselves.
    await page.getByRole('button', { name: 'Execute' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('name').fill('Ada');
    await dialog.getByRole('button', { name: 'Execute' }).click();
    await page.waitForURL('**/executions/journey/gated/*/gantt');
    const gantt = page.getByRole('tree');
    await gantt.getByRole('treeitem', { name: /^before .*Success/ }).waitFor();
    await gantt.getByRole('treeitem', { name: /^gate .*Running/ }).waitFor();
    const views = page.getByLabel('Views of this execution');
    await views.getByRole('link', { name: 'Logs', exact: true }).click();
    await page.getByText('Hello Ada').waitFor();

    flow.openGate();
    await page.getByText('Goodbye Ada').waitFor();
    await views.getByRole('link', { name: 'Gantt' }).click();
    await gantt.getByRole('treeitem', { name: /^after .*Success/ }).waitFor();

    // The list of executions has it.
    await page.getByRole('link', { name: 'Executions', exact: true }).first().click();
    const row = page.getByRole('row').filter({ hasText: 'gated' });
    await row.getByText('Success').waitFor();

    expect(complaints).toEqual([]);
  });
});
