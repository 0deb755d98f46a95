import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openBrowser } from './browser/openBrowser.ts';
import { dropFiles } from './journeys/dropFiles.ts';
import { Hands } from './journeys/hands.ts';
import { signInAt } from './journeys/signIn.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';
import { CodeEditorOnPage } from './typing/codeEditor.ts';

const user = { name: 'ada@example.com', password: 'Secret-1' };
const folder = mkdtempSync(join(tmpdir(), 'authoring-'));

let browser: Browser;
let product: Product;
let page: Page;
let hands: Hands;
let complaints: string[];
beforeAll(async () => {
  [browser, product] = await Promise.all([
    openBrowser(),
    launchProduct({ env: { MILLRACE_AUTH_USERNAME: user.name, MILLRACE_AUTH_PASSWORD: user.password } }),
  ]);
  ({ page, complaints } = await signIn());
  hands = new Hands(page);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  complaints.length = 0;
});

const signIn = () => signInAt(browser, product.url, user);

/** With the session of the page. */
async function saveFlow(source: string): Promise<void> {
  const [, id = '', namespace = ''] = /^id: (.*)\nnamespace: (.*)$/m.exec(source) ?? [];
  const options = { data: source, headers: { 'content-type': 'application/x-yaml' } };
  const created = await page.request.post('/api/v1/main/flows', options);
  if (!created.ok()) await page.request.put(`/api/v1/main/flows/${namespace}/${id}`, options);
}

/** The row of a task in the panel of the dry run, and the button that opens it. */
const rowOf = (panel: Locator, id: string) =>
  panel.getByRole('listitem').filter({ has: panel.page().getByRole('button', { name: id, exact: true }) });
const open = (panel: Locator, id: string) => panel.getByRole('button', { name: id, exact: true }).click();

it('A-9.3 A-9.4 an import explains each refused document and shows what it changes before it saves', async () => {
  await saveFlow('id: known\nnamespace: imports\ntasks:\n  - {id: a, type: core.log.Log, message: old}\n');
  const file = join(folder, 'flows.yaml');
  writeFileSync(
    file,
    [
      'id: fresh\nnamespace: imports\ntasks:\n  - {id: a, type: core.log.Log, message: hi}\n',
      'id: known\nnamespace: imports\ntasks:\n  - {id: a, type: core.log.Log, message: new}\n',
      'id: bad\nnamespace: imports\ntasks: [\n',
    ].join('---\n'),
  );
  await page.goto('/flows');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import' }).click(),
  ]);
  await chooser.setFiles(file);
  const dialog = page.getByRole('dialog', { name: 'Import flows' });
  await dialog.getByText('Refused').waitFor();
  await dialog.getByText(/^Line \d+:$/).waitFor();
  await dialog.getByText('New flow').waitFor();
  await dialog.getByText('Revision 1 becomes revision 2').waitFor();
  await dialog.getByText('Task a: message from “old” to “new”').waitFor();
  await dialog.getByRole('button', { name: 'Import 2 flows' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.goto('/flows?namespace=imports');
  await page.getByRole('link', { name: 'fresh', exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'bad', exact: true }).count()).toBe(0);
});

it('A-9.1 files of the computer are dropped onto a folder of the files tree', async () => {
  const form = new FormData();
  form.append('fileContent', new File(['select 1'], 'one.sql'));
  await page.request.post('/api/v1/main/namespaces/drops/files?path=/sql/one.sql', { multipart: form });
  writeFileSync(join(folder, 'two.sql'), 'select 2');
  await page.goto('/namespaces/edit/drops/files');
  const sql = page.getByRole('treeitem', { name: 'sql', exact: true });
  await dropFiles(sql, [join(folder, 'two.sql')]);
  await page.getByRole('treeitem', { name: 'two.sql', exact: true }).click();
  await page.locator('.view-lines').getByText('select 2').waitFor();
  expect(complaints).toEqual([]);
});

