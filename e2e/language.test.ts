import type { Browser, Locator, Page } from 'playwright-core';
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
  await editor.press('Escape');

  // A text that came from elsewhere: formatted with its comments, then corrected and changed fix by fix.
  const head = 'id: spoken\nnamespace: company.team\ntasks:\n';
  await editor.paste(`${head}- id: a # kept\n  type:   io.kestra.core.tasks.log.Log\n  mesage: hi\n`);
  await expect
    .poll(async () => {
      await editor.press('Escape', 'Shift+Alt+F');
      return editor.read();
    })
    .toContain('  - id: a # kept\n    type: io.kestra');
  await fix(editor, 'tasks.log.L', 'Use the current type name "core.log.Log"', '    type: core.log.Log\n');
  await fix(editor, 'mesa', 'Replace with "message"', '    message: hi\n');
  await fix(editor, 'message: h', 'Extract to variable "message"', 'variables:\n  message: hi\n');
  await fix(editor, '- id: a', 'Wrap in ForEach', '  - id: each_a\n');

  // From a use to its definition, and over the outline; what is folded is hidden.
  await goBehind(editor, 'vars.mess');
  await editor.press('F12');
  await page.locator('.active-line-number', { hasText: /^4$/ }).first().waitFor();
  await editor.press('End');
  await editor.type(' # here');
  await expect.poll(() => editor.read()).toContain('  message: hi # here\n');
  await editor.press('ControlOrMeta+Shift+O');
  await page.locator('.quick-input-widget').getByText('each_a').first().waitFor();
  await editor.press('Escape');
  await goBehind(editor, 'id: each_a');
  await editor.press('Control+Shift+BracketLeft');
  const shown = page.locator('.monaco-editor .view-lines').first();
  await expect.poll(() => shown.innerText()).not.toContain('vars.message');
  await editor.press('Control+Shift+BracketRight');
  await expect.poll(() => shown.innerText()).toContain('vars.message');

  // A missing property comes with a value that is typed over; inside a call its parameters are shown.
  await editor.paste(`${head}  - id: a\n    type: core.log.Log\n`);
  await fix(editor, 'core.log.L', 'Add the property "message"', '    message: ""\n');
  await goBehind(editor, 'message: "');
  await editor.type('{{ now() | date(');
  await page.locator('.parameter-hints-widget.visible').getByText('timeZone').first().waitFor();
  expect(complaints).toEqual([]);
});

/** Chooses a quick fix at a place, and waits for its result. */
async function fix(editor: CodeEditorOnPage, at: string, name: string, result: string): Promise<void> {
  const offered = editor.page.locator('.action-widget').getByText(name).first();
  await opens(offered, async () => {
    await goBehind(editor, at);
    await editor.press('ControlOrMeta+.');
  });
  await offered.click();
  await expect.poll(() => editor.read()).toContain(result);
}

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

/** Asks until the answer is shown: what is known about a new text and its types may still be on its way. */
async function opens(answer: Locator, ask: () => Promise<void>): Promise<void> {
  const isShown = async () => {
    await ask();
    const found = answer.first().waitFor({ timeout: 4_000 });
    return found.then(
      () => true,
      () => false,
    );
  };
  await expect.poll(isShown, { timeout: 60_000 }).toBe(true);
}
