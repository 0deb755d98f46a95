import type { Execution } from '@millrace/contract';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { Api } from './product/api.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

let product: Product;
let browser: Browser;
let execution: Execution;
beforeAll(async () => {
  product = await launchProduct();
  browser = await openBrowser();
  const api = new Api(product.url);
  await api.saveFlow(
    'id: sample\nnamespace: journey\ntasks:\n  - id: a\n    type: core.log.Log\n    message: |\n      said\n',
  );
  const { id } = await api.execute('journey', 'sample');
  execution = await api.waitForExecution(id, ({ state }) => state.current === 'SUCCESS');
});
// Pages that stay open keep following the server.
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())).then(() => {}));
afterAll(async () => {
  await browser.close();
  await product.stop();
});

it('the overview of an execution shows its graph, and a task leads from there to the topology', async () => {
  const { page, complaints } = await openPage(browser, product.url);
  const address = `/executions/journey/sample/${execution.id}`;
  await page.goto(address);
  const preview = page.getByRole('region', { name: 'Topology' });
  await preview.getByText('log.Log').waitFor();
  await preview.getByText('Success').waitFor();
  await preview.getByText('log.Log').click();
  await page.waitForURL(`${product.url}${address}/topology?taskRunId=${execution.taskRunList?.[0]?.id}`);
  await page.getByRole('button', { name: 'Zoom in' }).waitFor();
  expect(complaints).toEqual([]);
});

it('a page that is open while a new build replaces the app stays usable, and a reload brings the new build', async () => {
  const { page } = await openPage(browser, product.url);
  await page.goto(`/executions/journey/sample/${execution.id}/logs`);
  await page.getByText('said').first().waitFor();
  // As after an update: what the page has not loaded yet is gone from the server.
  await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }));
  const theme = page.getByRole('button', { name: /theme/i }).first();
  const asked = page.waitForRequest(/HintBubble/);
  await theme.hover();
  await asked;
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByText('This part could not be loaded').waitFor();
  await page.getByRole('link', { name: 'Logs', exact: true }).last().click();
  await page.getByText('said').first().waitFor();
  await page.getByRole('link', { name: 'Events' }).click();
  await page.unroute('**/assets/**');
  await page.getByRole('button', { name: 'Reload page' }).click();
  await page.getByText('Execution created').waitFor();
});

