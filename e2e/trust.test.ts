import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenPage, openBrowser, openPage } from './browser/openBrowser.ts';
import { Api } from './product/api.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';
import { CodeEditorOnPage } from './typing/codeEditor.ts';

/** Everyday trust: what is edited is not lost, what is asked for is done once, and what is shown is true. */

let product: Product;
let browser: Browser;
let api: Api;
beforeAll(async () => {
  product = await launchProduct();
  browser = await openBrowser();
  api = new Api(product.url);
});
afterAll(async () => {
  await browser.close();
  await product.stop('SIGKILL');
});

const timeout = 15_000;
const flowOf = (id: string, message: string) =>
  `id: ${id}\nnamespace: trust\ntasks:\n  - id: say\n    type: core.log.Log\n    message: ${message}\n`;
const revisionsOf = async (id: string): Promise<string[]> => {
  const response = await fetch(`${product.url}/api/v1/flows/trust/${id}/revisions`);
  const revisions: readonly { readonly source: string }[] = await response.json();
  return revisions.map(({ source }) => /message: (.*)/.exec(source)?.[1] ?? '');
};

async function visit(address: string): Promise<OpenPage & { readonly context: BrowserContext }> {
  const opened = await openPage(browser, product.url);
  opened.page.setDefaultTimeout(timeout);
  await opened.page.goto(address);
  return { ...opened, context: opened.page.context() };
}

const editAddress = (id: string) => `/flows/edit/trust/${id}/edit?editor=YAML&side=none`;
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click({ timeout });
const isShown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor({ timeout });
const textIn = async (page: Page) => {
  const editor = new CodeEditorOnPage(page);
  await editor.focus();
  return await editor.read();
};
const draftIsKept = (page: Page, text: string) =>
  expect
    .poll(
      () =>
        page.evaluate(
          (wanted) =>
            Object.entries(localStorage).some(
              ([key, value]) => key.startsWith('draft:flow') && String(value).includes(wanted),
            ),
          text,
        ),
      { timeout },
    )
    .toBe(true);

it('a save survives the loss of the network, and a draft survives a closed tab and another save', async () => {
  const id = 'kept';
  await api.saveFlow(flowOf(id, 'one'));
  const { page, context } = await visit(editAddress(id));
  await new CodeEditorOnPage(page).paste(flowOf(id, 'two'));
  await isShown(page, 'No problems');

  // Offline, the page says that nothing is saved and tries again; online, the text is saved once.
  await context.setOffline(true);
  await save(page);
  const alert = page.getByRole('alert').filter({ hasText: "Not saved: the server can't be reached." });
  await alert.getByText(/Next attempt in|Trying to save/).waitFor({ timeout });
  await context.setOffline(false);
  await isShown(page, 'Saved kept, revision 2');
  await alert.waitFor({ state: 'detached', timeout });
  expect(await revisionsOf(id)).toEqual(['one', 'two']);

  // A closed tab leaves its text behind for the next one.
  await new CodeEditorOnPage(page).paste(flowOf(id, 'three'));
  await draftIsKept(page, 'three');
  await page.close();
  const again = await context.newPage();
  again.setDefaultTimeout(timeout);
  await again.goto(editAddress(id));
  await isShown(again, 'Your unsaved changes were restored:');
  expect(await textIn(again)).toBe(flowOf(id, 'three'));

  // Another tab saves first: the author is asked, and both texts stay.
  const other = await context.newPage();
  other.setDefaultTimeout(timeout);
  await other.goto(editAddress(id));
  await new CodeEditorOnPage(other).paste(flowOf(id, 'four'));
  await isShown(other, 'No problems');
  await save(other);
  await isShown(other, 'Saved kept, revision 3');
  await save(again);
  const conflict = again.getByRole('dialog', { name: 'The revision you are editing is outdated.' });
  await conflict.getByRole('button', { name: 'Cancel' }).click({ timeout });
  await conflict.waitFor({ state: 'detached', timeout });
  expect(await textIn(again)).toBe(flowOf(id, 'three'));
  await isShown(again, 'Revision 3 was saved meanwhile.');
  expect(await revisionsOf(id)).toEqual(['one', 'two', 'four']);
  await save(again);
  await conflict.getByRole('button', { name: 'Overwrite' }).click({ timeout });
  await isShown(again, 'Saved kept, revision 4');
  expect(await revisionsOf(id)).toEqual(['one', 'two', 'four', 'three']);
  await context.close();
});

it('A-4.1 Execute with unsaved changes saves them first', async () => {
  const id = 'executed';
  await api.saveFlow(flowOf(id, 'old text'));
  const { page, context, complaints } = await visit(editAddress(id));
  await new CodeEditorOnPage(page).paste(flowOf(id, 'new text'));
  await isShown(page, 'No problems');
  await page.getByRole('button', { name: 'Execute', exact: true }).click({ timeout });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save and execute' }).click({ timeout });
  await dialog.getByRole('button', { name: 'Execute', exact: true }).click({ timeout });
  await page.waitForURL('**/executions/trust/executed/*/gantt', { timeout });
  const executionId = new URL(page.url()).pathname.split('/').at(-2) ?? '';
  await page.goto(`/executions/trust/executed/${executionId}/logs`);
  await isShown(page, 'new text');
  expect(await revisionsOf(id)).toEqual(['old text', 'new text']);
  expect(complaints).toEqual([]);
  await context.close();
});

