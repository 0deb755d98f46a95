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
  it('arrives once although the server is killed between the failure and the message', async () => {
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

it('an operator finds a failure in the inbox, restarts it and acknowledges it', async () => {
  const product = await launchProduct();
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
  const { page, complaints } = await openPage(browser, product.url);
  await page.goto('/inbox');
  const row = page.getByRole('region', { name: 'Failures' }).getByRole('listitem');
  await row.getByText('2 ×').waitFor();
  await page.getByRole('status', { name: 'Needs attention: 1' }).waitFor();
  await row.getByRole('button', { name: 'Restart all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restart all' }).click();
  await row.getByText('4 ×').waitFor({ timeout: 30_000 });
  await row.focus();
  await page.keyboard.press('e');
  await page.getByRole('heading', { name: 'All is well' }).waitFor();
  expect(complaints).toEqual([]);
}, 120_000);
