import type { Page } from 'playwright-core';
import { gapsOf } from './largeExecution.ts';

/** The time from each key press to the text that shows it, typed behind the id of a task in sight. */
export async function measureKeys(page: Page, taskId: string, keys: number): Promise<number[]> {
  await page
    .locator('.monaco-editor .view-line', { hasText: `id: ${taskId}` })
    .first()
    .click();
  await page.keyboard.press('End');
  const times: number[] = [];
  let shown = taskId;
  for (let count = 0; count < keys; count += 1) {
    const key = 'abcdefghij'[count % 10] ?? '';
    shown += key;
    await page.evaluate(`awaitText(${JSON.stringify(shown)})`);
    await page.keyboard.press(key);
    times.push(await page.evaluate<number>('textPainted'));
  }
  return times;
}

/** The frames of a graph that is zoomed and moved with the mouse. */
export async function measureGraphFrames(page: Page): Promise<number[]> {
  const box = await page.locator('.react-flow').boundingBox();
  if (!box) throw new Error('There is no graph on the page.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.evaluate('window.stopFrames = watchFrames()');
  for (let step = 0; step < 20; step += 1) await page.mouse.wheel(0, step < 10 ? -120 : 120);
  await page.mouse.down();
  for (let step = 0; step < 60; step += 1)
    await page.mouse.move(x + Math.sin(step / 6) * 200, y + Math.cos(step / 6) * 200);
  await page.mouse.up();
  return gapsOf(await page.evaluate<number[]>('stopFrames()'));
}
