import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isTerminal } from '@millrace/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { Api } from './product/api.ts';
import { eachDatabase } from './product/database.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

const flows = [
  `id: hooked
tasks: [{ id: a, type: core.log.Log, message: called }]
triggers: [{ id: hook, type: core.trigger.Webhook, key: abc }]`,
  `id: child
tasks: [{ id: a, type: core.log.Log, message: called }]`,
  `id: parent
tasks:
  - { id: sub, type: core.flow.Subflow, namespace: operating, flowId: child }
  - { id: skipped, type: core.log.Log, message: never, runIf: "{{ taskrun.attemptsCount > 5 }}" }`,
  `id: often
tasks: [{ id: a, type: core.flow.Sleep, duration: PT0.3S }]
triggers: [{ id: hourly, type: core.trigger.Schedule, cron: "0 * * * *" }]`,
  `id: asks
tasks:
  - id: ask
    type: core.flow.Pause
    description: Ship it?
    onResume: [{ id: reason, type: STRING, displayName: Reason }]`,
  `id: full
concurrency: { limit: 1, behavior: QUEUE }
tasks: [{ id: long, type: core.flow.Sleep, duration: PT1H }]`,
  `id: retries
tasks:
  - id: later
    type: core.execution.Fail
    retry: { type: constant, interval: PT1H, maxAttempts: 2 }`,
  `id: polls
tasks:
  - id: until
    type: core.flow.LoopUntil
    condition: "{{ false }}"
    checkFrequency: { interval: PT1H }
    tasks: [{ id: probe, type: core.log.Log, message: probe }]`,
  `id: flaky
inputs: [{ id: city, type: STRING, defaults: Oslo }]
tasks:
  - id: unsure
    type: core.execution.Assert
    conditions: ["{{ taskrun.attemptsCount >= 2 }}"]
    retry: { type: constant, interval: PT0.2S, maxAttempts: 5 }
  - id: report
    type: core.metric.Publish
    metrics: [{ name: rows, type: counter, value: 7 }, { name: wait, type: timer, value: PT2S }]
  - { id: say, type: core.log.Log, message: found the needle }
outputs: [{ id: place, type: STRING, value: "{{ inputs.city }}" }]`,
];