describe('what an address says', () => {
  const ofExecution = (rest: string) => `/executions/journey/sample/${execution.id}/${rest}`;
  const ofSelected = (tab: string) => ofExecution(`${tab}?taskRunId=${execution.taskRunList?.[0]?.id}`);
  const views = (): readonly [address: string, sign: string][] => [
    ['/flows?q=sam&sort=namespace%3Adesc&size=10', 'role=searchbox[name="Search flows"] >> visible=true'],
    ['/executions?state=FAILED&timeRange=P7D', 'text=Last 7 days'],
    ['/logs?level=WARN&q=nothing', 'text=Nothing matches these filters'],
    ['/dashboards?timeRange=P28D', 'text=Last 28 days'],
    ['/flows/edit/journey/sample/topology', 'text=log.Log'],
    ['/namespaces/edit/journey/kv?q=x', 'text=Nothing matches these filters'],
    ['/docs/build/flows#the-parts', 'role=heading[name="The parts"]'],
    [ofExecution('logs?level=DEBUG&q=said&order=time'), '[aria-label="Search the log"][value="said"]'],
    [ofSelected('logs'), 'role=button[name="Show the log of every task run"]'],
    [
      '/flows/edit/journey/sample/edit?editor=NO_CODE&side=documentation&element=tasks%5B0%5D',
      'role=heading[name="a"]',
    ],
    [
      '/flows/edit/journey/sample/edit?editor=YAML&side=blueprints',
      'role=searchbox[name="Search blueprints"]',
    ],
    [
      '/flows/edit/journey/sample/edit?editor=YAML&side=documentation',
      'text=Put the cursor into a task or a trigger',
    ],
    ['/blueprints/flow/community?q=hello&page=1', '[type="search"][value="hello"]'],
  ];

  it('S1-1.21 S2-6.1 S2-2.2 S2-2.3 S2-2.4 S2-2.5 S2-2.6 a reload, back, forward and a shared link show the same view, and no login', async () => {
    const { page, complaints } = await openPage(browser, product.url);
    const isShown = (sign: string) => page.locator(sign).first().waitFor();
    const all = views();
    for (const [address, sign] of all) {
      await page.goto(address);
      await isShown(sign);
      expect(page.url()).toBe(product.url + address);
    }
    for (const [address, sign] of all.toReversed().slice(1)) {
      await page.goBack();
      await page.waitForURL(product.url + address);
      await isShown(sign);
    }
    // Here and in the next test; the rest of the way forward is no different.
    for (const [address, sign] of all.slice(1, 5)) {
      await page.goForward();
      await page.waitForURL(product.url + address);
      await isShown(sign);
      await page.reload();
      await isShown(sign);
      expect(page.url()).toBe(product.url + address);
    }
    // Another view of the editor is one click, and stays chosen for the next flow.
    await page.goto('/flows/edit/journey/sample/edit');
    await page.locator('label').filter({ hasText: 'Blueprints' }).click();
    await isShown('role=searchbox[name="Search blueprints"]');
    await page.goto('/flows/new');
    await isShown('role=searchbox[name="Search blueprints"]');
    expect(complaints).toEqual([]);
  });

  it('what is chosen goes into the address: the log of an execution, opened under the wrong flow', async () => {
    const { page, complaints } = await openPage(browser, product.url);
    await page.goto(`/executions/elsewhere/other/${execution.id}/logs`);
    await page.waitForURL(product.url + ofExecution('logs'));
    await page.getByText('By time').click();
    await page.getByLabel('Lowest level shown').selectOption('WARN');
    await page.getByLabel('Search the log').fill('nowhere');
    await page.waitForURL(`${product.url + ofExecution('logs')}?order=time&level=WARN&q=nowhere`);
    const shared = await openPage(browser, product.url);
    await shared.page.goto(page.url());
    for (const one of [page, shared.page]) {
      await one.reload();
      await one.locator('[aria-label="Search the log"][value="nowhere"]').waitFor();
      expect(await one.getByLabel('Lowest level shown').inputValue()).toBe('WARN');
      expect(await one.getByLabel('By time').isChecked()).toBe(true);
    }
    expect([...complaints, ...shared.complaints]).toEqual([]);
  });
});

it('O-9.1 O-9.2 O-9.5 O-9.6 the calendar leads to a day, an execution and a schedule, which tells its next dates', async () => {
  const api = new Api(product.url);
  const daily = 'id: daily, type: core.trigger.Schedule, cron: "30 2 * * *", timezone: Europe/Paris';
  const task = 'id: a, type: core.log.Log, message: x';
  await api.saveFlow(
    `id: planned\nnamespace: journey\ntasks:\n  - { ${task} }\ntriggers:\n  - { ${daily} }\n`,
  );
  const { page, complaints } = await openPage(browser, product.url);
  await page.goto('/calendar?view=month');
  await page.getByRole('button', { name: /Executions: 1 / }).click();
  await page.waitForURL(/view=day/);
  await page.getByRole('link', { name: /^sample, .*Success/ }).click();
  await page.waitForURL(new RegExp(execution.id));
  await page.goBack();
  await page.getByRole('link', { name: /^sample, .*Success/ }).waitFor();
  await page.keyboard.press('w');
  await page.keyboard.press('n');
  await page
    .getByRole('button', { name: /^planned, .*Planned: 1$/ })
    .nth(6)
    .waitFor();
  // A flow has its own calendar.
  await page.goto('/flows/edit/journey/planned/calendar');
  await page
    .getByRole('button', { name: /^planned, .*Planned: 1$/ })
    .first()
    .waitFor();
  expect(await page.getByRole('link', { name: /^sample, / }).count()).toBe(0);
  await page.getByRole('link', { name: 'daily' }).first().click();
  await page.getByRole('button', { name: /Details of .*daily/ }).click();
  await page.getByText('Next dates in Europe/Paris').waitFor();
  expect(
    await page
      .getByRole('listitem')
      .filter({ hasText: /UTC\+0[12]:00/ })
      .count(),
  ).toBe(10);
  expect(complaints).toEqual([]);
});

