import { executionReads, executions, flows } from '@millrace/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { aFlow, aFlowWithSource, anExecution } from '../../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderAt } from '../../../testing/renderAt.tsx';
import { usesTriggerBlindly } from './ExecuteForm.tsx';

const namespaces = reply(flows.listNamespaces, () => ['shop.orders']);
const page = '/executions/shop.orders/nightly/exec1';

describe('execute dialog', () => {
  const flow = aFlowWithSource({
    inputs: [
      { id: 'who', type: 'STRING', displayName: 'Who', defaults: 'you' },
      { id: 'count', type: 'INT', required: true },
    ],
  });
  const serving = [
    namespaces,
    reply(flows.getFlow, () => flow),
    reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
    reply(executions.validateInputs, () => ({
      id: flow.id,
      namespace: flow.namespace,
      inputs: (flow.inputs ?? []).map((input) => ({ input, enabled: true, errors: [] })),
    })),
    reply(executions.getExecution, () => anExecution()),
  ];
  const open = async () => {
    const view = renderAt('/flows/edit/shop.orders/nightly');
    await screen.findByText('About this flow');
    await view.user.click((await screen.findAllByRole('button', { name: 'Execute' }))[0]!);
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByLabelText(/count/);
    return { ...view, dialog };
  };

  it('S1-1.4 S2-7e.19 starts with defaults and given values and opens the execution', async () => {
    const server = fakeServer(
      ...serving,
      reply(executions.triggerExecution, () => anExecution()),
    );
    const { user, dialog, href } = await open();
    expect(dialog.getByLabelText(/Who/)).toHaveProperty('value', 'you');
    // The keys of the dialog work at once: the focus is in its form, not on the button that closes it.
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText(/Who/)));
    await user.type(dialog.getByLabelText(/count/), '7');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(href()).toBe(`${page}/gantt`));
    const sent = server.to(executions.triggerExecution)[0]?.body as FormData;
    expect([...sent.entries()]).toEqual([
      ['who', 'you'],
      ['count', '7'],
    ]);
  });

  it('starts at the moment that was picked, by the clock of the settings', async () => {
    localStorage.setItem('timezone', 'Asia/Tokyo');
    const server = fakeServer(
      ...serving,
      reply(executions.triggerExecution, () => anExecution()),
    );
    const { user, dialog } = await open();
    await user.type(dialog.getByLabelText(/count/), '7');
    const advanced = dialog.getByText('Advanced').closest('details');
    if (!advanced) throw new Error('What is advanced cannot be opened.');
    advanced.open = true;
    // jsdom does not tell that it was opened.
    fireEvent(advanced, new Event('toggle'));
    await user.click(await dialog.findByLabelText('Start later, at'));
    await user.click(await screen.findByLabelText(/^15 /));
    await user.click(dialog.getByRole('button', { name: 'Execute' }));
    await waitFor(() => expect(server.to(executions.triggerExecution)).toHaveLength(1));
    const sent = server.to(executions.triggerExecution)[0]?.query.get('scheduleDate') ?? '';
    expect(new Date(sent).toISOString()).toMatch(/-14T15:00:00\.000Z$/);
  });

  it('S1-9.8 S2-2s.6 S2-2s.7 opens the execution in a new tab, at the tab of the settings, when they say so', async () => {
    localStorage.setItem('executeFlowBehaviour', 'new tab');
    localStorage.setItem('executeDefaultTab', 'logs');
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    fakeServer(
      ...serving,
      reply(executions.triggerExecution, () => anExecution()),
    );
    const { user, dialog, href } = await open();
    await user.type(dialog.getByLabelText(/count/), '7');
    await user.click(dialog.getByRole('button', { name: 'Execute' }));
    await waitFor(() => expect(opened).toHaveBeenCalledWith(`${page}/logs`, '_blank', 'noopener'));
    expect(href()).toBe('/flows/edit/shop.orders/nightly');
    opened.mockRestore();
  });

  it('[E211] shows the checks that fail, and starts nothing while one blocks it', async () => {
    const blocking = { message: 'Too many', style: 'ERROR', behavior: 'BLOCK_EXECUTION' } as const;
    const telling = { message: 'Slow', style: 'WARNING', behavior: 'CREATE_EXECUTION' } as const;
    let checks: (typeof blocking | typeof telling)[] = [blocking, telling];
    const server = fakeServer(
      ...serving,
      reply(executions.validateInputs, () => ({
        id: flow.id,
        namespace: flow.namespace,
        inputs: [],
        checks,
      })),
      reply(executions.triggerExecution, () => anExecution()),
    );
    const { user, dialog } = await open();
    expect((await dialog.findByText('Too many')).getAttribute('role')).toBe('status');
    expect(dialog.getByText('Slow')).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Execute' })).toHaveProperty('disabled', true);
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(server.to(executions.triggerExecution)).toEqual([]);
    checks = [];
    await user.type(dialog.getByLabelText(/count/), '7');
    await waitFor(() => expect(dialog.queryByText('Too many')).toBeNull());
    await user.click(dialog.getByRole('button', { name: 'Execute' }));
    await waitFor(() => expect(server.to(executions.triggerExecution)).toHaveLength(1));
  });

  it('is reached from the list of executions by a namespace and a flow', async () => {
    fakeServer(
      ...serving,
      reply(executionReads.listExecutableNamespaces, () => ['shop.orders']),
      reply(executionReads.listExecutableFlows, () => [
        { ...aFlow({ inputs: flow.inputs }), errors: [], finally: [], afterExecution: [], triggers: [] },
      ]),
    );
    const { user } = renderAt('/executions?namespace=shop.orders');
    await user.click(await screen.findByRole('button', { name: 'Execute' }));
    const first = within(await screen.findByRole('dialog', { name: 'Execute a flow' }));
    await user.click(await first.findByRole('combobox', { name: 'Flow' }));
    await user.click(await screen.findByRole('option', { name: 'nightly' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Execute nightly' }));
    expect(await dialog.findByLabelText(/count/)).toBeTruthy();
  });

  it('takes over the inputs and labels of the execution that it is opened from', async () => {
    fakeServer(
      ...serving,
      reply(executions.getExecution, () =>
        anExecution({
          inputs: { who: 'me', count: 3 },
          labels: [
            { key: 'team', value: 'data' },
            { key: 'system.from', value: 'ui' },
          ],
        }),
      ),
    );
    const { user } = renderAt(page);
    await user.click(await screen.findByRole('button', { name: 'Execute' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByRole('button', { name: 'Prefill from this execution' }));
    expect(dialog.getByLabelText(/Who/)).toHaveProperty('value', 'me');
    expect(dialog.getByLabelText(/count/)).toHaveProperty('value', '3');
    expect(dialog.getAllByLabelText('Key').map((field) => (field as HTMLInputElement).value)).toEqual([
      'team',
    ]);
  });

  it('gives the focus back when it is closed without a start', async () => {
    fakeServer(...serving);
    const { user } = await open();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement?.textContent).toContain('Execute');
  });

  it('S2-5.16 warns of trigger variables without a fallback', async () => {
    fakeServer(
      ...serving,
      reply(flows.getFlow, () => ({ ...flow, source: 'message: "{{ trigger.date }}"' })),
    );
    const { dialog } = await open();
    expect(dialog.getByText(/Give them a fallback with the \?\? operator/)).toBeTruthy();
    // The trigger itself always has them.
    const inputs = '  - id: hook\n    inputs: {a: "{{ trigger.body.a }}"}\n';
    expect(usesTriggerBlindly(`triggers:\n${inputs}tasks: []\n`)).toBe(false);
    expect(usesTriggerBlindly(`triggers:\n${inputs}outputs: "{{ trigger.body }}"\n`)).toBe(true);
  });

  it('shows what the server refuses in short words at the input it is about, and goes there', async () => {
    const message = 'Invalid input for `count`, missing required input, but received `null`';
    const refusal = {
      message: `Invalid entity: ${message}`,
      _embedded: { errors: [{ path: 'count', message }] },
    };
    fakeServer(
      ...serving,
      reply(executions.triggerExecution, () => failure(422, refusal)),
    );
    const { user, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Execute' }));
    await dialog.findByText('Required field');
    expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true');
  });

  it('S1-5.25 does not start with a label of which one half is empty', async () => {
    fakeServer(...serving);
    const { user, dialog } = await open();
    await user.click(dialog.getByText('Advanced'));
    await user.click(dialog.getByRole('button', { name: 'Add label' }));
    await user.type(dialog.getByLabelText('Key'), 'team');
    await dialog.findByText('Empty key or value is not allowed in labels');
    expect(dialog.getByRole('button', { name: 'Execute' })).toHaveProperty('disabled', true);
  });
});
