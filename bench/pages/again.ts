import type { Page } from 'playwright-core';
import { asArguments, openAddress, type Sign } from './visit.ts';

/**
 * The load time of a page that was opened before: its files are in the browser's cache, and from the third
 * visit on also its compiled scripts.
 */
export async function measureReturns(
  page: Page,
  address: string,
  sign: Sign,
  turns: number,
): Promise<number[]> {
  const times: number[] = [];
  // The first time was the initial visit.
  for (let time = 2; time < 3 + turns; time += 1) {
    const readyMs = await openAddress(page, address, sign);
    if (time >= 3) times.push(readyMs);
    await page.waitForLoadState('networkidle');
  }
  return times;
}

/** The time from a click on a menu entry to the paint that shows the sign. */
export async function measurePress(page: Page, entry: string, sign: Sign): Promise<number> {
  await page.evaluate(`awaitPress(${asArguments(sign)})`);
  await page.getByRole('navigation').getByRole('link', { name: entry, exact: true }).click();
  return page.evaluate<number>('pressPainted');
}
