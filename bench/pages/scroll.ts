import type { Page } from 'playwright-core';

const steps = 240;

/**
 * Frames per second while a list is scrolled from start to end with the wheel, with new rows at every step.
 */
export async function measureScroll(page: Page, list: string): Promise<number> {
  const scroller = page.locator(list);
  const box = await scroller.boundingBox();
  if (!box) throw new Error(`${list} is not on the page.`);
  const heightPx = await scroller.evaluate((element) => element.scrollHeight - element.clientHeight);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.evaluate('window.stopFrames = watchFrames()');
  for (let step = 0; step < steps; step += 1) await page.mouse.wheel(0, Math.ceil(heightPx / steps));
  const times = await page.evaluate<number[]>('stopFrames()');
  const leftPx = await scroller.evaluate(
    (element) => element.scrollHeight - element.clientHeight - element.scrollTop,
  );
  if (leftPx > heightPx / 10)
    throw new Error(`The wheel did not reach the end of ${list}: ${leftPx} px are left.`);
  return ((times.length - 1) / ((times.at(-1) ?? 0) - (times[0] ?? 0))) * 1000;
}
