import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Execution } from '@millrace/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { Api } from './product/api.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

const flow = `id: travel
namespace: journey
inputs:
  - { id: n, type: INT, defaults: 5 }
tasks:
  - { id: first, type: core.debug.Return, format: one }
  - { id: rest, type: core.flow.Sleep, duration: PT0.5S }
  - id: check
    type: core.flow.If
    condition: "{{ inputs.n > 3 }}"
    then:
      - { id: second, type: core.debug.Return, format: two }
  - { id: rest_again, type: core.flow.Sleep, duration: PT0.5S }
  - { id: third, type: core.log.Log, message: said last }
`;

const data = mkdtempSync(join(tmpdir(), 'millrace-'));
let product: Product;
let browser: Browser;
let execution: Execution;
beforeAll(async () => {
  const before = await launchProduct({ data });
  const api = new Api(before.url);
  await api.saveFlow(flow);
  const { id } = await api.execute('journey', 'travel');
  execution = await api.waitForExecution(id, ({ state }) => state.current === 'SUCCESS');
  // The past is read from what is stored, by a server that did not see it.
  await before.stop();
  product = await launchProduct({ data });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await product.stop();
  rmSync(data, { recursive: true, force: true });
});

const endOf = (taskId: string): string =>
  execution.taskRunList?.find((run) => run.taskId === taskId)?.state.histories.at(-1)?.date ?? '';
/** Where the middle of a task run lies within the time of the execution, between 0 and 1. */
function shareOf(taskId: string): number {
  const dates = (state: Execution['state'] | undefined) =>
    (state?.histories ?? []).map(({ date }) => Date.parse(date));
  const all = dates(execution.state);
  const [startMs = 0, endMs = 0] = [all[0], all.at(-1)];
  const own = dates(execution.taskRunList?.find((run) => run.taskId === taskId)?.state);
  return (((own.at(-2) ?? 0) + (own.at(-1) ?? 0)) / 2 - startMs) / (endMs - startMs);
}
const row = (page: Page, taskId: string) => page.getByRole('treeitem', { name: new RegExp(`^${taskId} `) });

describe('an execution that ended before the server started', () => {
  const address = (rest: string) => `/executions/journey/travel/${execution.id}/${rest}`;

  it('O-2.1 O-2.2 O-2.3 O-2.4 O-2.5 is seen at every moment: dragged with the mouse, walked with keys, and shared as a link', async () => {
    const { page, complaints } = await openPage(browser, product.url);
    await page.goto(address('gantt?order=time'));
    const tabs = page.getByRole('navigation', { name: 'Views of this execution' });
    await row(page, 'third').waitFor();
    await page.getByRole('button', { name: 'Time travel' }).click();
    const handle = page.getByRole('slider', { name: 'Moment that is shown' });
    const box = await handle.boundingBox();
    if (!box) throw new Error('The handle is not on the page.');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width - 8, y);
    await page.mouse.down();
    // The middle of the first rest. The handle is 16 pixels wide and stays inside of the track.
    await page.mouse.move(box.x + 8 + shareOf('rest') * (box.width - 16), y, { steps: 5 });
    await page.mouse.up();
    await row(page, 'third').waitFor({ state: 'detached' });
    await page.getByRole('treeitem', { name: /^rest .*Running/ }).waitFor();
    expect(await row(page, 'check').count()).toBe(0);
    // The header tells the same moment.
    await page.getByRole('img', { name: '1 Success, 1 Running' }).waitFor();

    // The next event ends the rest, and starts what follows at the same moment.
    await handle.press('ArrowRight');
    await page.getByRole('treeitem', { name: /^rest .*Success/ }).waitFor();
    await handle.press('ArrowLeft');
    await page.getByRole('treeitem', { name: /^rest .*Running/ }).waitFor();
    await handle.press('ArrowRight');
    await page.waitForURL((url) => url.searchParams.get('at') === endOf('rest'));

    // The same moment in the other views: the first output is there, the second is not, and nothing was logged.
    await tabs.getByRole('link', { name: 'Outputs' }).click();
    await page.getByRole('button', { name: /^first/ }).waitFor();
    expect(await page.getByRole('button', { name: /^second/ }).count()).toBe(0);
    await tabs.getByRole('link', { name: 'Logs', exact: true }).click();
    await page.getByRole('slider').waitFor();
    expect(await page.getByText('said last').count()).toBe(0);

    // A link to the moment shows it to others.
    const shared = await openPage(browser, product.url, 'dark');
    await shared.page.setViewportSize({ width: 390, height: 844 });
    await shared.page.goto(address(`gantt?at=${encodeURIComponent(endOf('rest'))}`));
    await shared.page.getByRole('treeitem', { name: /^rest .*Success/ }).waitFor();
    expect(await row(shared.page, 'third').count()).toBe(0);
    // On a phone no part of the scrubber is cut off or runs into another one.
    const cut = await shared.page
      .getByRole('region', { name: 'Time travel' })
      .evaluate((region) =>
        [...region.children]
          .filter((part) => part.scrollWidth > part.clientWidth)
          .map((part) => part.textContent),
      );
    expect(cut).toEqual([]);

    await page.getByRole('slider').press('End');
    await page.getByText('said last').waitFor();
    await page.getByRole('button', { name: 'Back to the present' }).click();
    await page.getByRole('slider').waitFor({ state: 'detached' });
    await page.waitForURL((url) => !url.searchParams.has('at'));
    expect([...complaints, ...shared.complaints]).toEqual([]);
  });

  it('O-1.4 O-1.5 tells what happened and why, and leads from an event to its moment', async () => {
    const { page, complaints } = await openPage(browser, product.url);
    await page.goto(address('events'));
    const events = page.getByRole('region', { name: 'Events of this execution' });
    await events.getByText('condition = true').waitFor();
    await events.getByText('condition: {{ inputs.n > 3 }}').waitFor();
    // Who asked for the start, and that the rest followed by itself.
    await events
      .getByRole('listitem')
      .filter({ hasText: 'Execution created' })
      .getByText('Anonymous user')
      .waitFor();
    const decided = events.getByRole('listitem').filter({ hasText: 'condition = true' });
    await decided.getByText('System').waitFor();
    await decided.getByRole('button', { name: 'Show this moment' }).click();
    await page.waitForURL((url) => url.searchParams.has('at'));
    await page.getByRole('slider').waitFor();
    await decided.getByRole('button', { name: 'check' }).click();
    await page.getByRole('button', { name: 'Show the events of every task run' }).waitFor();
    await events.getByText('said last').waitFor({ state: 'detached' });
    await expect.poll(() => events.getByText('Attempt 1 started').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
