import type { CDPSession } from 'playwright-core';

/** What an input method sends while a word is chosen, and at last the word. */
export async function compose(session: CDPSession, steps: readonly string[]): Promise<void> {
  for (const text of steps) {
    await session.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  }
  await session.send('Input.insertText', { text: steps.at(-1) ?? '' });
}
