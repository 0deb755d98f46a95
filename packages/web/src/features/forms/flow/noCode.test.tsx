import { plugins } from '@millrace/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderForm } from '../testing/renderForm.tsx';

// Whole forms in a browser that is none take their time on a busy machine.

const source = `# Owned by the data team.
id: etl
namespace: company.team

tasks:
  # Says hello first.
  - id: hello
    type: core.log.Log
    message: Hello # there
  - id: fan
    type: core.flow.Parallel
    tasks:
      - id: inner
        type: core.log.Log
        message: x
`;

beforeEach(() => {
  fakeServer(
    reply(plugins.getTypeIcons, () => ({ drawings: [], types: {} })),
    reply(plugins.getPluginDocumentation, () => ({
      markdown: '',
      schema: { properties: { title: 'Writes lines', properties: {} } },
    })),
  );
});

const rowsOf = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('button', { name: /^Edit / })
    .map((row) => row.getAttribute('aria-label')?.slice('Edit '.length));

describe('the no-code view of a flow', () => {
  it('S1-1.2 S1-3.7 shows what the text says: id, namespace, inputs and tasks', () => {
    renderForm(source.replace('tasks:', 'inputs:\n  - id: day\n    type: DATE\ntasks:'));
    expect(screen.getByLabelText(/^id/)).toHaveProperty('value', 'etl');
    expect(screen.getByLabelText(/^namespace/)).toHaveProperty('value', 'company.team');
    expect(rowsOf('inputs')).toEqual(['day']);
    expect(rowsOf('tasks')).toEqual(['hello', 'fan']);
  });

  it('S1-3.7 the id and the namespace of a saved flow are locked, and the revision is the server’s', () => {
    renderForm(source, { isSaved: true });
    expect(screen.getByLabelText(/^id/)).toHaveProperty('readOnly', true);
    expect(screen.getByLabelText(/^namespace/)).toHaveProperty('readOnly', true);
    expect(screen.getByLabelText(/^description/)).toHaveProperty('readOnly', false);
    expect(screen.queryByLabelText(/^revision/)).toBeNull();
  });

  it('S1-1.2 S1-1.15 S2-1.1 a task is added by choosing its type, and its form is made from the schema', async () => {
    const { user, source: text } = renderForm(source);
    await user.click(screen.getByText('Add to tasks'));
    await user.paste('run commands with shell');
    await user.click(await screen.findByText('scripts.shell.Commands'));
    expect(text()).toBe(`${source}  - id: commands\n    type: scripts.shell.Commands\n`);
    // What the type needs is there at once, and what is missing is said.
    expect(screen.getByText('commands', { selector: 'h2' })).toBeTruthy();
    expect(screen.getByRole('group', { name: /^commands/ })).toBeTruthy();
    expect(screen.getByText('Required field')).toBeTruthy();
    await user.click(screen.getByLabelText('commands 1'));
    await user.paste('echo hello');
    expect(text()).toContain('    commands:\n      - echo hello\n');
    expect(screen.queryByText('Required field')).toBeNull();
  });

  it('S1-5.31 a task that lacks something says what in the list', async () => {
    const { user } = renderForm(source.replace('    message: Hello # there\n', ''));
    const row = screen.getByLabelText('Edit hello');
    expect(row.textContent).toContain('message is required');
    await user.click(row);
    expect(screen.getByText('Required field')).toBeTruthy();
  });

  it('an edit changes its own line and no other', async () => {
    const { user, source: text } = renderForm(source);
    await user.click(screen.getByLabelText('Edit hello'));
    const message = screen.getByLabelText('message', { selector: 'textarea' });
    await user.clear(message);
    await user.paste('Bye');
    expect(text()).toBe(source.replace('Hello # there', 'Bye # there'));
  });

  it('tasks are moved by keys and buttons, copied with new names and removed', async () => {
    const { user, source: text } = renderForm(source);
    screen.getByLabelText('Edit fan').focus();
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(rowsOf('tasks')).toEqual(['fan', 'hello']);
    expect(screen.getByText('Moved to position 1 of 2')).toBeTruthy();
    await user.click(screen.getByLabelText('Move hello up'));
    expect(text()).toBe(source);
    await user.click(screen.getByLabelText('Duplicate fan'));
    expect(text()).toContain('  - id: fan_2\n');
    expect(text()).toContain('      - id: inner_2\n');
    await user.click(screen.getByText('etl', { selector: 'nav button' }));
    await user.click(screen.getByLabelText('Remove fan_2'));
    expect(text()).toBe(source);
  });

  it('asks before a task goes that others use, and names them', async () => {
    const used = `${source}  - id: last
    type: core.log.Log
    message: "{{ outputs.inner.value }} {{ inputs.city }}"
outputs:
  - id: result
    type: STRING
    value: "{{ outputs['fan'] }}"
`;
    const { user, source: text } = renderForm(used);
    await user.click(screen.getByLabelText('Remove fan'));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/fan, inner and fail without it: result, last/)).toBeTruthy();
    await user.click(dialog.getByText('Cancel'));
    expect(text()).toBe(used);
    await user.click(screen.getByLabelText('Remove fan'));
    await user.click(within(await screen.findByRole('dialog')).getByText('Delete'));
    await waitFor(() => expect(text()).not.toContain('fan\n'));
    // A task that no other part uses goes without a question.
    await user.click(screen.getByLabelText('Remove last'));
    expect(text()).not.toContain('last');
  });

  it('leads into tasks of tasks and back', async () => {
    const { user, source: text } = renderForm(source);
    await user.click(screen.getByLabelText('Edit fan'));
    await user.click(screen.getByLabelText('Edit inner'));
    expect(document.activeElement?.textContent).toBe('inner');
    const id = screen.getByLabelText(/^id/);
    await user.click(id);
    await user.paste('_most');
    expect(text()).toContain('- id: inner_most');
    await user.click(screen.getByText('fan', { selector: 'nav button' }));
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Edit inner_most');
  });

  it('undo and redo go one change at a time', async () => {
    const { user, source: text } = renderForm(source);
    await user.click(screen.getByLabelText('Remove hello'));
    await user.click(screen.getByLabelText('Edit fan'));
    expect(text()).not.toContain('hello');
    await user.keyboard('{Control>}z{/Control}');
    expect(text()).toBe(source);
    await user.click(screen.getByLabelText('Redo'));
    expect(text()).not.toContain('hello');
  });

  it('follows the text, and keeps to reading while the text cannot be read', async () => {
    const { user, write } = renderForm(source);
    act(() => write(source.replace('id: hello', 'id: hi')));
    expect(rowsOf('tasks')).toEqual(['hi', 'fan']);
    act(() => write(`${source}broken: [`));
    expect(screen.getByRole('alert').textContent).toContain('Invalid YAML');
    expect(rowsOf('tasks')).toEqual(['hi', 'fan']);
    expect(screen.queryByText('Add to tasks')).toBeNull();
    await user.click(screen.getByLabelText('Edit hi'));
    expect(screen.getByLabelText(/^id/)).toHaveProperty('readOnly', true);
    act(() => write(source));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByLabelText(/^id/)).toHaveProperty('readOnly', false);
  });

  it('another type keeps the name; the documentation is one click away', async () => {
    const { user, source: text } = renderForm(source);
    await user.click(screen.getByLabelText('Edit hello'));
    await user.click(screen.getByRole('radio', { name: 'Documentation' }));
    expect(await screen.findByText(/Writes lines/)).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Form' }));
    const type = screen.getByRole('combobox', { name: 'Type of hello' });
    await user.clear(type);
    await user.paste('debug return');
    await user.click(await screen.findByText('core.debug.Return'));
    expect(text()).toContain(
      '  # Says hello first.\n  - id: hello\n    type: core.debug.Return\n  - id: fan',
    );
  });

  it('shows what the checks of the whole flow found at its field', async () => {
    const { user } = renderForm(source, {
      issues: [{ severity: 'error', path: 'tasks[0].id', message: 'Two tasks are called hello.' }],
    });
    await user.click(screen.getByLabelText('Edit hello'));
    const id = screen.getByLabelText(/^id/);
    const described = id.getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(described.map((one) => document.getElementById(one)?.textContent)).toContain(
      'Two tasks are called hello.',
    );
  });

  it('shows all warnings of a field, one to a line, and as warnings', async () => {
    const warning = { severity: 'warning', path: 'tasks[0].message' } as const;
    const { user } = renderForm(source, {
      issues: [
        { ...warning, message: 'Filter "uper" does not exist.' },
        { ...warning, message: 'Input "dya" does not exist.' },
      ],
    });
    await user.click(screen.getByLabelText('Edit hello'));
    const text = await screen.findByText(/Filter "uper" does not exist.\nInput "dya"/, {
      normalizer: String,
    });
    expect(text.closest('[data-field]')?.getAttribute('data-severity')).toBe('warning');
  });

  it('opens the task that is asked for', () => {
    renderForm(source, { shown: { id: 'inner' } });
    expect(screen.getByText('inner', { selector: 'h2' })).toBeTruthy();
  });

  it('cannot be changed when the flow cannot', () => {
    renderForm(source, { readOnly: true });
    expect(screen.queryByRole('button', { name: /^(Add|Remove|Move|Duplicate)/ })).toBeNull();
    expect(screen.getByLabelText(/^id/)).toHaveProperty('readOnly', true);
  });

  it('S2-1.1 inputs, triggers with conditions and labels are written without a word of YAML', async () => {
    const { user, source: text } = renderForm(source);
    await user.click(screen.getByText('Add to labels'));
    await user.type(screen.getByLabelText('labels: key 1'), 'team{Enter}');
    await user.type(screen.getByLabelText('team'), 'data');
    await user.click(screen.getByText('Add to inputs'));
    await user.click(await screen.findByText('SELECT'));
    expect(screen.getByText('select', { selector: 'h2' })).toBeTruthy();
    await user.click(screen.getByText('etl', { selector: 'nav button' }));
    await user.click(screen.getByText('Add to triggers'));
    await user.click(await screen.findByText('core.trigger.Schedule'));
    await user.click(screen.getByLabelText(/^cron/));
    await user.paste('0 9 * * *');
    await user.click(screen.getByText(/optional properties/));
    await user.click(screen.getByText('Add to conditions'));
    await user.click(await screen.findByText('core.condition.Weekend'));
    expect(text()).toContain(
      'namespace: company.team\n\nlabels:\n  team: data\n\ninputs:\n  - id: select\n    type: SELECT\n',
    );
    expect(text()).toContain(
      'triggers:\n  - id: schedule\n    type: core.trigger.Schedule\n    cron: 0 9 * * *\n    conditions:\n      - type: core.condition.Weekend\n',
    );
  });
});