describe.each(eachDatabase)('an operator on $name', ({ name, createDatabase }) => {
  // One database is walked in the light theme, the other one in the dark.
  const theme = name === 'SQLite' ? 'light' : 'dark';
  let [product, browser, api]: [Product, Browser, Api] = [] as never; // Set before the first test.
  const ids = new Map<string, string>();
  const addressOf = (flow: string, tab: string) => `/executions/operating/${flow}/${ids.get(flow)}/${tab}`;
  const start = async (flow: string) => {
    ids.set(flow, (await api.execute('operating', flow)).id);
    return ids.get(flow) ?? '';
  };
  const isIn = (flow: string, state: string) =>
    api.waitForExecution(ids.get(flow) ?? '', (execution) => execution.state.current === state);
  const visit = () => openPage(browser, product.url, theme);

  beforeAll(async () => {
    // Addresses of channels are secrets; on PostgreSQL the key that encrypts them is configured.
    const env = { MILLRACE_ENCRYPTION_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };
    const launched = createDatabase().then((place) => launchProduct({ ...place, env }));
    [product, browser] = await Promise.all([launched, openBrowser()]);
    api = new Api(product.url);
    for (const flow of flows) await api.saveFlow(flow.replace('\n', '\nnamespace: operating\n'));
    for (const flow of ['parent', 'asks', 'full', 'retries', 'polls', 'flaky']) await start(flow);
    await isIn('flaky', 'SUCCESS');
    await isIn('parent', 'SUCCESS');
  });
  afterAll(async () => {
    await browser.close();
    await product.stop('SIGKILL');
  });

  const latestOf = async (flow: string) => {
    for (;;) {
      const { results } = await api.searchExecutions({ namespace: 'operating', flowId: flow });
      const found = results.find(({ state }) => isTerminal(state.current));
      if (found) return found.id;
    }
  };

  it('O-1.1 O-1.4 O-1.5 the Events tab names the webhook, the parent execution and the system, and the value that decided', async () => {
    const { page, complaints } = await visit();
    await fetch(`${product.url}/api/v1/executions/webhook/operating/hooked/abc`, { method: 'POST' });
    for (const flow of ['hooked', 'child']) ids.set(flow, await latestOf(flow));
    const created = page.getByRole('listitem').filter({ hasText: 'Execution created' });
    for (const [flow, actor] of [
      ['hooked', 'hook'],
      ['child', ids.get('parent')?.slice(0, 8) ?? ''],
      ['parent', 'Anonymous user'],
    ] as const) {
      await page.goto(addressOf(flow, 'events'));
      await created.getByText(actor, { exact: true }).waitFor();
    }
    const decided = page.getByRole('listitem').filter({ hasText: 'runIf = false' });
    await decided.getByText('{{ taskrun.attemptsCount > 5 }}').waitFor();
    await decided.getByText('System').waitFor();
    expect(complaints).toEqual([]);
  });

  it('O-1.8 O-1.9 O-1.10 O-1.12 a pause shows its question, a queue its limit and who is ahead, a retry and a loop their next attempt', async () => {
    const { page, complaints } = await visit();
    const [first, second] = [await start('full'), await start('full')];
    await isIn('full', 'QUEUED');
    const reasons = page.getByRole('list', { name: 'Why the execution waits' });
    for (const [flow, words] of [
      ['asks', ['Ship it?', 'Reason']],
      ['full', ['(1 of 1)', first.slice(0, 8)]],
      ['retries', ['Attempt 2 of task']],
      ['polls', ['until']],
    ] as const) {
      await page.goto(addressOf(flow, 'overview'));
      for (const word of words) await reasons.getByText(word).first().waitFor();
    }
    expect(second).toBe(ids.get('full'));
    expect(complaints).toEqual([]);
  });

  it('O-9.7 a backfill shows its dates and its remaining time', async () => {
    const { page, complaints } = await visit();
    await page.goto('/flows/edit/operating/often/triggers');
    await page.getByRole('button', { name: 'Backfill' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Back from now').click();
    await dialog.getByRole('combobox', { name: 'How far back' }).click();
    await page.getByRole('option', { name: 'Last 7 days' }).click();
    await dialog.getByRole('button', { name: 'Run the backfill' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByText(/\d+\/16[89] · /)
      .last()
      .waitFor({ timeout: 60_000 });
    expect(complaints).toEqual([]);
  });

  /** The lines of the file that a list downloads. */
  const download = async (page: Page, address: string, kind: 'CSV' | 'JSON') => {
    await page.goto(address);
    await page.getByRole('button', { name: 'Download' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: kind }).click(),
    ]);
    return readFileSync(await file.path(), 'utf8');
  };

  it('O-12.1 O-12.5 O-12.6 lists have columns for inputs, outputs and the current task, and are files', async () => {
    const { page, complaints } = await visit();
    await page.goto('/executions?flowId=flaky&namespace=operating');
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    for (const column of ['Inputs', 'Outputs', 'Current task'])
      await page.getByRole('menuitemcheckbox', { name: column }).click();
    await page.keyboard.press('Escape');
    const row = page.getByRole('row').filter({ hasText: 'flaky' });
    await row.getByText(/city.*Oslo/).waitFor();
    await row.getByText(/place.*Oslo/).waitFor();
    await page.goto('/executions?flowId=asks&namespace=operating');
    await page.getByRole('row').filter({ hasText: 'asks' }).getByText('ask', { exact: true }).waitFor();
    for (const [address, key] of [
      ['/executions?flowId=flaky', 'id'],
      ['/taskruns?flowId=flaky', 'executionId'],
      ['/logs?q=needle', 'executionId'],
    ] as const) {
      expect(await download(page, address, 'CSV')).toContain(ids.get('flaky'));
      const rows = JSON.parse(await download(page, address, 'JSON')) as Record<string, unknown>[];
      expect(new Set(rows.map((one) => one[key]))).toEqual(new Set([ids.get('flaky')]));
    }
    expect(complaints).toEqual([]);
  });

  it('O-8.8 O-8.9 makes a channel, sends its test message, and makes a rule with quiet hours', async () => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (piece: string) => void received.push(piece));
      request.on('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      receiver.closeAllConnections();
      receiver.close();
    });
    const { port } = receiver.address() as AddressInfo; // `as`: it listens on a port.
    const { page, complaints } = await visit();

    await page.goto('/alerts/channels');
    await page.getByRole('button', { name: 'New channel' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type').selectOption('webhook');
    await dialog.getByRole('textbox', { name: 'Id' }).click();
    await page.keyboard.type('hook');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('This value is missing or wrong.').waitFor();
    await dialog.getByLabel('Address').click();
    await page.keyboard.type(`http://127.0.0.1:${port}/`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Test message sent through hook').waitFor();
    expect(received.join('')).toContain('"status":"test"');

    await page.getByRole('link', { name: 'Rules' }).click();
    await page.getByRole('button', { name: 'New rule' }).first().click();
    await dialog.getByRole('textbox', { name: 'Id' }).click();
    await page.keyboard.type('nights');
    await dialog.getByRole('combobox', { name: 'Channels' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'hook' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await dialog.getByRole('switch', { name: 'Quiet hours' }).focus();
    await page.keyboard.press('Space');
    await dialog.getByLabel('From').fill('22:00');
    await dialog.getByLabel('To', { exact: true }).fill('06:30');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'nights' }).click();
    expect(await dialog.getByLabel('From').inputValue()).toBe('22:00');
    expect(await dialog.getByLabel('To', { exact: true }).inputValue()).toBe('06:30');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(complaints).toEqual([]);
  });

  it('O-13.1 no page of an operator is wider than a phone', async () => {
    const { page, complaints } = await visit();
    await page.setViewportSize({ width: 390, height: 844 });
    const widths: [string, number][] = [];
    const addresses = [
      ...['events', 'gantt', 'outputs', 'topology', 'logs', 'metrics'].map((tab) => addressOf('flaky', tab)),
      ...['asks', 'full', 'retries'].map((flow) => addressOf(flow, 'overview')),
      ...['grid', 'metrics', 'calendar', 'triggers'].map((tab) => `/flows/edit/operating/flaky/${tab}`),
      ...['inbox', 'executions', 'taskruns', 'logs?q=needle', 'calendar?view=day'].map((path) => `/${path}`),
      `/executions/compare?left=${ids.get('flaky')}&right=${ids.get('flaky')}`,
    ];
    for (const address of addresses) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      widths.push([address, await page.evaluate<number>('document.documentElement.scrollWidth')]);
    }
    expect(widths).toEqual(addresses.map((address) => [address, 390]));
    expect(complaints).toEqual([]);
  });
});
