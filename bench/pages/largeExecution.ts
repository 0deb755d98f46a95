import type { Page } from 'playwright-core';
import type { Api } from '../../e2e/product/api.ts';
import { waitForEnd } from './fill.ts';

const drags = 40;

/**
 * Drags the handle of time travel over an execution and back. Returns for each step the time from the input to the paint
 * of the moment that it chose, and the frames meanwhile.
 */
export async function measureTravel(page: Page): Promise<{ stepMs: number[]; frameMs: number[] }> {
  const handle = page.getByRole('slider');
  const box = await handle.boundingBox();
  if (!box) throw new Error('The handle of time travel is not on the page.');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 8, y);
  await page.mouse.down();
  await page.evaluate('window.stopFrames = watchFrames()');
  const stepMs: number[] = [];
  for (let drag = 1; drag <= drags; drag += 1) {
    // Forward and backward in large steps, so that no step can use what the one before computed.
    const share = (drag * 0.37) % 1;
    await page.evaluate('awaitTravel()');
    await page.mouse.move(box.x + 8 + share * (box.width - 16), y);
    stepMs.push(await page.evaluate<number>('travelPainted'));
  }
  const times = await page.evaluate<number[]>('stopFrames()');
  await page.mouse.up();
  return { stepMs, frameMs: gapsOf(times) };
}

/** Forks an execution from one of its last task runs, with other outputs, until the fork has ended. */
export async function measureFork(api: Api, executionId: string): Promise<number> {
  const { taskRunList = [] } = await api.getExecution(executionId);
  const run = taskRunList.at(-10);
  if (!run) throw new Error(`The execution ${executionId} has too few task runs.`);
  const startedAt = performance.now();
  const { id } = await api.fork(executionId, run.id, { outputs: { values: { some: 'other' } } });
  await waitForEnd(api, 'looped', id);
  return performance.now() - startedAt;
}

export const gapsOf = (times: readonly number[]): number[] =>
  times
    .slice(1)
    .map((time, index) => time - (times[index] ?? time))
    .sort((a, b) => a - b);
