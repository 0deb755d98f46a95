import type { Browser, Page, Worker } from 'playwright-core';
import { findChromium } from '../../e2e/browser/findChromium.mjs';
import { openBrowser } from '../../e2e/browser/openBrowser.ts';
import { Api } from '../../e2e/product/api.ts';
import { launchProduct } from '../../e2e/product/launchProduct.ts';
import type { Options } from '../options.ts';
import { measurePress, measureReturns } from '../pages/again.ts';
import { type Filled, fillForPages } from '../pages/fill.ts';
import { measureFloor } from '../pages/floor.ts';
import { measureFollow } from '../pages/follow.ts';
import { measureGraphFrames, measureKeys } from '../pages/largeEditor.ts';
import { measureFork, measureTravel } from '../pages/largeExecution.ts';
import { measureScroll } from '../pages/scroll.ts';
import { measureTyping } from '../pages/typing.ts';
import { type Sign, Visitor } from '../pages/visit.ts';
import type { Figures } from '../report/figures.ts';

/** A page to open: its address and the sign that it is ready. */
interface Purpose {
  readonly title: string;
  readonly address: string;
  readonly sign: Sign;
}

/** The same for a page that is used afterwards: waits until background loading has finished. */
interface Settling extends Purpose {
  readonly settle: (page: Page) => Promise<unknown>;
}

const log = '[role="log"]';
const rows: Sign = { selector: 'main tbody tr a', count: 25 };
/** Both lists have rows; these belong to the list that was clicked. */
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
  sign: { selector: '.react-flow__node[aria-label^="task-"]', count: 10 },
};
const editorOf = (title: string, flowId: string): Settling => ({
  title,
  address: `/flows/edit/bench/${flowId}/edit?editor=YAML&side=topology`,
  // Plain text has the first color: another color means that the language is loaded.
  sign: { selector: '.monaco-editor .view-line [class^="mtk"]:not(.mtk1)' },
  // The YAML worker loads last. It responds when it has started.
  settle: async (page) => {
    const isYaml = (worker: Worker) => worker.url().includes('yaml');
    const yaml = page.workers().find(isYaml) ?? (await page.waitForEvent('worker', isYaml));
    await yaml.evaluate('0');
  },
});
const editor = editorOf('the editor', 'flow-1');
const longText = editorOf('a long flow', 'long');
/** A flow of 2,000 lines. Its graph is complete before a key is pressed. */
const longEditor: Settling = {
  ...longText,
  settle: async (page) => {
    await longText.settle(page);
    await page.waitForSelector('.react-flow__node[aria-label^="step-"]');
  },
};
const logOf = (executionId: string): Settling => ({
  title: 'a long log',
  address: `/executions/bench/talkative/${executionId}/logs`,
  sign: { selector: `${log} [data-level]`, count: 10 },
  settle: (page) => page.waitForSelector(`[aria-busy="false"] ${log}`),
});

/** The views of an execution with very many task runs. */
const loopViews = (executionId: string): readonly Purpose[] => {
  const address = `/executions/bench/looped/${executionId}`;
  return [
    { title: 'the gantt of a loop', address: `${address}/gantt`, sign: { selector: '[role="treeitem"]' } },
    {
      title: 'the graph of a loop',
      address: `${address}/topology`,
      sign: { selector: '.react-flow__node[aria-label="value"]' },
    },
    {
      title: 'the outputs of a loop',
      address: `${address}/outputs`,
      sign: { selector: 'main ul li button[aria-pressed]' },
    },
  ];
};

/** A moment in the middle of nowhere: the page shows the end, because the handle stays within the execution. */
const travelTo = (executionId: string) =>
  `/executions/bench/looped/${executionId}/gantt?at=${encodeURIComponent('2100-01-01T00:00:00.000Z')}`;

const comparisonOf = ({ looped, loopedAgain }: Filled): Purpose => ({
  title: 'two loops compared',
  address: `/executions/compare?left=${looped}&right=${loopedAgain}&all=true`,
  sign: { selector: '[role="option"]', count: 5 },
});

/**
 * The time until pages show their content in a browser with an empty cache, and how responsive they are then.
 */
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
    const iterations = options.quick ? 2_000 : 10_000;
    say(
      `pages: a flow of 1,000 tasks, a log of ${lines.toLocaleString('en')} lines and a loop of ${iterations.toLocaleString('en')} iterations are made`,
    );
    const api = new Api(product.url);
    const filled = await fillForPages(api, lines, iterations);
    const floor = await measureFloor(browser, options.quick ? 1 : 9);
    say(`pages: a page of 25 rows and nothing else, ready after ${asText(floor)} ms`);
    return await measureFilled(new Visitor(browser, product.url), api, filled, options, say);
  } finally {
    await browser?.close();
    await product.stop();
  }
}

