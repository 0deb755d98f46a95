import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTerminal } from '@millrace/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { Api } from './product/api.ts';
import { eachDatabase } from './product/database.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

/** A receiver in this process, which keeps the event id of each request. */
async function aReceiver() {
  const eventIds: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      eventIds.push(String(request.headers['idempotency-key']));
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // `as`: it listens on a port.
  return { eventIds, url: `http://127.0.0.1:${port}/hook` };
}

const flow = `id: broken
namespace: journey
tasks:
  - id: read
    type: core.execution.Fail
    errorMessage: "Row {{ execution.id }} is empty"
`;

const documentOf = (groupWait: string) => `channels:
  - { id: hook, type: webhook, url: "{{ secret('HOOK') }}" }
rules:
  - { id: failures, namespace: journey, when: { type: state }, channels: [hook], groupWait: ${groupWait} }
`;

const putDocument = async (product: Product, body: string) => {
  const response = await fetch(`${product.url}/api/v1/alerts/document`, {
    method: 'PUT',
    headers: { 'content-type': 'application/x-yaml' },
    body,
  });
  expect(response.status, await response.text()).toBe(200);
};

describe.each(eachDatabase)('an alert on $name', ({ createDatabase }) => {
  it('O-8.11 arrives once although the server is killed between the failure and the message', async () => {
    const receiver = await aReceiver();
    const data = mkdtempSync(join(tmpdir(), 'millrace-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const env = { SECRET_HOOK: Buffer.from(receiver.url).toString('base64') };
    const place = { data, env, ...(await createDatabase()) };
    let product = await launchProduct(place);
    onTestFinished(async () => void (await product.stop('SIGKILL')));
    const api = new Api(product.url);
    await api.saveFlow(flow);
    await putDocument(product, documentOf('PT2S'));
    const { id } = await api.execute('journey', 'broken');
    await api.waitForExecution(id, ({ state }) => isTerminal(state.current));
    await product.stop('SIGKILL');
    expect(receiver.eventIds).toEqual([]);

    product = await launchProduct(place);
    await expect.poll(() => receiver.eventIds.length, { timeout: 60_000 }).toBe(1);
    const done = async () => {
      const response = await fetch(`${product.url}/api/v1/alerts/deliveries`);
      return ((await response.json()) as { results: { state: string }[] }).results.map(({ state }) => state);
    };
    await expect.poll(done, { timeout: 30_000 }).toEqual(['SENT']);
    await product.stop('SIGKILL');

    product = await launchProduct(place);
    await expect.poll(done, { timeout: 30_000 }).toEqual(['SENT']);
    expect(receiver.eventIds).toHaveLength(1);
  }, 180_000);
});

it('O-7.1 O-7.2 O-7.6 O-7.7 O-7.8 an operator finds a failure in the inbox, sees the progress of its restart, and acknowledges everything', async () => {
  const product = await launchProduct({ env: { SECRET_DB: btoa('password') } });
  const browser = await openBrowser();
  onTestFinished(async () => {
    await browser.close();
    await product.stop('SIGKILL');
  });
  const api = new Api(product.url);
  await api.saveFlow(flow);
  for (let count = 0; count < 2; count++) {
    const { id } = await api.execute('journey', 'broken');
    await api.waitForExecution(id, ({ state }) => isTerminal(state.current));
  }
  await api.saveFlow(
    'id: approve\nnamespace: journey\ntasks:\n  - { id: ask, type: core.flow.Pause, description: Ship it? }\n',
  );
  const { id: paused } = await api.execute('journey', 'approve');
  await api.waitForExecution(paused, ({ state }) => state.current === 'PAUSED');
  const noted = await fetch(`${product.url}/api/v1/namespaces/journey/secrets/DB/expiration`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ expirationDate: new Date(Date.now() + 86_400_000).toISOString() }),
  });
  expect(noted.status, await noted.text()).toBe(200);
  const { page, complaints } = await openPage(browser, product.url);
  // The restart is a job here, and the first reading of its progress waits until the card was seen.
  let cardIsSeen: () => void = () => {};
  const seen = new Promise<void>((resolve) => {
    cardIsSeen = resolve;
  });
  await page.route('**/inbox/failures/*/restart', (route) =>
    route.continue({ headers: { ...route.request().headers(), prefer: 'respond-async, wait=0' } }),
  );
  await page.route(/\/api\/v1\/(\w+\/)?jobs\//, async (route) => {
    await seen;
    await route.continue();
  });
  await page.goto('/inbox');
  await page.getByRole('region', { name: 'Waiting for your decision' }).getByText('Ship it?').waitFor();
  await page.getByRole('region', { name: 'Expiring secrets' }).getByText('DB').waitFor();
  const row = page.getByRole('region', { name: 'Failures' }).getByRole('listitem');
  await row.getByText('2 ×').waitFor();
  await page.getByRole('status', { name: 'Needs attention: 3' }).waitFor();
  await row.getByRole('button', { name: 'Restart all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restart all' }).click();
  const job = page.getByRole('region', { name: 'Restart all failed executions' });
  await job.getByText('Counting…').waitFor();
  cardIsSeen();
  await job.getByText('Finished: 2 of 2 done').waitFor({ timeout: 60_000 });
  await job.getByRole('button', { name: 'Close' }).click();
  await row.getByText('4 ×').waitFor({ timeout: 30_000 });
  for (const name of ['approve', 'broken · read', 'DB']) {
    const item = page.getByRole('listitem').filter({
      has: page.getByRole('button', { name: `Acknowledge: ${name}` }),
    });
    await item.focus();
    await page.keyboard.press('e');
    await item.waitFor({ state: 'detached' });
  }
  await page.getByRole('heading', { name: 'All is well' }).waitFor();
  expect(complaints).toEqual([]);
}, 120_000);
