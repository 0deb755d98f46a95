import type { Browser, Page, Worker } from 'playwright-core';
import { findChromium } from '../../e2e/browser/findChromium.mjs';
import { openBrowser } from '../../e2e/browser/openBrowser.ts';
import { Api } from '../../e2e/product/api.ts';
import { launchProduct } from '../../e2e/product/launchProduct.ts';
import type { Options } from '../options.ts';
import { measurePress, measureReturns } from '../pages/again.ts';
import { fillForPages } from '../pages/fill.ts';
import { measureFloor } from '../pages/floor.ts';
import { measureScroll } from '../pages/scroll.ts';
import { measureTyping } from '../pages/typing.ts';
import { type Sign, Visitor } from '../pages/visit.ts';
import type { Figures } from '../report/figures.ts';

/** What a page is opened for: its address and the sign that it is there. */
interface Purpose {
  readonly title: string;
  readonly address: string;
  readonly sign: Sign;
}

/** The same of a page that is used afterwards: waits until nothing more comes by itself. */
interface Settling extends Purpose {
  readonly settle: (page: Page) => Promise<unknown>;
}

const log = '[role="log"]';
const rows: Sign = { selector: 'main tbody tr a', count: 25 };
/** Both lists have rows; these are of the one that was pressed for. */
const pressedRows: Sign = { selector: 'main table[aria-label="Executions"] tbody tr a', count: 25 };
const ofList = (title: string): Settling => ({
  title,
  address: `/${title}`,
  sign: rows,
  settle: (page) => page.waitForLoadState('networkidle'),
});
const flowList = ofList('flows');
const executionList = ofList('executions');
const graph: Purpose = {
  title: 'a graph of 1,000 tasks',
  address: '/flows/edit/bench/large/topology',
  sign: { selector: '.react-flow__node [title^="task-"]', count: 10 },
};
const editor: Settling = {
  title: 'the editor',
  address: '/flows/edit/bench/flow-1/edit?editor=YAML&side=topology',
  // Plain text is in the first colour: with another one the language is there too.
  sign: { selector: '.monaco-editor .view-line [class^="mtk"]:not(.mtk1)' },
  // The last thing to come is the worker that knows YAML. It answers when it has started.
  settle: async (page) => {
    const isYaml = (worker: Worker) => worker.url().includes('yaml');
    const yaml = page.workers().find(isYaml) ?? (await page.waitForEvent('worker', isYaml));
    await yaml.evaluate('0');
  },
};
const logOf = (executionId: string): Settling => ({
  title: 'a long log',
  address: `/executions/bench/talkative/${executionId}/logs`,
  sign: { selector: `${log} [data-level]`, count: 10 },
  settle: (page) => page.waitForSelector(`[aria-busy="false"] ${log}`),
});

/** How soon pages show what somebody came for, in a browser that has never been there, and how they feel then. */
export async function measurePages(options: Options, say: (text: string) => void): Promise<Figures> {
  if ((await findChromium()) === undefined) {
    say('pages: there is no Chromium to drive, left out');
    return {};
  }
  const product = await launchProduct();
  let browser: Browser | undefined;
  try {
    browser = await openBrowser();
    const lines = options.quick ? 10_000 : 100_000;
    say(`pages: a flow of 1,000 tasks and a log of ${lines.toLocaleString('en')} lines are made`);
    const executionId = await fillForPages(new Api(product.url), lines);
    const floor = await measureFloor(browser, options.quick ? 1 : 9);
    say(`pages: a page of 25 rows and nothing else, ready after ${asText(floor)} ms`);
    return await measureFilled(new Visitor(browser, product.url), executionId, options, say);
  } finally {
    await browser?.close();
    await product.stop();
  }
}

async function measureFilled(
  visitor: Visitor,
  executionId: string,
  { quick }: Options,
  say: (text: string) => void,
): Promise<Figures> {
  const turns = quick ? 1 : 9;
  const longLog = logOf(executionId);
  const readyMs = async ({ title, address, sign }: Purpose) => {
    const times: number[] = [];
    // The first visit is there to warm up the server.
    for (let turn = 0; turn <= turns; turn += 1)
      times.push(await visitor.visit(address, sign, async (visited) => visited.readyMs));
    const counted = times.slice(1).sort((a, b) => a - b);
    say(`pages: ${title}, ready after ${asText(counted)} ms`);
    return at(counted, 0.5);
  };
  /** What comes after the page is ready must not take part in what is measured then. */
  const settled = <T>({ address, sign, settle }: Settling, use: (page: Page) => Promise<T>) =>
    visitor.visit(address, sign, async ({ page }) => {
      await settle(page);
      return use(page);
    });

  const lists = [await readyMs(flowList), await readyMs(executionList)];
  const returns = await settled(executionList, (page) =>
    measureReturns(page, executionList.address, rows, turns),
  );
  const presses: number[] = [];
  for (let turn = 0; turn < turns; turn += 1)
    presses.push(await settled(flowList, (page) => measurePress(page, 'Executions', pressedRows)));
  say(`pages: executions, opened again after ${asText(returns)} ms, by a press after ${asText(presses)} ms`);
  const figures = {
    pageListMs: Math.max(...lists),
    pageListAgainMs: median(returns),
    pageListPressMs: median(presses),
    pageGraphMs: await readyMs(graph),
    pageLogMs: await readyMs(longLog),
    pageEditorMs: await readyMs(editor),
    pageLogFrames: await settled(longLog, (page) => measureScroll(page, log)),
  };
  const keys = await settled(editor, (page) => measureTyping(page, 'concatenate', quick ? 10 : 60));
  say(
    `pages: the log scrolls at ${figures.pageLogFrames.toFixed(0)} frames a second, ${keys.length} keys typed`,
  );
  return {
    ...figures,
    pageKeyP95Ms: at(
      keys.sort((a, b) => a - b),
      0.95,
    ),
    pageOutsideRequests: visitor.outsideRequests,
  };
}

const asText = (times: readonly number[]): string => times.map((ms) => ms.toFixed(0)).join(', ');

const median = (times: readonly number[]): number =>
  at(
    times.toSorted((a, b) => a - b),
    0.5,
  );

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
