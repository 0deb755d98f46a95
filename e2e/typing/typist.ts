import type { Page } from 'playwright-core';

export interface TypedText {
  readonly name: string;
  /** How the editor knows it: `yaml` is a flow, the others are files. */
  readonly language: 'yaml' | 'python' | 'sql' | 'json' | 'shell';
  readonly text: string;
}

interface Habits {
  /** Between two keys. */
  readonly delayMs: number;
  /** How this typist goes back one level at the beginning of a line. */
  readonly outdentKey: 'Backspace' | 'Shift+Tab';
}

const closerOf: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/**
 * Types a text as a person does who trusts the editor: Enter indents, and only where the text wants another indentation is
 * it corrected; an opening bracket brings the closing one, which is stepped over when it is on a line below.
 */
export async function typeText(page: Page, { language, text }: TypedText, habits: Habits): Promise<void> {
  const { delayMs, outdentKey } = habits;
  const press = (key: string) => page.keyboard.press(key, { delay: delayMs });
  /** Closing brackets that stand below the cursor since Enter was pressed between a pair. */
  const below: string[] = [];
  const lines = text.split('\n');
  let indentation = 0;
  for (const [index, line] of lines.entries()) {
    const content = line.trimStart();
    if (below.length > 0 && content.startsWith(below.at(-1) ?? '')) {
      below.pop();
      await press('ArrowDown');
      await press('End');
      await page.keyboard.type(content.slice(1), { delay: delayMs });
    } else {
      if (index > 0) await press('Enter');
      if (content !== '') {
        const wanted = line.length - content.length;
        for (; indentation > wanted; indentation -= 2) await press(outdentKey);
        for (; indentation < wanted; indentation += 2) await press('Tab');
        await page.keyboard.type(content, { delay: delayMs });
      }
    }
    if (content === '') continue;
    const closer = closerOf[content.at(-1) ?? ''];
    if (closer !== undefined && index < lines.length - 1) below.push(closer);
    indentation = indentationAfter(line, language);
  }
}

/** Where a person expects the cursor after Enter at the end of this line. */
export function indentationAfter(line: string, language: TypedText['language']): number {
  const own = line.length - line.trimStart().length;
  const opens = /[[{(]$/.test(line) ? 2 : 0;
  if (language === 'python')
    return (
      own + (/^\s*(def|class|for|if|elif|else|while|try|with|except|finally)\b.*:$/.test(line) ? 2 : opens)
    );
  if (language !== 'yaml') return own + opens;
  const dashes = /^\s*((?:- +)+)[\w-]+:(?:\s|$)/.exec(line)?.[1]?.length ?? 0;
  return own + dashes + (/(:|\s[|>][+-]?)$/.test(line) ? 2 : opens);
}
