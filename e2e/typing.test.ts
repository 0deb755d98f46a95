import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, openPage } from './browser/openBrowser.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';
import { CodeEditorOnPage } from './typing/codeEditor.ts';
import { compose } from './typing/compose.ts';
import { makeAnswersHoldable } from './typing/heldAnswers.ts';
import { texts } from './typing/texts.ts';
import { type TypedText, typeText } from './typing/typist.ts';

/**
 * Whole texts typed with a real keyboard. Usually one flow and one file per language are typed, each at one speed, others
 * on each day; with MILLRACE_TYPING=all each text is typed at every speed, which takes about twenty minutes.
 */
const speedsMs = [0, 3, 10, 50, 150];
const isComplete = process.env.MILLRACE_TYPING === 'all';
/** Slow enough for the list of completions to open after each word. It is typed on every day. */
const slowText = 'an expression in double quotes';
const day = Math.floor(Date.now() / 86_400_000);

let browser: Browser;
let product: Product;
let editor: CodeEditorOnPage;
let complaints: string[];

beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), launchProduct()]);
  const opened = await openPage(browser, product.url);
  editor = new CodeEditorOnPage(opened.page);
  complaints = opened.complaints;
});
afterAll(async () => {
  await browser?.close();
  await product?.stop('SIGKILL');
});

const textsOfToday = (language: TypedText['language']): TypedText[] => {
  const all = texts.filter((text) => text.language === language);
  return all.filter(({ name }, index) => isComplete || name === slowText || index === day % all.length);
};

/** Changes with every round through the texts of a language, so that each text meets every speed. */
const speedsOf = ({ name, language }: TypedText): number[] => {
  if (isComplete) return speedsMs;
  if (name === slowText) return [50];
  const days = texts.filter((text) => text.language === language).length;
  return [speedsMs[Math.floor(day / days) % 3] ?? 0];
};
const timeoutMs = (isComplete ? 60 : 10) * 60_000;

async function expectTyped(typed: readonly TypedText[]): Promise<void> {
  for (const [index, text] of typed.entries()) {
    for (const delayMs of speedsOf(text)) {
      await editor.clear();
      await typeText(editor.page, text, {
        delayMs,
        outdentKey: (index + day) % 2 === 0 ? 'Backspace' : 'Shift+Tab',
      });
      const what = `${text.name}, ${delayMs} ms between two keys`;
      expect(await editor.read(), what).toBe(text.text);
      // A part of it is taken back, and comes again as it was.
      for (const key of ['ControlOrMeta+Z', 'ControlOrMeta+Shift+Z'])
        for (let times = 0; times < 12; times += 1) await editor.press(key);
      expect(await editor.read(), `${what}, after undo and redo`).toBe(text.text);
    }
  }
}

