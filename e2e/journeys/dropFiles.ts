import type { Locator } from 'playwright-core';

/** Drops files as the window system does: by the browser, and not by an event of a script. */
export async function dropFiles(target: Locator, files: readonly string[]): Promise<void> {
  await target.waitFor();
  const box = await target.boundingBox();
  if (!box) throw new Error('There is nothing to drop onto.');
  const session = await target.page().context().newCDPSession(target.page());
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...place, data });
  await session.detach();
}
