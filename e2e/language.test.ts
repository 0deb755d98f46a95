import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';
import { CodeEditorOnPage } from './typing/codeEditor.ts';

let browser: Browser;
let product: Product;
beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), launchProduct()]);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop('SIGKILL');
});

const flow = `id: spoken
namespace: company.team
inputs:
  - id: city
    type: STRING
    defaults: Oslo
tasks:
  - id: greet
    type: core.debug.Return
    format: "Hello {{ inputs.city }}"
  - id: say
    type: core.log.Log
    message: "x"
`;

it('S2-7o.6 completes, explains, renames and corrects a flow by the keyboard', async () => {
  const { page, complaints } = await openPage(browser, product.url);
  await saveAndRun(page);
  await page.goto('/flows/edit/company.team/spoken/edit');
  const editor = new CodeEditorOnPage(page);
  await editor.focus();

  // An expression is completed from what runs earlier and from the outputs of its type.
  await goBehind(editor, 'message: "x');
  await editor.press('Backspace');
  await editor.typeUntilCompletion('{{ outputs.g', 'greet');
  await accept(page, 'greet');
  await editor.typeUntilCompletion('.v', 'value');
  await accept(page, 'value');
  await editor.typeUntilCompletion(' | upp', 'upper');
  await accept(page, 'upper');
  // The brackets were closed by the editor.
  await editor.type(' ');
  await expect.poll(() => editor.read()).toContain('message: "{{ outputs.greet.value | upper }}"');

  // The value of the last execution is shown at the cursor.
  await goBehind(editor, 'outputs.greet.va');
  await editor.press('ControlOrMeta+F1');
  await page.locator('.monaco-hover').getByText('Hello Oslo').waitFor();
  await editor.press('Escape');

  // A task is renamed where it is used too.
  await goBehind(editor, 'outputs.gre');
  await editor.press('F2');
  const name = page.locator('.rename-box input');
  await name.waitFor();
  expect(await name.inputValue()).toBe('greet');
  await name.fill('say-hello');
  await name.press('Enter');
  await expect.poll(() => editor.read()).toContain(`message: "{{ outputs['say-hello'].value | upper }}"`);
  expect(await editor.read()).toContain('- id: say-hello\n');

  // A mistake is underlined, and corrected by a key.
  await goBehind(editor, '| upper');
  await editor.press('Backspace');
  await page.getByRole('region', { name: 'Problems' }).getByText('Filter "uppe" does not exist').waitFor();
  await editor.press('ControlOrMeta+.');
  await page.getByText('Replace with "upper"').waitFor();
  await editor.press('Enter');
  await expect.poll(() => editor.read()).toContain('| upper }}');
  await page.getByText('No problems').waitFor();

  // For a wrong type the menu offers the one that was meant, and not every type of the schema.
  await goBehind(editor, 'core.log.Log');
  await editor.press('Backspace');
  await page.getByRole('region', { name: 'Problems' }).getByText('did you mean').first().waitFor();
  await editor.press('ControlOrMeta+.');
  const fixes = page.locator('.action-widget [role="option"]');
  await fixes.filter({ hasText: 'Replace with "core.log.Log"' }).waitFor();
  expect((await fixes.allTextContents()).filter((fix) => !/^(Replace with|Wrap in) /.test(fix))).toEqual([]);
  expect(complaints).toEqual([]);
});

/** Puts the cursor behind the first occurrence of a text, by its line and column. */
async function goBehind(editor: CodeEditorOnPage, text: string): Promise<void> {
  const source = await editor.read();
  const before = source.slice(0, source.indexOf(text) + text.length).split('\n');
  await editor.press('Control+G');
  await editor.page
    .locator('.quick-input-widget input')
    .fill(`:${before.length}:${(before.at(-1) ?? '').length + 1}`);
  await editor.press('Enter');
  await editor.page.locator('.monaco-editor.focused').first().waitFor();
}

/** Takes an entry of the list of completions. */
async function accept(page: Page, entry: string): Promise<void> {
  const option = page.locator('.suggest-widget.visible [role="option"]', { hasText: entry }).first();
  await option.waitFor();
  await page.keyboard.press('Tab');
  await option.waitFor({ state: 'hidden' });
}

async function saveAndRun(page: Page): Promise<void> {
  const api = `${product.url}/api/v1/main`;
  await page.request.post(`${api}/flows`, { data: flow, headers: { 'content-type': 'application/x-yaml' } });
  await page.request.post(`${api}/executions/company.team/spoken?wait=true`, { multipart: { city: 'Oslo' } });
}