it('A-5.5 removing a task that others use names them and asks', async () => {
  const source =
    'id: used\nnamespace: trust\ntasks:\n  - id: make\n    type: core.debug.Return\n    format: x\n' +
    '  - id: say\n    type: core.log.Log\n    message: "{{ outputs.make.value }}"\n';
  await api.saveFlow(source);
  const { page, context } = await visit('/flows/edit/trust/used/edit?editor=NO_CODE&side=none');
  const tasks = page.getByRole('list', { name: 'tasks' });
  const remove = tasks.getByRole('button', { name: 'Remove make' });
  await remove.click({ timeout });
  const dialog = page.getByRole('dialog', { name: 'Delete make?' });
  await dialog.getByText('These parts of the flow use make and fail without it: say.').waitFor({ timeout });
  await dialog.getByRole('button', { name: 'Cancel' }).click({ timeout });
  await dialog.waitFor({ state: 'detached', timeout });
  await tasks.getByRole('button', { name: 'Edit make' }).waitFor({ timeout });
  await remove.click({ timeout });
  await dialog.getByRole('button', { name: 'Delete' }).click({ timeout });
  await tasks.getByRole('button', { name: 'Edit make' }).waitFor({ state: 'detached', timeout });
  await tasks.getByRole('button', { name: 'Edit say' }).waitFor({ timeout });
  await context.close();
});

it('a long action shows its progress and then exactly what it did', async () => {
  const id = 'many';
  await api.saveFlow(flowOf(id, 'again'));
  const started = await Promise.all(Array.from({ length: 30 }, () => api.execute('trust', id)));
  await expect
    .poll(
      async () =>
        (await api.searchExecutions({ flowId: id, state: 'SUCCESS', size: '1', timeRange: 'P1D' })).total,
      { timeout: 60_000 },
    )
    .toBe(started.length);
  const { page, context } = await visit(`/executions?flowId=${id}`);
  // Every action is a job here, and the first reading of its progress waits until the card was seen.
  let cardIsSeen: () => void = () => {};
  const seen = new Promise<void>((resolve) => {
    cardIsSeen = resolve;
  });
  await page.route('**/executions/replay/**', (route) =>
    route.continue({ headers: { ...route.request().headers(), prefer: 'respond-async, wait=0' } }),
  );
  await page.route(/\/api\/v1\/(\w+\/)?jobs\//, async (route) => {
    await seen;
    await route.continue();
  });
  await isShown(page, '1–25 of 30');
  await page.getByLabel('Select all rows of this page').click({ timeout });
  await page.getByRole('button', { name: 'Select all 30 matches' }).click({ timeout });
  await page.getByRole('button', { name: 'Replay' }).click({ timeout });
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click({ timeout });
  const job = page.getByRole('region', { name: 'Replay 30 executions' });
  await job.getByText('Counting…').waitFor({ timeout });
  cardIsSeen();
  await job.getByText('Finished: 30 of 30 done').waitFor({ timeout: 60_000 });
  await expect
    .poll(async () => (await api.searchExecutions({ flowId: id, size: '1', timeRange: 'P1D' })).total, {
      timeout,
    })
    .toBe(2 * started.length);
  await job.getByRole('button', { name: 'Close' }).click({ timeout });
  await job.waitFor({ state: 'detached', timeout });
  await context.close();
});

it('every ticked column of the lists of executions and triggers can be reached at each width', async () => {
  const cron = 'triggers:\n  - id: nightly\n    type: core.trigger.Schedule\n    cron: "0 2 * * *"\n';
  await api.saveFlow(`${flowOf('columns', 'x')}${cron}labels:\n  team: data\n`);
  await api.execute('trust', 'columns');
  const { page, context } = await visit('/executions?flowId=columns');
  for (const address of ['/executions?flowId=columns', '/admin/triggers']) {
    await page.setViewportSize({ width: 1440, height: 844 });
    await page.goto(address);
    await isShown(page, '1–1 of 1');
    await page.getByRole('button', { name: 'Columns', exact: true }).click({ timeout });
    const boxes = page.getByRole('menuitemcheckbox');
    await boxes.first().waitFor({ timeout });
    for (const box of await boxes.all())
      if ((await box.getAttribute('aria-checked', { timeout })) === 'false') await box.click({ timeout });
    const ticked = (await boxes.allInnerTexts()).map((text) => text.trim());
    expect(ticked.length).toBeGreaterThan(7);
    await page.keyboard.press('Escape');
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 844 });
      for (const name of ticked) {
        const header = page.getByRole('columnheader', { name, exact: true });
        await header.scrollIntoViewIfNeeded({ timeout });
        const { x, width: own } = (await header.boundingBox({ timeout })) ?? { x: -1, width: 0 };
        expect([name, width, x >= 0, x + own <= width + 1, own > 0]).toEqual([name, width, true, true, true]);
      }
    }
  }
  await context.close();
});
