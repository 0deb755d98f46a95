import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findSeriousProblems } from './browser/findSeriousProblems.ts';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { EditorOnPage } from './journeys/editor.ts';
import { Hands } from './journeys/hands.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';
import { typeText } from './typing/typist.ts';

let browser: Browser;
let product: Product;
beforeAll(async () => {
  browser = await openBrowser();
  product = await launchProduct({});
});
afterAll(async () => {
  await product.stop('SIGKILL');
  await browser.close();
});

const skeleton = `id: greet
namespace: journey
inputs:
  - id: name
    type: STRING
    defaults: Ada
tasks:
  - id: polite
    type: core.flow.If
    condition: "{{ inputs.name == 'Ada' }}"
    then:
      - id: hello
        type: core.debug.Return
        format: `;

const tab = (page: Page, name: string) =>
  page.getByLabel('Views of this flow').getByRole('link', { name, exact: true });

it('A-11.1 A-2.5 A-3.1 A-3.6 A-3.7 A-3.9 A-3.10 A-6.4 A-6.5 A-6.6 [authoring] YAML: a flow is typed, a mistake is seen and fixed, run dry, saved, executed, recorded as a test, and a change that breaks it is noticed', async () => {
  const { page, complaints } = await openPage(browser, product.url);
  const hands = new Hands(page);
  const text = page.locator('.monaco-editor .view-lines').first();
  await page.goto('/flows/new?side=topology');
  await text.click();
  await page.locator('.monaco-editor.focused').first().waitFor();

  // Written key by key. The mistake in the expression is marked, and a quick fix corrects it.
  await hands.press('ControlOrMeta+A', 'Delete');
  await typeText(
    page,
    { name: 'greet', language: 'yaml', text: skeleton },
    { delayMs: 0, outdentKey: 'Backspace' },
  );
  await hands.type('Hello {{ inputs.nmae }}');
  await hands.press('Escape');
  await hands.seeAndCorrect(/did you mean "name"/, async () => {
    await hands.press('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ControlOrMeta+.');
    await page.locator('.action-widget').getByText('Replace with "name"').waitFor();
    await hands.press('Enter');
    await text.getByText('{{ inputs.name }}', { exact: true }).waitFor();
  });
  await hands.press('End');

  // The dry run shows rendered values beside the text, dims nothing that runs, and follows the keys.
  const panel = await hands.dryRun();
  await text.getByText('Hello Ada').waitFor();
  await page.getByLabel('Topology', { exact: true }).getByText('Success').first().waitFor();
  await hands.type('!');
  await text.getByText('Hello Ada!').waitFor();
  expect(await findSeriousProblems(page)).toEqual([]);
  // A value that does not exist is pointed at.
  await hands.type(' {{ vars.nothing }}');
  await panel.getByRole('list', { name: 'Values that could not be computed' }).getByText('vars').waitFor();
  for (let count = 0; count < 19; count++) await hands.press('Backspace');
  await panel.getByRole('status').getByText('Success').waitFor();
  // Another input takes the other branch.
  await hands.write(panel.getByLabel('name'), 'Bob');
  await panel.getByRole('listitem').filter({ hasText: 'hello' }).getByText('Not run').waitFor();

  await hands.press('ControlOrMeta+S');
  await page.waitForURL('**/flows/edit/journey/greet/edit*');
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Execute' }).waitFor();
  await hands.press('ControlOrMeta+Enter');
  await page.waitForURL('**/executions/journey/greet/*/gantt');
  await page.getByRole('treeitem', { name: /^hello .*Success/ }).waitFor();

  // The execution becomes a test, which passes.
  await page.getByRole('button', { name: /^More actions for execution/ }).click();
  await page.getByRole('menuitem', { name: 'Record as test' }).click();
  await page.getByRole('button', { name: 'Save and run' }).click();
  await page.getByText('Passed').first().waitFor();
  await page.getByText('Branches covered: 1 of 2.', { exact: false }).waitFor();
  await page.getByText('Run tests before saving the flow').click();
  expect(await findSeriousProblems(page)).toEqual([]);

  // A change that breaks it asks before it is saved, and fails afterward.
  await tab(page, 'Edit').click();
  await text.getByText('format').waitFor();
  await text.click();
  await hands.press('Control+End');
  await hands.type(' and goodbye');
  await hands.press('Control+S');
  const question = page.getByRole('dialog');
  await question.getByText('Save although 1 test fails?').waitFor();
  await question.getByRole('button', { name: 'Save anyway' }).click();
  await page.getByText('revision 2').first().waitFor();
  await tab(page, 'Tests').click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('Failed').first().waitFor();
  await page.getByText('Hello Ada! and goodbye').first().waitFor();
  expect(complaints).toEqual([]);
});

it('A-4.2 A-8.3 a task of an unsaved text is executed with the outputs of earlier tasks, and half-done work is kept as a draft', async () => {
  const { page, complaints } = await openPage(browser, product.url);
  const editor = new EditorOnPage(page);
  const text = page.locator('.monaco-editor .view-lines').first();
  await page.goto('/flows/new?side=topology');
  await editor.paste(
    'id: play\nnamespace: journey\ntasks:\n  - id: load\n    type: core.debug.Return\n    format: rows\n  - id: report\n    type: core.debug.Return\n    format: ',
  );
  await editor.type('"{{ outputs.load.value }} loaded');
  await page.keyboard.press('Control+S');
  await page.waitForURL('**/flows/edit/journey/play/edit*');
  await text.getByText('loaded').waitFor();
  await text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowLeft');
  await editor.type(' twice');

  // The plan comes first; the same keys again run it.
  const panel = page.getByRole('region', { name: 'Playground' });
  await page.keyboard.press('Control+Enter');
  await panel.getByRole('listitem').filter({ hasText: 'load' }).getByText('no outputs').waitFor();
  await page.keyboard.press('Control+Shift+Enter');
  await panel.getByRole('listitem').filter({ hasText: 'load' }).getByText('runs').waitFor();
  await page.keyboard.press('Control+Shift+Enter');
  const result = panel.getByRole('region', { name: 'Result' });
  await result.getByText('rows loaded twice').first().waitFor();
  await panel.getByRole('listitem').filter({ hasText: 'load' }).getByText('reused').waitFor();
  // The next press reuses the outputs of the first task.
  await editor.type(' or more');
  await page.keyboard.press('Control+Enter');
  await panel.getByRole('button', { name: /^Execute/ }).click();
  await result.getByText('rows loaded twice or more').first().waitFor();
  expect(await findSeriousProblems(page)).toEqual([]);

  // A text with errors is kept as a draft, and the revision stays.
  await text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await editor.type('- id: half');
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByRole('menuitem', { name: 'Save as draft' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('not complete');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Draft of play saved').waitFor();
  await tab(page, 'Revisions').click();
  await page.getByRole('region', { name: 'Drafts' }).getByText('not complete').waitFor();
  await tab(page, 'Executions').click();
  await page.getByText('Playground').first().waitFor();
  expect(complaints).toEqual([]);
});