describe('the flow editor', () => {
  beforeAll(async () => {
    await editor.page.goto('/flows/new');
    await editor.focus();
  });

  it(
    'has the flows of the day as they are typed, key by key, also after undo and redo',
    async () => {
      const before = await editor.read();
      const flows = textsOfToday('yaml');
      await expectTyped(flows);
      // The draft equals the text in the editor.
      await expect.poll(() => editor.draft()).toBe(flows.at(-1)?.text);
      await undoUntil(before);
    },
    timeoutMs,
  );

  it.each<[string, string, (code: CodeEditorOnPage) => Promise<void>, string]>([
    ['a deleted bracket takes its partner with it', '', typing('a: (', 'Backspace', 'b'), 'a: b'],
    ['so does each of several', '', typing('a: "{[', 'Backspace', 'Backspace', 'Backspace', 'b'), 'a: b'],
    ['Enter between brackets opens a line', '', typing('a: {', 'Enter', 'b: 1'), 'a: {\n  b: 1\n}'],
    [
      'Enter in a list item aligns with its property',
      '',
      typing('  - id: x', 'Enter', 'y: 1'),
      '  - id: x\n    y: 1',
    ],
    [
      'Enter after a text marker indents',
      '',
      typing('- a: |', 'Enter', 'b', 'Enter', 'c'),
      '- a: |\n    b\n    c',
    ],
    [
      'Enter in a list of values keeps to the dash',
      '',
      typing('a:', 'Enter', '- b', 'Enter', '- c'),
      'a:\n  - b\n  - c',
    ],
    ['brackets surround what is selected', 'a: word', selecting('"{{'), 'a: "{{word}}"'],
    [
      'Tab indents the selected lines',
      'a: 1\nb: 2',
      pressing('ControlOrMeta+A', 'Tab', 'Tab', 'Shift+Tab'),
      '  a: 1\n  b: 2',
    ],
    [
      'a comment is switched on',
      'a: 1\nb: 2',
      pressing('ControlOrMeta+A', 'ControlOrMeta+/'),
      '# a: 1\n# b: 2',
    ],
    ['and off', '# a: 1\n# b: 2', pressing('ControlOrMeta+A', 'ControlOrMeta+/'), 'a: 1\nb: 2'],
    [
      'several cursors type the same',
      'x\nx\nx',
      typing(
        '',
        'ControlOrMeta+Home',
        'ControlOrMeta+D',
        'ControlOrMeta+D',
        'ControlOrMeta+D',
        'ArrowRight',
        ': "(a)"',
      ),
      'x: "(a)"\nx: "(a)"\nx: "(a)"',
    ],
    [
      'a pasted text stays when the next key comes at once',
      'one ',
      pressing('ControlOrMeta+V', 'ControlOrMeta+V', 'x'),
      'one one one x',
    ],
    [
      'a flow is pasted as it is',
      'tasks:\n  - id: "a"\n    x: {b: [1]}\n',
      async () => {},
      'tasks:\n  - id: "a"\n    x: {b: [1]}\n',
    ],
  ])('%s', async (_, before, act, after) => {
    if (before === '') await editor.clear();
    else await editor.paste(before);
    await act(editor);
    expect(await editor.read()).toBe(after);
  });

  it('takes text of an input method, whole and composed', async () => {
    await editor.clear();
    await editor.type('a: "');
    const session = await editor.page.context().newCDPSession(editor.page);
    await compose(session, ['に', 'にほ', '日本']);
    await editor.type('" # (');
    await editor.page.keyboard.insertText('🎉 "é"');
    await editor.type(')');
    expect(await editor.read()).toBe('a: "日本" # (🎉 "é")');
  });

  it('ends the line with Enter when the word in the list of completions is complete', async () => {
    await editor.clear();
    await editor.type('id: a\nnamespace: b\ntasks:\n- id: c');
    await editor.press('Enter');
    await editor.typeUntilCompletion('type: core.log.Lo', 'core.log.Log');
    await editor.type('g');
    await editor.press('Enter');
    await editor.type('message: x');
    const source = 'id: a\nnamespace: b\ntasks:\n  - id: c\n    type: core.log.Log\n    message: x';
    expect(await editor.read()).toBe(source);

    // A word that is not complete is completed by it.
    await editor.clear();
    await editor.type('id: a\nnamespace: b\ntasks:\n- id: c');
    await editor.press('Enter');
    await editor.typeUntilCompletion('type: core.log.Lo', 'core.log.Log');
    await editor.press('Enter');
    await editor.type(' # x');
    expect(await editor.read()).toBe(source.replace('\n    message: x', ' # x'));
  });

  it('says what is wrong where it is', async () => {
    const tasks = (...list: string[]) => `id: a\nnamespace: b\ntasks:\n${list.join('\n')}`;
    const log = (id: string, type = 'core.log.Log') => `  - id: ${id}\n    type: ${type}\n    message: hi`;

    await editor.paste(tasks(log('one'), '  - id: two\n    type: core.log.Log'));
    await expect
      .poll(() => editor.problems())
      .toEqual([expect.stringMatching(/tasks\[1\].message.*Line 7/s)]);

    await editor.paste(tasks(log('one', 'no.Such'), log('one')));
    await expect
      .poll(() => editor.problems())
      .toEqual([
        expect.stringMatching(/Invalid type: no.Such.*Line 5/s),
        expect.stringMatching(/Task Id one already exists.*Line 7/s),
      ]);

    const many = Array.from({ length: 400 }, (_, index) => log(`t${index}`));
    await editor.paste(tasks(...many).replace('tasks:', 'tasks:xxx'));
    await expect
      .poll(() => editor.problems())
      .toEqual([expect.stringMatching(/"tasks:xxx" is not a property.*Line 3/s)]);
  });

  it('S2-2.4 keeps the documentation of the type under the cursor while another line is wrong', async () => {
    const source = 'id: a\nnamespace: b\ntasks:\n  - id: c\n    type: core.log.Log\n    message: hi';
    await editor.page.goto('/flows/new?side=documentation');
    await editor.paste(source);
    const documentation = editor.page
      .getByRole('article')
      .getByText('type: core.log.Log', { exact: true })
      .first();
    await editor.press('ControlOrMeta+End');
    await documentation.waitFor();
    await editor.paste(source.replace('namespace: b', 'namespace: [b'));
    await expect.poll(() => editor.problems()).toHaveLength(1);
    await editor.press('ControlOrMeta+End', 'ArrowUp');
    await documentation.waitFor();
  });
});

it('typing continues while a new flow is saved and on the page that opens then', async () => {
  const { page } = editor;
  await page.goto('/flows/new');
  await editor.focus();
  const first = await editor.read();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/v1/**/flows', async (route) => {
    await released;
    await route.continue();
  });
  await editor.paste('id: typed\nnamespace: typing\ntasks: [{id: a, type: core.log.Log, message: one}]\n#');
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/flows'),
  );
  await editor.press('ControlOrMeta+S');
  await sent;
  await editor.type(' while saving');
  release();
  // Typed on without a pause: some letters fall on each of the two pages, and some between them.
  const until = page.waitForURL('**/flows/edit/typing/typed/**').then(() => true);
  let typed = '';
  let isThere = false;
  void until.then(() => {
    isThere = true;
  });
  for (let more = 20; more > 0; more -= isThere ? 1 : 0) {
    await editor.type('a1');
    typed += 'a1';
  }
  expect(await editor.read()).toMatch(new RegExp(`# while saving${typed}$`));
  // What was typed on the first page can be undone on the second.
  await undoUntil(first);
  await page.unrouteAll();
});

