import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The hands of a user: keys and mouse presses only, nothing that a script alone can do. */
export class Hands {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Replaces the text of a field, key by key. */
  async write(field: Locator, text: string): Promise<void> {
    await field.click();
    await this.press('ControlOrMeta+A');
    await this.type(text);
  }

  /** Moves the focus by the Tab key, so it fails for what the keyboard cannot reach. */
  async tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const isThere = () => target.evaluate((element) => element === document.activeElement);
    for (let presses = 0; presses < 80; presses += 1) {
      if (await isThere()) return;
      await this.press(key);
    }
    throw new Error(`The ${key} key does not lead to ${String(target)}.`);
  }

  async drag(from: Locator, to: Locator): Promise<void> {
    const [start, end] = await Promise.all([from.boundingBox(), to.boundingBox()]);
    if (!start || !end) throw new Error('There is nothing to drag.');
    await this.#page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    await this.#page.mouse.down();
    await this.#page.mouse.move(end.x + end.width / 2, end.y + end.height / 3, { steps: 8 });
    await this.#page.mouse.up();
  }

  /** The problem that is shown for a mistake, and none after it is corrected. */
  async seeAndCorrect(mistake: RegExp, correct: () => Promise<void>): Promise<void> {
    const problems = this.#page.getByRole('region', { name: 'Problems' });
    await problems.getByText(mistake).first().waitFor();
    await correct();
    await problems.getByText('No problems').waitFor();
  }

  /** Runs the text in the browser, without leaving the place in which it is edited. */
  async dryRun(): Promise<Locator> {
    await this.press('Alt+Enter');
    const panel = this.#page.getByRole('region', { name: 'Dry run' });
    await panel.getByRole('status').getByText('Success').waitFor();
    return panel;
  }

  /** Makes the dry run a test of the saved flow, and runs it. */
  async keepAsTest(): Promise<void> {
    await this.#page
      .getByRole('region', { name: 'Dry run' })
      .getByRole('button', { name: 'Keep as test' })
      .click();
    await this.#page.waitForURL('**/tests*');
    await this.#page.getByRole('button', { name: 'Save and run' }).click();
    await this.#page.getByText('Passed').first().waitFor();
    await expect.poll(() => this.#page.getByText(/^(Branches|Tasks) covered: /).count()).toBeGreaterThan(0);
  }
}
