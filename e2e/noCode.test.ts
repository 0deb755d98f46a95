import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { findSeriousProblems } from './browser/findSeriousProblems.ts';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { Hands } from './journeys/hands.ts';
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

it('A-11.2 S1-1.2 S1-1.15 S1-3.7 S2-2.2 [authoring] no-code: builds a flow without a word of YAML, corrects a mistake, runs it dry, saves, tests and executes it', async () => {
  const { page, complaints } = await openPage(browser, product.url);
  const hands = new Hands(page);
  await page.goto('/flows/new');
  await page.getByRole('radiogroup', { name: 'Editor view' }).getByText('No-code').click();
  const trail = page.getByLabel('Where you are in the flow');

  // Who it is.
  await hands.write(page.getByRole('textbox', { name: /^id/ }).first(), 'greeter');
  await hands.write(page.getByLabel(/^namespace/).first(), 'journey');

  // A value to start with.
  await page.getByRole('button', { name: 'Add to inputs' }).click();
  await hands.type('STRING');
  await page.getByRole('option', { name: 'STRING' }).first().click();
  await hands.write(page.getByRole('textbox', { name: /^id/ }), 'name');
  await trail.getByRole('button', { name: 'greeter' }).click();

  // The task that is there says something else, and another follows.
  await page.getByRole('button', { name: 'Edit hello' }).click();
  const message = page.getByRole('textbox', { name: 'message' });
  await hands.write(message, 'Hello {{ inputs.nmae }}');
  // The mistake is named, and gone when it is corrected.
  await hands.press('Escape');
  await hands.seeAndCorrect(/did you mean "name"/, () => hands.write(message, 'Hello {{ inputs.name }}'));
  await hands.press('Escape');
  await trail.getByRole('button', { name: 'greeter' }).click();
  await page.getByRole('button', { name: 'Add to tasks' }).click();
  await hands.type('shell at hand');
  await page.getByRole('option', { name: 'scripts.shell.Commands' }).click();
  await hands.write(page.getByRole('textbox', { name: 'commands 1' }), 'echo done manually');
  await page.getByRole('heading', { name: 'commands' }).waitFor();
  expect(await findSeriousProblems(page)).toEqual([]);

  // Rows change places by dragging, and by keys.
  await trail.getByRole('button', { name: 'greeter' }).click();
  const rows = page.getByRole('list', { name: 'tasks' }).getByRole('listitem');
  await hands.drag(rows.nth(1).locator('[draggable]'), rows.nth(0));
  await hands.tabTo(rows.nth(0).getByRole('button', { name: 'Edit commands' }));
  await hands.press('Alt+ArrowDown');
  await rows.nth(0).getByRole('button', { name: 'Edit hello' }).waitFor();

  // The graph has both, and leads back into the forms.
  const topology = page.getByLabel('Topology', { exact: true });
  await topology.getByText('commands', { exact: true }).waitFor();
  await topology.getByText('hello', { exact: true }).click();
  await page.getByRole('heading', { name: 'hello' }).waitFor();

  // One history for both views: the code editor goes back over what the forms did, and the form is where it was.
  const editorView = page.getByRole('radiogroup', { name: 'Editor view' });
  await hands.write(message, 'superfluous');
  await editorView.getByText('YAML').click();
  const code = page.locator('.monaco-editor .view-lines');
  await code.getByText('superfluous').click();
  await hands.press('ControlOrMeta+Z');
  await expect.poll(() => code.innerText()).not.toContain('superfluous');
  await editorView.getByText('No-code').click();
  await expect.poll(() => message.inputValue()).toBe('Hello {{ inputs.name }}');
  // And forward again, in an editor that was not there when it went back.
  await editorView.getByText('YAML').click();
  await code.getByText('Hello').first().click();
  await hands.press('ControlOrMeta+Shift+Z');
  await expect.poll(() => code.innerText()).toContain('superfluous');
  await hands.press('ControlOrMeta+Z');
  await expect.poll(() => code.innerText()).not.toContain('superfluous');
  await editorView.getByText('No-code').click();

  await page.getByText('No problems').waitFor();
  const panel = await hands.dryRun();
  await panel.getByRole('listitem').filter({ hasText: 'commands' }).getByText('Success').waitFor();
  // The page that opens continues this one: the same field has the focus, and a second Ctrl+S in between is not lost.
  await message.click();
  await hands.press('End');
  await hands.press('ControlOrMeta+S');
  await hands.type('!');
  await hands.press('ControlOrMeta+S');
  await page.waitForURL('**/flows/edit/journey/greeter/edit*');
  await page.getByText('Saved greeter, revision 2').first().waitFor();
  await hands.type('!');
  await expect.poll(() => message.inputValue()).toBe('Hello {{ inputs.name }}!!');
  await hands.press('ControlOrMeta+S');
  await page.getByText('Saved greeter, revision 3').first().waitFor();
  // The view is remembered, and what cannot change any more is locked.
  await trail.getByRole('button', { name: 'greeter' }).click();
  await expect.poll(() => page.getByRole('textbox', { name: /^id/ }).first().isEditable()).toBe(false);

  await hands.keepAsTest();
  await page.getByRole('button', { name: 'Execute' }).click();
  await hands.write(page.getByRole('dialog').getByLabel('name'), 'Ada');
  await hands.press('ControlOrMeta+Enter');
  await page.waitForURL('**/executions/journey/greeter/*/gantt');
  const views = page.getByLabel('Views of this execution');
  await views.getByRole('link', { name: 'Logs', exact: true }).click();
  await page.getByText('Hello Ada').waitFor();
  await page.getByText('done manually').waitFor();

  expect(complaints).toEqual([]);
});
