import type { Browser, Locator, Page } from 'playwright-core';
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

/** The node of a task, found by its id. */
const nodeOf = (page: Page, id: string) =>
  page
    .locator('.react-flow__node')
    .filter({ has: page.getByText(id, { exact: true }) })
    .last();

/** Chooses a type in the open palette by typing, and fills in one field of the form that follows. */
async function choose(page: Page, words: string, field?: { name: string; value: string }): Promise<void> {
  const hands = new Hands(page);
  const search = page.getByRole('combobox', { name: 'Search types' });
  await search.waitFor();
  // A user types at once, and what the field misses would be commands of the graph.
  expect(await search.and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.type(words);
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('complementary', { name: /^Edit / });
  await sheet.getByRole('textbox', { name: /^id/ }).waitFor();
  if (field) await hands.write(sheet.getByRole('textbox', { name: field.name }), field.value);
  // The sheet closes by the key as well as by the button.
  if (field) await hands.press('Escape');
  else await sheet.getByRole('button', { name: 'Close' }).click();
  await sheet.waitFor({ state: 'detached' });
}

it('A-11.3 A-5.1 A-5.3 A-5.4 A-5.6 A-5.7 A-5.14 S1-1.2 [authoring] graph: builds a flow on the graph alone, with mouse and keyboard, corrects a mistake, runs it dry, saves, tests and executes it', async () => {
  const { page, complaints } = await openPage(browser, product.url);
  const hands = new Hands(page);
  let sendTypes = () => {};
  const areTyped = new Promise<void>((resolve) => {
    sendTypes = resolve;
  });
  await page.route(/\/plugins\/schemas\/flow/, async (route) => {
    await areTyped;
    await route.continue();
  });
  await page.goto('/flows/new');
  const code = page.locator('.monaco-editor .view-lines');
  const text = async () => (await code.innerText()).replaceAll('\u00a0', ' ');
  await nodeOf(page, 'hello').waitFor();

  // A task on an edge, with the mouse. On a slow network the types arrive after the words.
  await page.getByRole('button', { name: 'Add after hello' }).click();
  const chosen = choose(page, 'core log Log', { name: 'message', value: 'second task' });
  const search = page.getByRole('combobox', { name: 'Search types' });
  await expect.poll(() => search.inputValue()).toBe('core log Log');
  sendTypes();
  await chosen;
  await nodeOf(page, 'log').waitFor();

  // A container after it and a task inside, with the keyboard.
  await hands.tabTo(nodeOf(page, 'log'));
  await page.keyboard.press('a');
  await choose(page, 'flow parallel');
  await hands.tabTo(nodeOf(page, 'parallel'));
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
  await hands.tabTo(nodeOf(page, 'hello'), 'Shift+Tab');
  await page.keyboard.press('ControlOrMeta+d');
  await nodeOf(page, 'hello_2').waitFor();
  await hands.tabTo(nodeOf(page, 'hello_2'));
  await page.keyboard.press('Delete');
  await expect.poll(() => nodeOf(page, 'hello_2').count()).toBe(0);
  await hands.tabTo(nodeOf(page, 'hello'), 'Shift+Tab');
  await page.keyboard.press('ControlOrMeta+z');
  await nodeOf(page, 'hello_2').waitFor();
  // From node to node by arrow keys, and disabled by key.
  await hands.tabTo(nodeOf(page, 'hello'), 'Shift+Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ControlOrMeta+/');
  await expect.poll(text).toContain('disabled: true');

  // A mistake in the form of a node is named, and gone when it is corrected there.
  await hands.tabTo(nodeOf(page, 'log'));
  await hands.press('Enter');
  const sheet = page.getByRole('complementary', { name: /^Edit / });
  const message = sheet.getByRole('textbox', { name: 'message' });
  await hands.write(message, 'second task of {{ flow.id | uper }}');
  await hands.seeAndCorrect(/did you mean "upper"/, () =>
    hands.write(message, 'second task of {{ flow.id | upper }}'),
  );
  await sheet.getByRole('button', { name: 'Close' }).click();

  // The dry run colors the nodes; kept as a test of the saved flow, it passes.
  await hands.dryRun();
  await nodeOf(page, 'log').getByText('Success').waitFor();
  await hands.press('ControlOrMeta+S');
  await page.waitForURL('**/flows/edit/company.team/hello_world/edit*');
  await hands.keepAsTest();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Execute' }).waitFor();
  await hands.press('ControlOrMeta+Enter');
  await page.waitForURL('**/executions/company.team/hello_world/*/gantt');
  const views = page.getByLabel('Views of this execution');
  await views.getByRole('link', { name: 'Logs', exact: true }).click();
  for (const line of ['Hello World!', 'second task of HELLO_WORLD', 'inner task'])
    await page.getByText(line).first().waitFor();

  expect(complaints).toEqual([]);
});

it('A-9.1 A-9.2 A-9.5 A-9.7 A-9.8 S2-2.7 arranges panels by drag and keys, inserts a blueprint after a task and moves files in the tree', async () => {
  const send = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${product.url}/api/v1${path}`, { method: 'POST', body, headers });
  const source =
    'id: panels\nnamespace: shop\ntasks:\n  - id: load # kept\n    type: core.log.Log\n    message: hi\n';
  expect((await send('/flows', source, { 'content-type': 'application/x-yaml' })).status).toBe(200);
  for (const path of ['/main.py', '/notes.md', '/sql/one.sql']) {
    const body = new FormData();
    body.append('fileContent', new Blob(['1']), path.slice(path.lastIndexOf('/') + 1));
    await send(`/namespaces/shop/files?path=${encodeURIComponent(path)}`, body);
  }
  const { page, complaints } = await openPage(browser, product.url);
  await page.goto('/flows/edit/shop/panels/edit');
  await page.getByRole('button', { name: 'Panels', exact: true }).click();
  const chooser = page.getByRole('toolbar', { name: 'Panels' });
  await chooser.getByRole('button', { name: 'Blueprints' }).click();
  await chooser.getByRole('button', { name: 'Files' }).click();

  // A tab that is dragged to the lower edge of a panel stands below it.
  const code = page.getByRole('region', { name: 'Code' });
  await code.locator('.view-lines').waitFor();
  await dragTo(page, page.getByRole('tab', { name: 'Topology' }), code, { x: 0.5, y: 0.95 });
  const below = async () => {
    const [graph, text] = await Promise.all([
      page.getByRole('region', { name: 'Topology' }).boundingBox(),
      code.boundingBox(),
    ]);
    return graph && text ? graph.y > text.y + 100 && Math.abs(graph.x - text.x) < 2 : false;
  };
  await expect.poll(below).toBe(true);
  expect(await findSeriousProblems(page)).toEqual([]);

  // The tasks of a blueprint go behind the task at the cursor, and one undo takes them back.
  const text = async () => (await code.locator('.view-lines').innerText()).replaceAll('\u00a0', ' ');
  await code.getByText('core.log.Log').click();
  const blueprints = page.getByRole('region', { name: 'Blueprints' });
  await blueprints.getByPlaceholder('Search blueprints').click();
  await page.keyboard.type('every night');
  await blueprints
    .getByRole('listitem')
    .filter({ hasText: 'night' })
    .first()
    .getByRole('button')
    .first()
    .click();
  await blueprints.getByRole('button', { name: 'Insert after load' }).click();
  await expect.poll(text).toContain('variables:');
  expect(await text()).toContain('- id: load # kept');
  await code.locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(text).not.toContain('variables:');

  // Two files, selected with keys, are dragged into a folder; the layout is there after a reload.
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true });
  await item('main.py').click();
  await item('main.py').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await dragTo(page, item('notes.md'), item('sql'), { x: 0.5, y: 0.5 });
  await page.getByText('2 moved').waitFor();
  await expect.poll(() => item('main.py').getAttribute('aria-level')).toBe('2');
  await page.reload();
  await expect.poll(below).toBe(true);
  expect(complaints).toEqual([]);
});

/** Drags by the pointer, to a place inside the target. */
async function dragTo(page: Page, from: Locator, to: Locator, share: { x: number; y: number }) {
  const [start, end] = await Promise.all([from.boundingBox(), to.boundingBox()]);
  if (!start || !end) throw new Error('There is nothing to drag.');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2 + 12, start.y + start.height / 2 + 12, { steps: 4 });
  await page.mouse.move(end.x + end.width * share.x, end.y + end.height * share.y, { steps: 8 });
  await page.mouse.up();
}