it('A-2.1 A-2.3 A-2.6 the no-code form shows wrong expressions as warnings at their field', async () => {
  await saveFlow(
    'id: fields\nnamespace: checks\ninputs:\n  - {id: day, type: STRING, defaults: mon}\ntasks:\n  - id: one\n    type: core.debug.Return\n    format: x\n  - id: two\n    type: core.log.Log\n    message: x\n',
  );
  await page.goto('/flows/edit/checks/fields/edit?editor=NO_CODE&side=topology');
  await page.getByRole('button', { name: 'Edit one' }).click();
  const format = page.getByRole('textbox', { name: 'format' });
  await hands.write(format, '{{ outputs.two.x }} {{ inputs.dya | uper }}');
  await hands.press('Escape');
  const field = page.locator('[data-field="tasks[0].format"]');
  for (const words of ['Task "two" runs after', 'did you mean "day"', 'did you mean "upper"'])
    await field.getByText(words).waitFor();
  expect(await field.getAttribute('data-severity')).toBe('warning');
  await hands.write(format, '{{ inputs.day | upper }}');
  await hands.press('Escape');
  await field.getByText('did you mean').waitFor({ state: 'detached' });
});

it('A-4.6 A-4.7 A-4.8 A-4.9 A-4.10 A-4.11 A-4.12 the execute dialog has a control for each input, keeps input sets, and shows errors at the field', async () => {
  await saveFlow(`id: asks
namespace: dialog
inputs:
  - {id: when, type: DATE}
  - {id: span, type: DURATION}
  - {id: file, type: FILE}
  - {id: doc, type: JSON}
  - {id: list, type: ARRAY, itemType: INT}
  - {id: age, type: INT, max: 120, defaults: 5}
tasks:
  - id: say
    type: core.log.Log
    message: "{{ inputs.span }} {{ inputs.doc.a }} {{ inputs.list[1] }} {{ read(inputs.file) }} {{ inputs.when }}"
`);
  await page.goto('/flows/edit/dialog/asks/edit');
  await page.locator('.view-lines').first().waitFor();
  await page.locator('#execute-button').click();
  const dialog = page.getByRole('dialog', { name: 'Execute asks' });

  // A date has its parts, a duration its units, and a file is dropped.
  await dialog.getByLabel('when').click();
  await hands.type('03152030');
  await hands.write(dialog.getByLabel('Hours'), '2');
  writeFileSync(join(folder, 'note.txt'), 'from a file');
  await dropFiles(dialog.getByRole('button', { name: 'file' }), [join(folder, 'note.txt')]);
  await dialog.getByText('note.txt').first().waitFor();
  // Code fields say where a mistake is.
  await hands.write(dialog.getByLabel('doc'), '{"a": 1');
  await dialog.getByText('Not valid JSON').waitFor();
  await hands.write(dialog.getByLabel('doc'), '{"a": 41}');
  await dialog.getByText('Not valid JSON').waitFor({ state: 'detached' });
  await hands.write(dialog.getByLabel('list'), '[7, 8]');
  // What the server refuses stands at its field.
  await hands.write(dialog.getByLabel('age'), '130');
  await hands.press('Control+Enter');
  await expect.poll(() => dialog.getByLabel('age').getAttribute('aria-invalid')).toBe('true');
  await hands.write(dialog.getByLabel('age'), '12');

  // Saved under a name, as a link that fills another dialog, and as a command.
  await dialog.getByRole('button', { name: 'Input sets' }).click();
  await hands.write(page.getByRole('textbox', { name: 'Name for these inputs' }), 'usual');
  await hands.press('Enter');
  await page.getByRole('menuitem', { name: 'usual' }).waitFor();
  await page.getByRole('menuitem', { name: 'Copy a link with these inputs' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await dialog.getByText('Commands').click();
  await dialog
    .getByText(/curl.*-F/s)
    .first()
    .waitFor();
  await dialog.getByRole('tab', { name: 'CLI' }).click();
  await dialog
    .getByText('executions start', { exact: false })
    .or(dialog.getByText(/millrace .*asks/))
    .first()
    .waitFor();

  await hands.press('Control+Enter');
  await page.waitForURL('**/executions/dialog/asks/*/gantt');
  await page.getByLabel('Views of this execution').getByRole('link', { name: 'Logs', exact: true }).click();
  await page.getByText(/PT2H 41 8 from a file 2030-03-15/).waitFor();
  await page.goto(link);
  await expect.poll(() => dialog.getByLabel('age').inputValue()).toBe('12');
  await dialog.getByRole('button', { name: 'Input sets' }).click();
  await page.getByRole('menuitem', { name: 'Last used' }).click();
  await expect.poll(() => dialog.getByLabel('list').inputValue()).toBe('[7, 8]');
});

it('A-3.1 A-3.3 A-3.4 A-3.7 A-3.8 A-3.11 A-3.12 A-3.13 the dry run uses pinned outputs, a forced branch and a failing task, in less than 100 ms', async () => {
  await saveFlow(`id: dry
namespace: drive
tasks:
  - id: ask
    type: core.http.Request
    uri: https://example.com
  - id: choice
    type: core.flow.If
    condition: "{{ outputs.ask.code == 200 }}"
    then:
      - {id: fine, type: core.debug.Return, format: "code {{ outputs.ask.code }}"}
    else:
      - {id: wrong, type: core.log.Log, message: "code {{ outputs.ask.code }}"}
errors:
  - {id: report, type: core.log.Log, message: failed}
`);
  await page.goto('/flows/edit/drive/dry/edit?side=dryRun');
  const panel = page.getByRole('region', { name: 'Dry run' });
  await rowOf(panel, 'ask').getByText('generated').waitFor();
  const took = async () => Number(/(\d+) ms/.exec(await panel.getByRole('status').innerText())?.[1]);

  // Pinned: the real thing is not asked, and what follows reads the pinned value.
  await open(panel, 'ask');
  await panel.getByRole('button', { name: 'Pin outputs' }).click();
  await hands.write(panel.getByLabel('Pinned outputs as JSON'), '{"code": 418}');
  await rowOf(panel, 'ask').getByText('pinned', { exact: true }).waitFor();
  await page.locator('.view-lines').getByText('code 418').first().waitFor();
  await rowOf(panel, 'fine').getByText('Not run').waitFor();
  await rowOf(panel, 'wrong').getByText('Success').waitFor();
  await expect.poll(took).toBeLessThan(100);

  // Forced: the other branch, whatever the condition says; the graph dims the branch that is not taken.
  await open(panel, 'choice');
  await panel.getByLabel('Branch').selectOption('then');
  await rowOf(panel, 'fine').getByText('Success').waitFor();
  await rowOf(panel, 'wrong').getByText('Not run').waitFor();
  const node = (id: string) =>
    page
      .locator('.react-flow__node')
      .filter({ has: page.getByText(id, { exact: true }) })
      .last();
  const opacity = (id: string) =>
    node(id).evaluate((element) =>
      Math.min(
        ...[element, ...element.querySelectorAll('*')].map((one) => Number(getComputedStyle(one).opacity)),
      ),
    );
  await expect.poll(() => opacity('wrong')).toBeLessThan(1);

  // Failing: the error handler runs.
  await panel.getByRole('button', { name: 'Fail this task' }).first().click();
  await panel.getByRole('status').getByText('Failed').waitFor();
  await rowOf(panel, 'report').getByText('Success').waitFor();
  await panel.getByRole('button', { name: 'Reset choices' }).click();
  await rowOf(panel, 'ask').getByText('generated').waitFor();
});

it('A-4.3 A-4.4 a task runs with the pinned outputs of earlier tasks, marked as a playground execution', async () => {
  await saveFlow(
    'id: pins\nnamespace: drive\ntasks:\n  - {id: load, type: core.debug.Return, format: rows}\n  - {id: sum, type: core.debug.Return, format: "{{ outputs.load.value }} summed"}\n',
  );
  await page.goto('/flows/edit/drive/pins/edit');
  const text = page.locator('.view-lines').first();
  await text.getByText('summed').click();
  await hands.press('Control+Shift+Enter');
  const panel = page.getByRole('region', { name: 'Playground' });
  const load = panel.getByRole('listitem').filter({ hasText: 'load' });
  await load.getByRole('button', { name: 'Pin outputs' }).click();
  await hands.write(panel.getByLabel('Pinned outputs as JSON'), '{"value": "pinned rows"}');
  await load.getByText('pinned', { exact: true }).waitFor();
  await panel.getByRole('button', { name: /^Execute/ }).click();
  await panel.getByRole('region', { name: 'Result' }).getByText('pinned rows summed').first().waitFor();
  await page.goto('/flows/edit/drive/pins/executions');
  await page.getByText('Playground').first().waitFor();
  await page.goto('/flows/edit/drive/pins');
  await page.getByText('This flow has not run yet').waitFor();
});

it('A-7.1 A-7.3 A-7.4 A-7.5 A-7.6 A-7.8 revisions show who changed what in text, words and graph, and a part is restored', async () => {
  const source =
    'id: history\nnamespace: past\ntasks:\n  - {id: first, type: core.log.Log, message: one}\n  - id: second\n    type: core.log.Log\n    message: two # kept\n';
  await saveFlow(source);
  await page.goto('/flows/edit/past/history/edit');
  const editor = new CodeEditorOnPage(page);
  await editor.paste(
    source
      .replace('id: first', 'id: renamed')
      .replace('two', 'second two')
      .concat('  - {id: third, type: core.log.Log, message: three}\n'),
  );
  await page.getByText('No problems').waitFor();
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByRole('menuitem', { name: 'Save with a message…' }).click();
  await hands.write(page.getByRole('dialog').getByRole('textbox'), 'a third task');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved history, revision 2').first().waitFor();
  await page.goto('/flows/edit/past/history/revisions');
  await page.getByText('a third task').first().waitFor();
  await page.getByText(user.name).first().waitFor();
  const changes = page.getByRole('list', { name: 'Changes' });
  await changes.getByText('Task first is now called renamed').waitFor();
  await changes.getByText('Task second: message from “two” to “second two”').waitFor();
  await changes.getByText('Task third was added to tasks').waitFor();
  await page.getByText('Change 1 of 2').waitFor();
  await page.getByRole('button', { name: /^Next change/ }).click();
  await page.getByText('Change 2 of 2').waitFor();
  const views = page.getByRole('radiogroup', { name: 'How to compare' });
  await views.getByText('Side by side').click();
  await views.getByText('Graph').click();
  await page.getByText('Renamed', { exact: true }).first().waitFor();
  await page.getByText('Added', { exact: true }).first().waitFor();
  await views.getByText('Inline').click();
  await changes
    .getByRole('button', { name: 'Restore: Task second: message from “two” to “second two”' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Restores a part of revision 1').first().waitFor();
  const restored = await page.request.get('/api/v1/main/flows/past/history?source=true');
  expect((await restored.json()).source).toContain('message: two # kept\n  - {id: third');
});

it('A-7.7 A-8.1 A-8.2 the draft of a signed-in user is on the server, says where it is, and continues in another browser', async () => {
  const source =
    'id: drafted\nnamespace: kept\ntasks:\n  - {id: a, type: core.log.Log, message: one}\n  - {id: b, type: core.log.Log, message: x}\n  - {id: c, type: core.log.Log, message: x}\n';
  await saveFlow(source);
  await page.goto('/flows/edit/kept/drafted/edit');
  const editor = new CodeEditorOnPage(page);
  await editor.focus();
  await hands.press('Control+End');
  await hands.type('# unsaved');
  const state = page.getByRole('status').filter({ hasText: /^(Draft|Saving|Offline|Conflict)/ });
  await state.getByText('Draft saved').waitFor();

  // Offline it stays in the browser, and is sent when the network is back.
  await page.context().setOffline(true);
  await hands.type(' offline');
  await state.getByText('Offline').waitFor();
  await page.context().setOffline(false);
  await state.getByText('Draft saved').waitFor();

  // Another browser is offered the text; when it saves, this one is in conflict and merges.
  const other = await signIn();
  await other.page.goto('/flows/edit/kept/drafted/edit');
  await other.page.getByText('Unsaved changes of yours are on the server:').waitFor();
  await other.page.getByRole('button', { name: 'Discard' }).click();
  const otherEditor = new CodeEditorOnPage(other.page);
  await otherEditor.paste(source.replace('one', 'two'));
  await otherEditor.press('Control+S');
  await other.page.getByText('Saved drafted, revision 2').first().waitFor();
  await other.context.close();
  await editor.focus();
  await hands.press('Control+End');
  await hands.type(' here');
  await hands.press('Control+S');
  const merge = page.getByRole('dialog', { name: 'The revision you are editing is outdated.' });
  await merge.getByText('All changes fit together').waitFor();
  await merge.getByRole('button', { name: 'Cancel' }).click();
  await state.getByText('Conflict').waitFor();
  await hands.press('Control+S');
  await merge.getByRole('button', { name: 'Merge and save' }).click();
  await page.getByText('Saved drafted, revision 3').first().waitFor();
  expect(await editor.read()).toBe(`${source.replace('one', 'two')}# unsaved offline here`);
});

it('A-5.8 A-5.9 A-5.10 A-5.11 A-5.13 the graph is searched, explained on hover, turned, exported, and walked by keys', async () => {
  await saveFlow(`id: pictured
namespace: graphs
triggers:
  - {id: nightly, type: core.trigger.Schedule, cron: "0 2 * * *"}
tasks:
  - {id: load, type: core.http.Request, uri: https://example.com, retry: {type: constant, maxAttempts: 3, interval: PT1S}}
  - id: each
    type: core.flow.ForEach
    values: [1, 2]
    tasks:
      - {id: inner, type: core.log.Log, message: x, runIf: "{{ taskrun.value == 1 }}"}
`);
  await page.goto('/flows/edit/graphs/pictured/topology');
  const graph = page.getByLabel('Topology', { exact: true });
  const node = (id: string) =>
    page
      .locator('.react-flow__node')
      .filter({ has: page.getByText(id, { exact: true }) })
      .last();
  await node('load').hover();
  await page.getByText('Retry', { exact: true }).waitFor();
  await graph.getByRole('button', { name: 'Find a task' }).click();
  await hands.type('inn');
  await hands.press('Enter');
  await page.getByText('1 of 1').waitFor();
  await hands.press('Escape');
  await page.getByRole('button', { name: 'Export as a picture' }).click();
  const [svg] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'SVG file' }).click(),
  ]);
  expect(svg.suggestedFilename()).toBe('pictured.svg');
  expect(readFileSync(await svg.path(), 'utf8')).toMatch(/<svg[\s\S]*load[\s\S]*inner/);
  await page.getByRole('button', { name: 'Export as a picture' }).click();
  const [png] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'PNG file' }).click(),
  ]);
  expect(
    readFileSync(await png.path())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  await page.getByRole('button', { name: 'Draw from left to right' }).click();
  await page.getByRole('button', { name: 'Draw from top to bottom' }).waitFor();
  const isInView = async () => {
    const [frame, last] = await Promise.all([graph.boundingBox(), node('inner').boundingBox()]);
    return frame && last ? last.x > frame.x && last.x + last.width < frame.x + frame.width : false;
  };
  await expect.poll(isInView).toBe(true);
  expect(complaints).toEqual([]);
});
