import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { Hands } from './journeys/hands.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';
import { CodeEditorOnPage } from './typing/codeEditor.ts';

let browser: Browser;
let product: Product;
beforeAll(async () => {
  [browser, product] = await Promise.all([
    openBrowser(),
    launchProduct({ env: { SECRET_API_KEY: Buffer.from('abc').toString('base64') } }),
  ]);
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

it('A-1.3 A-1.6 A-1.15 A-1.16 A-1.17 A-1.18 A-1.19 A-1.20 A-1.21 A-1.22 A-1.23 A-1.24 A-1.25 A-1.26 A-1.27 S2-7o.6 completes, explains, renames and corrects a flow by the keyboard', async () => {
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
  await new Hands(page).write(name, 'say-hello');
  await editor.press('Enter');
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

  // Two more ways to wrap a task, and every place that uses a name.
  await editor.paste(`${head}  - id: a\n    type: core.log.Log\n    message: "{{ flow.id }}"\n`);
  await fix(editor, '- id: a', 'Wrap in If', '    type: core.flow.If\n');
  await editor.paste(`${head}  - id: a\n    type: core.log.Log\n    message: "{{ flow.id }}"\n`);
  await fix(editor, '- id: a', 'Wrap in AllowFailure', '    type: core.flow.AllowFailure\n');
  await editor.paste(
    `${head.replace('tasks', 'variables: {city: Oslo}\ntasks')}  - id: a\n    type: core.log.Log\n    message: "{{ vars.city }} {{ vars.city }}"\n`,
  );
  const references = page.locator('.reference-zone-widget');
  await opens(references.getByText('References (3)'), async () => {
    await goBehind(editor, '{{ vars.ci');
    await editor.press('Shift+F12');
  });
  await editor.press('Escape');
  await references.waitFor({ state: 'detached' });

  // A missing property comes with a value that is typed over; inside a call its parameters are shown.
  await editor.paste(`${head}  - id: a\n    type: core.log.Log\n`);
  await fix(editor, 'core.log.L', 'Add the property "message"', '    message: ""\n');
  await goBehind(editor, 'message: "');
  await editor.type('{{ now() | date(');
  await page.locator('.parameter-hints-widget.visible').getByText('timeZone').first().waitFor();
  expect(complaints).toEqual([]);
});

it('A-1.2 A-1.3 A-1.4 A-1.5 A-1.6 A-1.7 A-1.8 A-1.9 A-1.10 A-1.11 A-1.12 A-1.14 A-1.28 completes every kind of name that an expression or a property can hold', async () => {
  const { page, complaints } = await openPage(browser, product.url);
  const api = `${product.url}/api/v1/main`;
  const yaml = { 'content-type': 'application/x-yaml' };
  const called =
    'id: load\nnamespace: company.team\nlabels: {cost: "1"}\ninputs:\n  - {id: full, type: BOOLEAN}\ntasks:\n  - {id: a, type: core.log.Log, message: x}\n';
  await page.request.post(`${api}/flows`, { data: called, headers: yaml });
  await page.request.put(`${api}/namespaces/company.team/kv/cursor`, { data: '12' });
  const file = new FormData();
  file.append('fileContent', new File(['select 1'], 'orders.sql'));
  await page.request.post(`${api}/namespaces/company.team/files?path=/queries/orders.sql`, {
    multipart: file,
  });
  await page.goto('/flows/new?side=none');
  const editor = new CodeEditorOnPage(page);
  await editor.paste(`id: kinds
namespace: company.team
inputs:
  - {id: day, type: STRING, defaults: mon}
variables: {bucket: b}
triggers:
  - {id: hook, type: core.trigger.Webhook, key: k}
tasks:
  - id: call
    type: core.http.Request
    uri: https://example.com
  - id: called
    type: core.flow.Subflow
    namespace: company.team
    flowId: x
    inputs:
      day: "{{ inputs.day }}"
  - id: each
    type: core.flow.ForEach
    values: [1, 2]
    tasks:
      - id: inner
        type: core.log.Log
        message: "here"
`);
  await page.getByText('No problems').waitFor();
  const within: readonly (readonly [string, string])[] = [
    ['{{ no', 'now(format'],
    ['{{ 1 | up', 'upper()'],
    ['{{ va', 'vars'],
    ['{{ inputs.d', 'day'],
    ['{{ vars.b', 'bucket'],
    ['{{ outputs.c', 'call'],
    ['{{ outputs.call.b', 'body'],
    ['{{ taskrun.v', 'value'],
    ['{{ parent.t', 'taskrun'],
    ['{{ trigger.h', 'headers'],
    [`{{ kv('c`, 'cursor'],
    [`{{ secret('A`, 'API_KEY'],
    [`{{ read('/q`, '/queries/orders.sql'],
    ['{{ labels.c', 'cost'],
  ];
  await goBehind(editor, 'message: "here');
  for (const [typed, entry] of within) {
    await editor.typeUntilCompletion(` ${typed}`, entry);
    await editor.press('Escape', 'Shift+Home', 'Delete');
    // The line is written again: the brackets and quotes of the attempt are gone with it.
    await editor.press('Shift+End', 'Delete');
    await editor.type('message: "here');
  }
  // A called flow and its inputs.
  await goBehind(editor, 'flowId: x');
  await editor.press('Backspace');
  await editor.typeUntilCompletion('lo', 'load');
  await accept(page, 'load');
  await goBehind(editor, 'day: "{{ inputs.day }}"');
  await editor.press('Enter');
  await editor.typeUntilCompletion('fu', 'full: ');
  await editor.press('Escape');
  // Each type once, and usual ones before others that fit as well.
  await editor.press('ControlOrMeta+End');
  await editor.type('  - id: last');
  await editor.press('Enter');
  const entries = page.locator('.suggest-widget.visible [role="option"]');
  for (const [word, first] of [
    ['query', 'jdbc.postgresql.Query'],
    ['if', 'core.flow.If'],
    ['request', 'core.http.Request'],
    ['python', 'scripts.python.Script'],
  ] as const) {
    await editor.typeUntilCompletion(`type: ${word}`, first);
    expect(await entries.first().innerText()).toContain(first);
    const names = await entries.allInnerTexts();
    expect(new Set(names).size).toBe(names.length);
    await editor.press('Escape', 'Shift+Home', 'Delete');
  }
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
  const box = editor.page.locator('.quick-input-widget input');
  await box.waitFor();
  // The box begins with a colon.
  await editor.type(`${before.length}:${(before.at(-1) ?? '').length + 1}`);
  await editor.press('Enter');
  await box.waitFor({ state: 'hidden' });
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
