import { isTerminal } from '@millrace/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSeriousProblems } from './browser/findSeriousProblems.ts';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { Api } from './product/api.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

const flow = `id: sample
namespace: journey
description: A flow with a bit of everything.
labels:
  team: water
inputs:
  - id: name
    type: STRING
    defaults: World
tasks:
  - id: greet
    type: core.log.Log
    message: Hello {{ inputs.name }}
  - id: choose
    type: core.flow.If
    condition: "{{ inputs.name == 'World' }}"
    then:
      - id: value
        type: core.output.OutputValues
        values:
          some: value
  - id: fail
    type: scripts.shell.Commands
    taskRunner:
      type: core.runner.Process
    commands:
      - exit 1
triggers:
  - id: hook
    type: core.trigger.Webhook
    key: secret-key
`;

let product: Product;
let browser: Browser;
let execution = '';

beforeAll(async () => {
  product = await launchProduct();
  browser = await openBrowser();
  const api = new Api(product.url);
  await api.saveFlow(flow);
  const { id } = await api.execute('journey', 'sample');
  await api.waitForExecution(id, ({ state }) => isTerminal(state.current));
  execution = `/executions/journey/sample/${id}`;
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

const idOf = () => execution.split('/').at(-1);

const pages: readonly [
  name: string,
  path: () => string,
  settled: string,
  narrow?: (page: Page) => Promise<unknown>,
][] = [
  ['inbox', () => '/inbox', 'text=Failures'],
  ['calendar, day', () => '/calendar?view=day', 'role=link[name=/^sample, /]'],
  ['calendar, week', () => '/calendar', 'role=link[name=/^sample, /]'],
  ['calendar, month', () => '/calendar?view=month', 'role=button[name=/Executions: /]'],
  ['alerts', () => '/alerts', 'role=button[name="New rule"]'],
  ['list of flows', () => '/flows', 'role=row[name=/sample/]'],
  ['new flow', () => '/flows/new', '.monaco-editor .view-line'],
  ['flow', () => '/flows/edit/journey/sample', 'text=A flow with a bit of everything.'],
  ['flow, topology', () => '/flows/edit/journey/sample/topology', 'text=greet'],
  ['flow, executions', () => '/flows/edit/journey/sample/executions', 'text=Failed'],
  ['flow, editor', () => '/flows/edit/journey/sample/edit', '.monaco-editor .view-line'],
  ['flow, revisions', () => '/flows/edit/journey/sample/revisions', 'text=Only one revision'],
  ['flow, triggers', () => '/flows/edit/journey/sample/triggers', 'role=row[name=/hook/]'],
  ['flow, calendar', () => '/flows/edit/journey/sample/calendar', 'role=link[name=/^sample, /]'],
  ['flow, logs', () => '/flows/edit/journey/sample/logs', 'text=Hello World'],
  ['flow, metrics', () => '/flows/edit/journey/sample/metrics', 'text=/reported no metrics|Sum/'],
  ['flow, dependencies', () => '/flows/edit/journey/sample/dependencies', 'text=No dependencies'],
  ['flow, concurrency', () => '/flows/edit/journey/sample/concurrency', 'text=no concurrency limit'],
  ['list of executions', () => '/executions', 'role=row[name=/sample/]'],
  ['execution', () => execution, 'text=Failed'],
  ['execution, gantt', () => `${execution}/gantt`, 'role=treeitem[name=/greet/]'],
  ['execution, logs', () => `${execution}/logs`, 'text=Hello World'],
  ['execution, topology', () => `${execution}/topology`, 'text=greet'],
  ['execution, outputs', () => `${execution}/outputs`, 'text=value'],
  ['comparison', () => `/executions/compare?left=${idOf()}&right=${idOf()}&all=true`, 'text=No differences'],
  ['welcome', () => '/welcome', 'text=Create my first flow'],
  ['settings', () => '/settings', 'text=Main Configuration'],
  ['documentation', () => '/docs/build/flows', 'pre code'],
  ['home', () => '/dashboards', 'text=Last failures'],
  ['new dashboard', () => '/dashboards/new', '.monaco-editor .view-line'],
  ['search in sources', () => '/flows/search?q=bit', 'mark'],
  ['execution, metrics', () => `${execution}/metrics`, 'text=Metrics'],
  ['list of task runs', () => '/taskruns', 'role=row[name=/greet/]'],
  ['list of logs', () => '/logs', 'text=Hello World'],
  ['list of triggers', () => '/admin/triggers', 'role=row[name=/hook/]'],
  ['values', () => '/kv', 'text=No key-value entries yet'],
  ['secrets', () => '/secrets', 'h1:has-text("Secrets")'],
  ['blueprints', () => '/blueprints/flow/community', 'text=Ask for approval'],
  ['blueprints of dashboards', () => '/blueprints/dashboard/community', 'h1'],
  ['custom blueprints', () => '/blueprints/flow/custom', 'text=requires Enterprise Edition'],
  // Filtered: the groups look alike, and all 1,500 types take as long as twenty other pages.
  ['plugins', () => '/plugins?q=core', 'text=Conditions'],
  [
    'plugin',
    () => '/plugins/core.log.Log',
    'text=Examples',
    // The list of all types beside it, as above.
    (page) => page.getByRole('navigation', { name: 'Plugins' }).getByRole('searchbox').fill('core.log'),
  ],
  ['templates', () => '/templates', 'text=No templates'],
  ['new template', () => '/templates/new', '.monaco-editor .view-line'],
  ['namespaces', () => '/namespaces', 'text=journey'],
  ['namespace', () => '/namespaces/edit/journey', 'text=Last failures'],
  ['namespace, files', () => '/namespaces/edit/journey/files', 'text=Choose a file'],
  ['namespace, flows', () => '/namespaces/edit/journey/flows', 'role=row[name=/sample/]'],
  ['namespace, values', () => '/namespaces/edit/journey/kv', 'text=No key-value entries yet'],
  [
    'namespace, what it lacks',
    () => '/namespaces/edit/journey/variables',
    'text=requires Enterprise Edition',
  ],
  ['statistics', () => '/admin/stats', 'text=Enable authentication'],
  ['apps', () => '/apps', 'h2'],
  ['users and access', () => '/admin/iam', 'text=Users, groups and roles'],
  ['tenants', () => '/admin/tenants', 'h2'],
  ['instance', () => '/admin/instance', 'h2'],
  ['servers', () => '/admin/stats/servers', 'role=row[name=/this server/]'],
  ['queues', () => '/admin/stats/work', 'text=Alert messages'],
  ['health', () => '/admin/stats/health', 'text=Schema version'],
  ['diagnostics', () => '/admin/stats/diagnostics', 'text=Slow database statements'],
  ['audit logs', () => '/admin/auditlogs', 'h2'],
  ['login', () => '/login', 'h1, h2'],
  ['page that does not exist', () => '/nope/x', 'text=Page not found'],
];

describe('in the light and the dark theme', () => {
  /** Tabs that no test uses. Two tests run at a time, because each keeps one core busy. */
  const idle: Page[] = [];
  const waiting: ((page: Page) => void)[] = [];
  beforeAll(async () => {
    const tabs = [openPage(browser, product.url), openPage(browser, product.url)];
    for (const { page } of await Promise.all(tabs)) {
      await page.goto(between);
      idle.push(page);
    }
  });

  /** A page of little content, which a tab shows between two pages: the second is not taken for the first then. */
  const between = '/templates';

  /** Opens a page within the app: loading the app and axe again for each page takes longer than judging it. */
  const visit = async (page: Page, path: string, settled: string) => {
    // The router of the app listens to it.
    const show = (to: string) => page.evaluate((address) => history.pushState(null, '', address), to);
    const heading = page.locator('h1:has-text("Templates")');
    await show(between);
    await heading.waitFor();
    await show(path);
    if (path !== between) await heading.waitFor({ state: 'hidden' });
    await page.locator(settled).first().waitFor();
  };

  const withTab = async (run: (page: Page) => Promise<void>) => {
    const page = idle.pop() ?? (await new Promise<Page>((resolve) => waiting.push(resolve)));
    try {
      await run(page);
    } finally {
      const next = waiting.shift();
      if (next) next(page);
      else idle.push(page);
    }
  };

  /** A tab changes its theme once per page, because each change draws the whole page again. */
  const themes = new WeakMap<Page, 'light' | 'dark'>();

  const expectNoProblems = async (page: Page) => {
    const theme = themes.get(page) ?? 'light';
    const other = theme === 'light' ? 'dark' : 'light';
    await isShownIn(page, theme);
    const problems = await findSeriousProblems(page);
    // The same page in other colors.
    themes.set(page, other);
    await page.emulateMedia({ colorScheme: other });
    await isShownIn(page, other);
    expect({ [theme]: problems, [other]: await findSeriousProblems(page, ['color-contrast']) }).toEqual({
      light: [],
      dark: [],
    });
  };

  const isShownIn = async (page: Page, theme: 'light' | 'dark') => {
    await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();
    // Colors in transition would be judged in between.
    await page.waitForFunction(() => !document.getAnimations().some((each) => each instanceof CSSTransition));
  };

  it.concurrent.each(pages)('the %s has no serious accessibility problem', (_, path, settled, narrow) =>
    withTab(async (page) => {
      await visit(page, path(), settled);
      await narrow?.(page);
      await expectNoProblems(page);
    }),
  );

  it.concurrent('the palette has no serious accessibility problem', () =>
    withTab(async (page) => {
      await visit(page, '/apps', 'h1:has-text("Apps")');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Jump to…' }).fill('sample');
      await page.getByRole('option', { name: /^sample journey/ }).waitFor();
      await expectNoProblems(page);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/flows/edit/journey/sample');
    }));
});
