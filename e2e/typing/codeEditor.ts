import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The code editor as the keyboard meets it. */
export class CodeEditorOnPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async focus(): Promise<void> {
    const lines = this.page.locator('.monaco-editor .view-lines').first();
    await lines.waitFor();
    await lines.click();
    await this.page.locator('.monaco-editor.focused').first().waitFor();
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async clear(): Promise<void> {
    await this.focus();
    await this.press('ControlOrMeta+A', 'Delete');
  }

  async paste(text: string): Promise<void> {
    await this.focus();
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.press('ControlOrMeta+A', 'ControlOrMeta+V');
  }

  /** All of the text, as it is copied. */
  async read(): Promise<string> {
    // A list of completions may be open, and would take the next key.
    await this.press('Escape', 'ControlOrMeta+A');
    await this.page.evaluate(() => navigator.clipboard.writeText('(nothing was copied)'));
    await this.press('ControlOrMeta+C');
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Types a word until the list of completions has an entry: keys that come too fast may cancel it. */
  async typeUntilCompletion(word: string, entry: string): Promise<void> {
    await this.type(word);
    const found = this.page.locator('.suggest-widget.visible [role="option"]', { hasText: entry }).first();
    await expect
      .poll(
        async () => {
          // A busy machine takes its time to answer, and another key would ask again.
          const isShown = await found.waitFor({ timeout: 4_000 }).then(
            () => true,
            () => false,
          );
          if (isShown) return true;
          await this.press('Backspace');
          await this.type(word.slice(-1));
          return false;
        },
        { interval: 500, timeout: 60_000 },
      )
      .toBe(true);
  }

  /** The findings below the text, each with its line. */
  async problems(): Promise<string[]> {
    const region = this.page.getByRole('region', { name: 'Problems' });
    const toggle = region.locator('button[aria-expanded]');
    if ((await toggle.count()) === 0) return [];
    if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
    return region.getByRole('listitem').allInnerTexts();
  }

  /** The text that the browser keeps until the flow is saved. */
  draft(): Promise<string | undefined> {
    return this.page.evaluate(() => {
      const key = Object.keys(localStorage).find((name) => name.includes('draft:flow'));
      const stored: { source?: string } = JSON.parse(localStorage.getItem(key ?? '') ?? '{}');
      return stored.source;
    });
  }
}