async function measureFilled(
  visitor: Visitor,
  api: Api,
  filled: Filled,
  { quick }: Options,
  say: (text: string) => void,
): Promise<Figures> {
  const turns = quick ? 1 : 9;
  const keyCount = quick ? 10 : 60;
  const longLog = logOf(filled.talkative);
  const readyMs = async ({ title, address, sign }: Purpose) => {
    const times: number[] = [];
    // The first visit warms up the server.
    for (let turn = 0; turn <= turns; turn += 1)
      times.push(await visitor.visit(address, sign, async (visited) => visited.readyMs));
    const counted = times.slice(1).sort((a, b) => a - b);
    say(`pages: ${title}, ready after ${asText(counted)} ms`);
    return at(counted, 0.5);
  };
  /** Background loading after the page is ready must not affect the following measurement. */
  const settled = <T>({ address, sign, settle }: Settling, use: (page: Page) => Promise<T>) =>
    visitor.visit(address, sign, async ({ page }) => {
      await settle(page);
      return use(page);
    });

  const figures: Figures = {};
  /** A row that fails or never ends does not lose the others. */
  const row = async (title: string, measure: () => Promise<Figures>) => {
    try {
      Object.assign(figures, await measure());
    } catch (error) {
      say(`pages: ${title} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  await row('lists', async () => ({
    pageListMs: Math.max(await readyMs(flowList), await readyMs(executionList)),
  }));
  await row('a list opened again', async () => {
    const returns = await settled(executionList, (page) =>
      measureReturns(page, executionList.address, rows, turns),
    );
    say(`pages: executions, opened again after ${asText(returns)} ms`);
    return { pageListAgainMs: median(returns) };
  });
  await row('a list opened by a press', async () => {
    const presses: number[] = [];
    for (let turn = 0; turn < turns; turn += 1)
      presses.push(await settled(flowList, (page) => measurePress(page, 'Executions', pressedRows)));
    say(`pages: executions, by a press after ${asText(presses)} ms`);
    return { pageListPressMs: median(presses) };
  });
  await row('the views of a loop', async () => {
    const views: number[] = [];
    for (const view of loopViews(filled.looped)) views.push(await readyMs(view));
    return { pageLoopMs: Math.max(...views) };
  });
  await row('time travel', async () => {
    const { stepMs, frameMs } = await visitor.visit(
      travelTo(filled.looped),
      { selector: '[data-moment]' },
      ({ page }) => measureTravel(page),
    );
    say(`pages: time travel, a step after ${asText(stepMs)} ms`);
    return { pageTravelMs: p95(stepMs), pageTravelFrameMs: p95(frameMs) };
  });
  await row('a comparison', async () => ({ pageCompareMs: await readyMs(comparisonOf(filled)) }));
  await row('a fork', async () => ({ forkMs: await measureFork(api, filled.looped) }));
  await row('keys in a long flow', async () => ({
    pageLongKeyMs: p95(await settled(longEditor, (page) => measureKeys(page, 'step-3', keyCount))),
  }));
  await row('the frames of a graph', async () => ({
    pageGraphFrameMs: p95(
      await visitor.visit(graph.address, graph.sign, ({ page }) => measureGraphFrames(page)),
    ),
  }));
  await row('a graph', async () => ({ pageGraphMs: await readyMs(graph) }));
  await row('a log', async () => ({ pageLogMs: await readyMs(longLog) }));
  await row('the editor', async () => ({ pageEditorMs: await readyMs(editor) }));
  await row('scrolling a log', async () => {
    const pageLogFrames = await settled(longLog, (page) => measureScroll(page, log));
    say(`pages: the log scrolls at ${pageLogFrames.toFixed(0)} frames a second`);
    return { pageLogFrames };
  });
  await row('keys in the editor', async () => {
    const keys = await settled(editor, (page) => measureTyping(page, 'concatenate', keyCount));
    return { pageKeyP95Ms: p95(keys) };
  });
  await row('following a log', async () => {
    const followed = await measureFollow(visitor, api);
    say(
      `pages: a log of ${followed.linesPerSecond.toFixed(0)} lines a second is followed with frames of ${followed.frameP95Ms.toFixed(0)} ms (p95), ${followed.frameP99Ms.toFixed(0)} (p99), ${followed.longestFrameMs.toFixed(0)} (longest)`,
    );
    return { pageFollowFrameMs: followed.frameP99Ms, pageFollowLines: followed.linesPerSecond };
  });
  return { ...figures, pageOutsideRequests: visitor.outsideRequests };
}

const asText = (times: readonly number[]): string => times.map((ms) => ms.toFixed(0)).join(', ');

const median = (times: readonly number[]): number =>
  at(
    times.toSorted((a, b) => a - b),
    0.5,
  );

const p95 = (times: readonly number[]): number =>
  at(
    times.toSorted((a, b) => a - b),
    0.95,
  );

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