it('O-10.1 O-10.6 O-10.7 O-10.8 O-10.9 an operator drains a worker, pauses the scheduler and announces maintenance, which every page shows', async () => {
  const { page, complaints } = await openPage(browser, product.url);
  const press = async (name: string, agreement = name) => {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: agreement, exact: true }).click();
  };
  const server = page.getByRole('row', { name: /this server/ });
  await page.goto('/admin/stats/servers');
  await server.filter({ hasText: 'Running' }).waitFor();
  await press('Drain');
  await server.filter({ hasText: 'Draining' }).waitFor();
  await press('Resume');
  await server.filter({ hasText: 'Running' }).waitFor();
  await page.getByRole('link', { name: 'Queues' }).click();
  await press('Pause scheduler');
  await press('Resume scheduler');
  await page.getByRole('button', { name: 'Pause scheduler' }).waitFor();

  await page.getByRole('button', { name: 'Start maintenance' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Message for all users').fill('Upgrade at noon');
  await dialog.getByRole('button', { name: 'Start maintenance' }).click();
  const banner = page.getByRole('status').filter({ hasText: 'Upgrade at noon' });
  await banner.waitFor();
  await expect(new Api(product.url).execute('journey', 'sample')).rejects.toThrow(/503|maintenance/i);

  // On a phone in the dark nothing is wider than the screen.
  const phone = await openPage(browser, product.url, 'dark');
  await phone.page.setViewportSize({ width: 390, height: 844 });
  for (const [tab, sign] of [
    ['servers', 'role=row[name=/this server/]'],
    ['work', 'text=Alert messages'],
    ['health', 'text=Schema version'],
    ['diagnostics', 'text=Slow database statements'],
  ]) {
    await phone.page.goto(`/admin/stats/${tab}`);
    await phone.page
      .locator(sign ?? '')
      .first()
      .waitFor();
    await phone.page.getByRole('status').filter({ hasText: 'Upgrade at noon' }).waitFor();
    const width = await phone.page.evaluate('document.documentElement.scrollWidth');
    expect([tab, width]).toEqual([tab, 390]);
  }

  await page.getByRole('link', { name: 'Diagnostics' }).click();
  await page.getByRole('row', { name: /Started maintenance.*Upgrade at noon/ }).waitFor();
  await page.getByRole('combobox', { name: 'Level of server logs' }).click();
  await page.getByRole('option', { name: 'WARN' }).click();
  await page.getByRole('row', { name: /Changed the log level.*warn/ }).waitFor();
  await press('End maintenance');
  await banner.waitFor({ state: 'hidden' });
  expect([...complaints, ...phone.complaints]).toEqual([]);
});

