import { mkdirSync } from 'node:fs';
import { isTerminal } from '@millrace/contract';
import { inRoot } from '../scripts/setup/root.mjs';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { Api } from './product/api.ts';
import { launchProduct } from './product/launchProduct.ts';

/** Takes the picture of the README from the product as it is: `npx tsx e2e/picture.ts` after `npm run build`. */
const flow = `id: daily-orders
namespace: company.sales
description: Fetches the orders of the day and reports per region.

inputs:
  - id: day
    type: DATE
    defaults: "2026-11-15"

tasks:
  - id: extract
    type: scripts.shell.Commands
    taskRunner:
      type: core.runner.Process
    commands:
      - echo "Reading orders of {{ inputs.day }}"
      - sleep 0.4

  - id: regions
    type: core.flow.ForEach
    values: [north, south, west]
    concurrencyLimit: 0
    tasks:
      - id: total
        type: core.output.OutputValues
        values:
          region: "{{ taskrun.value }}"
      - id: check
        type: core.flow.If
        condition: "{{ taskrun.value != 'west' }}"
        then:
          - id: publish
            type: core.log.Log
            message: Total of {{ parent.taskrun.value }}

  - id: report
    type: core.log.Log
    message: Orders of {{ inputs.day }} are in

triggers:
  - id: on-demand
    type: core.trigger.Webhook
    key: orders-a1b2c3
`;

const product = await launchProduct();
const browser = await openBrowser();
const api = new Api(product.url);
await api.saveFlow(flow);
const { id } = await api.execute('company.sales', 'daily-orders');
await api.waitForExecution(id, ({ state }) => isTerminal(state.current));

const { page } = await openPage(browser, product.url);
await page.goto('/flows/edit/company.sales/daily-orders/edit');
await page.locator('.monaco-editor .view-line').first().waitFor();
await page.getByLabel('Topology', { exact: true }).getByText('report').waitFor();
await page.getByText('No problems').waitFor();
await page.waitForLoadState('networkidle');
mkdirSync(inRoot('docs/images'), { recursive: true });
await page.screenshot({ path: inRoot('docs/images/flow.png') });

await browser.close();
await product.stop();
