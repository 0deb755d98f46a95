import type { Page } from 'playwright-core';

/**
 * The time from each key press to the graph that shows it, at a typical typing speed. The cursor is placed
 * after the id of a task that is visible in the graph.
 */
export async function measureTyping(page: Page, taskId: string, keys: number): Promise<number[]> {
  const line = page.locator('.monaco-editor .view-line', { hasText: `id: ${taskId}` }).first();
  await line.click();
  await page.keyboard.press('End');
  const times: number[] = [];
  let shown = taskId;
  for (let count = 0; count < keys; count += 1) {
    const key = 'abcdefghij'[count % 10] ?? '';
    shown += key;
    await page.evaluate(`awaitKey(${JSON.stringify(shown)})`);
    await page.keyboard.press(key);
    times.push(await page.evaluate<number>('keyPainted'));
  }
  return times;
}