it('S2-2s.11 S2-2s.13 S2-2s.14 the code editor has the size and the font of the settings, and folds texts', async () => {
  const { page, complaints } = await openPage(browser, product.url);
  await page.addInitScript(() => {
    localStorage.setItem('editorFontSize', '20');
    localStorage.setItem('editorFontFamily', 'Georgia');
    localStorage.setItem('autofoldTextEditor', 'true');
  });
  await page.goto('/flows/edit/journey/sample/edit?editor=YAML&side=none');
  const lines = page.locator('.monaco-editor .view-lines');
  await lines.getByText('message').waitFor();
  await expect.poll(() => lines.innerText()).not.toContain('said');
  const font = await lines.evaluate((element) => {
    const { fontSize, fontFamily } = getComputedStyle(element);
    return { fontSize, fontFamily };
  });
  expect(font).toEqual({ fontSize: '20px', fontFamily: expect.stringMatching(/^"?Georgia/) });

  // On a phone the tabs do not fit: the chosen one is in view all the same.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/flows/edit/journey/sample/concurrency');
  const tab = page.getByRole('link', { name: 'Concurrency' });
  await expect.poll(async () => (await tab.boundingBox())?.x ?? -1).toBeGreaterThan(0);
  await expect
    .poll(async () => ((await tab.boundingBox())?.x ?? 0) + ((await tab.boundingBox())?.width ?? 999))
    .toBeLessThan(390);
  expect(complaints).toEqual([]);
});

it('S2-8.9 an import shows what it changes and refuses, and says so when a file cannot be read', async () => {
  const { page } = await openPage(browser, product.url);
  await page.goto('/flows');
  const take = async (name: string, source: string) => {
    const file = { name, mimeType: 'application/x-yaml', buffer: Buffer.from(source) };
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import' }).click();
    await (await chooser).setFiles(file);
  };
  const flow = (id: string, type: string) =>
    `id: ${id}\nnamespace: journey\ntasks:\n  - id: a\n    type: ${type}\n    message: x\n`;
  const invalid = 'id: refused\nnamespace: journey\ntasks: nothing\n';
  await take(
    'flows.yaml',
    `${flow('taken', 'core.log.Log')}---\n${invalid}---\n${flow('kept', 'acme.Thing')}`,
  );
  const preview = page.getByRole('dialog', { name: 'Import flows' });
  const refused = preview.getByRole('listitem').filter({ hasText: 'journey.refused' });
  expect(await refused.first().innerText()).toMatch(/Refused[\s\S]*Document 2[\s\S]*Line 10/);
  await preview.getByRole('button', { name: 'Import 2 flows' }).press('Enter');
  await page.getByRole('link', { name: 'taken' }).waitFor();
  await page.getByRole('row', { name: /kept.*Plugin missing/ }).waitFor();
  await take('notes.txt', flow('other', 'core.log.Log'));
  await page.getByText('Error(s) occurred while importing the file(s)').waitFor();
});

it('S2-8.10 says so when a PDF cannot be drawn, and why', async () => {
  const api = new Api(product.url);
  await api.saveFlow(
    'id: pdf\nnamespace: journey\ntasks:\n  - id: write\n    type: core.storage.Write\n    content: no pdf\n    extension: .pdf\n',
  );
  const { id } = await api.execute('journey', 'pdf');
  const { taskRunList } = await api.waitForExecution(id, ({ state }) => state.current === 'SUCCESS');
  const { page } = await openPage(browser, product.url);
  await page.goto(`/executions/journey/pdf/${id}/outputs`);
  await page.getByRole('button', { name: /^Preview content/ }).click();
  await page.getByText('Failed to render the PDF preview').waitFor();
  await page.getByText('Invalid PDF structure').waitFor();
  // The file that is looked into is in the address.
  const { uri } = taskRunList?.[0]?.outputs ?? {};
  expect(new URL(page.url()).searchParams.get('preview')).toBe(uri);
});

it('S1-2.4.24 diagrams and coloured code show under the strict policy for content', async () => {
  const { page, complaints } = await openPage(browser, product.url);
  const answer = await page.goto('/docs/get-started/concepts');
  expect(answer?.headers()['content-security-policy']).toContain("script-src 'self';");
  await page.locator('main svg[id^="diagram-"]').first().waitFor();
  await page.goto('/docs/build/flows');
  const coloured = page.locator('main pre code span span[style]').first();
  await coloured.waitFor();
  expect(complaints).toEqual([]);
});

it('the app works below a base path: pages, links, calls and a reload', async () => {
  const below = await launchProduct({ env: { MILLRACE_SERVER_BASE_PATH: '/orchestrator' } });
  try {
    const { page, complaints } = await openPage(browser, below.url);
    await page.goto('/orchestrator/settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByRole('link', { name: 'Plugins' }).click();
    await page.waitForURL('**/orchestrator/plugins');
    await page.getByText('Conditions').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Jump to…' }).fill('secrets');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/orchestrator/secrets');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Secrets' }).waitFor();
    expect(complaints).toEqual([]);
  } finally {
    await below.stop();
  }
});