it('A-4.1 A-4.5 Ctrl+E saves a new flow and executes it, also while it is being saved', async () => {
  const { page } = editor;
  await page.goto('/flows/new');
  await editor.paste('id: run\nnamespace: typing\ntasks: [{id: a, type: core.log.Log, message: one}]\n');
  await editor.press('ControlOrMeta+S', 'ControlOrMeta+E');
  await page.waitForURL('**/executions/typing/run/**');
  await page.goBack();
  await editor.focus();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

describe('the flow editor whose completions come late', () => {
  let late: CodeEditorOnPage;
  beforeAll(async () => {
    const { page } = await openPage(browser, product.url);
    await page.addInitScript(makeAnswersHoldable);
    await page.goto('/flows/new');
    late = new CodeEditorOnPage(page);
  });
  afterAll(() => late.page.context().close());
  beforeEach(async () => {
    await late.clear();
    await late.type('id: a\nnamespace: b\ntasks:\n- id: c');
    await late.press('Enter');
    await late.typeUntilCompletion('type: core.log', 'core.log.Fetch');
    await holdAnswers();
  });
  afterEach(() => answer());

  // The list for the earlier text chooses Log: once the word is complete, once it is another one.
  it.each(['Log', 'Fetch'])(
    'has the flow as it is typed: Enter takes no entry of a list for an earlier text than %s',
    async (name) => {
      await late.type(`.${name}`);
      await late.press('Enter');
      await late.type('message: hi');
      expect(await late.read()).toBe(
        `id: a\nnamespace: b\ntasks:\n  - id: c\n    type: core.log.${name}\n    message: hi`,
      );
    },
  );

  it('takes the entry of the list for an earlier text that continues what is typed', async () => {
    await late.type('.L');
    await late.press('Tab');
    expect(await late.read()).toContain('    type: core.log.Log');
  });

  it('takes an entry of a list that was asked for at a dot, when letters came before the list', async () => {
    await answer();
    await late.typeUntilCompletion('.F', 'core.log.Fetch');
    await late.press('Tab', 'Enter');
    await late.type('executionId: "{{ flow');
    await holdAnswers();
    await late.type('.na');
    await answer();
    await late.page.locator('.suggest-widget.visible [role="option"]', { hasText: 'namespace' }).waitFor();
    await late.press('Tab');
    expect(await late.read()).toContain('executionId: "{{ flow.namespace}}"');
  });

  const holdAnswers = () => late.page.evaluate(() => Object.assign(window, { heldAnswers: [] }));

  const answer = () =>
    late.page.evaluate(() => {
      const answers = window.heldAnswers ?? [];
      delete window.heldAnswers;
      for (const answer of answers) answer();
    });
});

describe('the editor of files', () => {
  it.each([
    ['python', 'py'],
    ['sql', 'sql'],
    ['json', 'json'],
    ['shell', 'sh'],
  ] as const)(
    'has the %s text of the day as it is typed',
    async (language, extension) => {
      const form = new FormData();
      form.append('fileContent', new Blob(['\n']), `a.${extension}`);
      const files = `${product.url}/api/v1/main/namespaces/typing/files?path=/a.${extension}`;
      expect((await fetch(files, { method: 'POST', body: form })).status).toBe(200);
      await editor.page.goto(`/namespaces/edit/typing/files?file=%2Fa.${extension}`);
      await editor.focus();
      await expectTyped(textsOfToday(language));
      if (isComplete || language === 'python') await undoUntil('\n');
    },
    timeoutMs,
  );
});

it('nothing went wrong behind the keys', () => {
  expect(complaints).toEqual([]);
});

/** Goes back over everything that was typed since the editor was opened. */
async function undoUntil(first: string): Promise<void> {
  await expect
    .poll(
      async () => {
        for (let times = 0; times < 100; times += 1) await editor.press('ControlOrMeta+Z');
        return editor.read();
      },
      { timeout: 5 * 60_000 },
    )
    .toBe(first);
}

/** Types the first text; what follows are keys when they have a name, texts otherwise. */
function typing(text: string, ...more: readonly string[]) {
  return async (code: CodeEditorOnPage) => {
    await code.type(text);
    for (const each of more) {
      if (/^(Enter|Backspace|ArrowRight|ControlOrMeta\+\w+)$/.test(each)) await code.press(each);
      else await code.type(each);
    }
  };
}

const pressing =
  (...keys: readonly string[]) =>
  (code: CodeEditorOnPage) =>
    code.press(...keys);

const selecting = (text: string) => async (code: CodeEditorOnPage) => {
  await code.press('ControlOrMeta+End', 'ControlOrMeta+Shift+ArrowLeft');
  await code.type(text);
};
