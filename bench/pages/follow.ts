import { isTerminal } from '@millrace/contract';
import type { Api } from '../../e2e/product/api.ts';
import { writtenLines } from './fill.ts';
import { gapsOf } from './largeExecution.ts';
import type { Visitor } from './visit.ts';

export interface Followed {
  readonly linesPerSecond: number;
  readonly frameP95Ms: number;
  /** The time between two frames that was exceeded in one of a hundred. */
  readonly frameP99Ms: number;
  readonly longestFrameMs: number;
}

/** The frames of a page that follows a log while it is written. */
export async function measureFollow(visitor: Visitor, api: Api): Promise<Followed> {
  const { id } = await api.execute('bench', 'writing');
  const sign = { selector: '[role="log"] [data-level]', count: 10 };
  return visitor.visit(`/executions/bench/writing/${id}/logs?order=time`, sign, async ({ page }) => {
    await page.evaluate('window.stopFrames = watchFrames()');
    const { state } = await api.waitForExecution(id, (one) => isTerminal(one.state.current));
    const times = await page.evaluate<number[]>('stopFrames()');
    const gaps = gapsOf(times);
    const seconds = (Date.parse(state.endDate ?? '') - Date.parse(state.startDate)) / 1000;
    return {
      linesPerSecond: writtenLines / seconds,
      frameP95Ms: gaps[Math.floor(gaps.length * 0.95)] ?? Number.NaN,
      frameP99Ms: gaps[Math.floor(gaps.length * 0.99)] ?? Number.NaN,
      longestFrameMs: gaps.at(-1) ?? Number.NaN,
    };
  });
}
