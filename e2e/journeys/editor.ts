import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The code editor, as a user meets it: by its label and its keys. */
export class EditorOnPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Replaces everything that stands in the editor, like a user who pastes a flow. */
  async paste(source: string): Promise<void> {
    await this.#focus();
    await this.#page.keyboard.press('ControlOrMeta+A');
    await this.#page.evaluate((text) => navigator.clipboard.writeText(text), source);
    await this.#page.keyboard.press('ControlOrMeta+V');
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** The entries of the completion list at the cursor. They are requested again until the editor knows the types. */
  async complete(): Promise<string[]> {
    const entries = this.#page.locator('.suggest-widget.visible [role="option"]');
    const isShown = () =>
      entries
        .first()
        .waitFor({ timeout: 10_000 })
        .then(
          () => true,
          () => false,
        );
    for (let tries = 0; tries < 9; tries += 1) {
      await this.#page.keyboard.press('Control+Space');
      // A list that is made again while it is read has no entries for a moment.
      const texts = (await isShown()) ? await entries.allInnerTexts() : [];
      if (texts.length > 0) return texts;
    }
    return [];
  }

  async waitForMarker(): Promise<void> {
    await this.#page.locator('.squiggly-error').first().waitFor({ state: 'attached' });
  }

  async #focus(): Promise<void> {
    const lines = this.#page.locator('.monaco-editor .view-lines').first();
    await lines.waitFor();
    await lines.click();
    await expect.poll(() => this.#page.locator('.monaco-editor.focused').count()).toBe(1);
  }
}
