import { notifications } from '@mantine/notifications';
import { flows } from '@millrace/contract';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { aFlow } from '../../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderForm, schemaWith } from '../testing/renderForm.tsx';

// Whole forms in a browser that is none take their time on a busy machine.

const source = (properties = '') => `id: parent
namespace: shop
tasks:
  - id: child
    type: demo.Task
${properties}`;

const inputs = [
  { id: 'day', type: 'DATE' as const },
  { id: 'mode', type: 'STRING' as const },
];
const listed = [
  reply(flows.listNamespaces, () => ['shop', 'shop.orders']),
  reply(flows.listFlowsOfNamespace, ({ params }) =>
    (params.namespace === 'shop' ? ['parent', 'nightly'] : ['import']).map((id) => aFlow({ id })),
  ),
];
const readable = reply(flows.getFlow, ({ params }) => ({ ...aFlow({ id: params.id ?? '' }), inputs }));

/** The three properties that make a subflow, without the twenty around them. */
const subflowSchema = schemaWith(
  {
    namespace: { type: 'string' },
    flowId: { type: 'string' },
    inputs: { type: 'object', additionalProperties: {} },
  },
  ['namespace', 'flowId', 'inputs'],
);
const openChild = (text: string) => renderForm(text, { shown: { id: 'child' }, schema: subflowSchema });

describe('the subflow task', () => {
  it('S1-3.8 S2-3.3 has a namespace, a flow, a revision and a map of inputs', async () => {
    fakeServer(...listed, readable);
    const { user } = renderForm(source().replace('demo.Task', 'core.flow.Subflow'), {
      shown: { id: 'child' },
    });
    await user.click(screen.getByText(/optional properties/));
    expect(screen.getByLabelText(/^namespace/)).toBeTruthy();
    expect(screen.getByLabelText(/^flowId/)).toBeTruthy();
    expect(screen.getByLabelText(/^revision/)).toBeTruthy();
    expect(screen.getByText('Add to inputs')).toBeTruthy();
  });

  it('S1-5.18 the flow is chosen after its namespace', async () => {
    fakeServer(...listed, readable);
    const { user, source: text } = openChild(source());
    const flow = screen.getByLabelText(/^flowId/);
    expect(flow).toHaveProperty('disabled', true);
    await user.click(screen.getByLabelText(/^namespace/));
    await user.click(await screen.findByText('shop.orders', { selector: '[role=option] *' }));
    expect(flow).toHaveProperty('disabled', false);
    await user.click(flow);
    await user.click(await screen.findByText('import', { selector: '[role=option] *' }));
    expect(text()).toContain('    namespace: shop.orders\n    flowId: import\n');
  });

  it('S1-5.19 the flow itself is not offered in its own namespace', async () => {
    fakeServer(...listed, readable);
    const { user } = openChild(source('    namespace: shop\n'));
    await user.click(screen.getByLabelText(/^flowId/));
    await screen.findByText('nightly', { selector: '[role=option] *' });
    expect(screen.queryByText('parent', { selector: '[role=option] *' })).toBeNull();
  });

  it('S1-5.20 an input is named once the flow is chosen', async () => {
    fakeServer(...listed, readable);
    const { user } = openChild(source('    namespace: shop\n'));
    await user.click(screen.getByText('Add to inputs'));
    expect(screen.getByPlaceholderText('Choose a namespace and a flow first')).toHaveProperty(
      'disabled',
      true,
    );
    await user.click(screen.getByLabelText(/^flowId/));
    await user.click(await screen.findByText('nightly', { selector: '[role=option] *' }));
    expect(screen.getByPlaceholderText('Choose an input')).toHaveProperty('disabled', false);
  });

  it('S1-5.21 names that are used are not offered again', async () => {
    fakeServer(...listed, readable);
    const { user, source: text } = openChild(source('    namespace: shop\n    flowId: nightly\n'));
    await user.click(screen.getByText('Add to inputs'));
    await user.click(screen.getByPlaceholderText('Choose an input'));
    await user.click(await screen.findByText('day', { selector: '[role=option] *' }));
    await user.click(screen.getByLabelText('day'));
    await user.paste('{{ now() }}');
    expect(text()).toContain('    inputs:\n      day: "{{ now() }}"\n');
    await user.click(screen.getByText('Add to inputs'));
    const second = screen.getAllByPlaceholderText('Choose an input').at(-1)!;
    await user.click(second);
    const offered = () => document.getElementById(second.getAttribute('aria-controls') ?? '')?.textContent;
    await waitFor(() => expect(offered()).toBe('mode'));
  });

  it('S1-8.7 inputs that cannot be loaded show a toast, and the list is empty', async () => {
    fakeServer(
      ...listed,
      reply(flows.getFlow, () => failure(500, { message: 'Internal error: the disk is full' })),
    );
    const shown = vi.spyOn(notifications, 'show');
    const { user } = openChild(source('    namespace: shop\n    flowId: nightly\n'));
    await waitFor(() => expect(shown).toHaveBeenCalledTimes(1));
    expect(shown.mock.lastCall?.[0].id).toContain('the disk is full');
    await user.click(screen.getByText('Add to inputs'));
    await user.click(screen.getByPlaceholderText('Choose an input'));
    expect(await screen.findByText('No further inputs')).toBeTruthy();
  });
});
