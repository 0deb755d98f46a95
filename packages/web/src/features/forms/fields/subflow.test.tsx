import { flows } from '@millrace/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aFlow } from '../../../testing/factories.ts';
import { answer, failure, fakeServer } from '../../../testing/fakeServer.ts';
import { renderForm } from '../testing/renderForm.tsx';

const toasts = vi.hoisted(() => ({ showError: vi.fn() }));
vi.mock('../../../shell/toasts.ts', async (original) => ({ ...(await original<object>()), ...toasts }));

// Whole forms in a browser that is none take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const source = (properties = '') => `id: parent
namespace: shop
tasks:
  - id: child
    type: core.flow.Subflow
${properties}`;

const inputs = [
  { id: 'day', type: 'DATE' as const },
  { id: 'mode', type: 'STRING' as const },
];
const listed = [
  answer(flows.listNamespaces, () => ['shop', 'shop.orders']),
  answer(flows.listFlowsOfNamespace, ({ params }) =>
    (params.namespace === 'shop' ? ['parent', 'nightly'] : ['import']).map((id) => aFlow({ id })),
  ),
];
const readable = answer(flows.getFlow, ({ params }) => ({ ...aFlow({ id: params.id ?? '' }), inputs }));

/** The inputs are optional: their section is opened only by those who need it. */
async function openChild(text: string, { withInputs = false } = {}) {
  const view = renderForm(text, { shown: { id: 'child' } });
  if (withInputs) await view.user.click(screen.getByText(/optional properties/));
  return view;
}

beforeEach(() => toasts.showError.mockClear());

describe('the subflow task', () => {
  it('S1-3.8 has a namespace, a flow, a revision and a map of inputs', async () => {
    fakeServer(...listed, readable);
    await openChild(source(), { withInputs: true });
    expect(screen.getByLabelText(/^namespace/)).toBeTruthy();
    expect(screen.getByLabelText(/^flowId/)).toBeTruthy();
    expect(screen.getByLabelText(/^revision/)).toBeTruthy();
    expect(screen.getByText('Add to inputs')).toBeTruthy();
  });

  it('S1-5.18 the flow is chosen after its namespace', async () => {
    fakeServer(...listed, readable);
    const { user, source: text } = await openChild(source());
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
    const { user } = await openChild(source('    namespace: shop\n'));
    await user.click(screen.getByLabelText(/^flowId/));
    await screen.findByText('nightly', { selector: '[role=option] *' });
    expect(screen.queryByText('parent', { selector: '[role=option] *' })).toBeNull();
  });

  it('S1-5.20 an input is named once the flow is chosen', async () => {
    fakeServer(...listed, readable);
    const { user } = await openChild(source('    namespace: shop\n'), { withInputs: true });
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
    const { user, source: text } = await openChild(source('    namespace: shop\n    flowId: nightly\n'), {
      withInputs: true,
    });
    await user.click(screen.getByText('Add to inputs'));
    await user.click(screen.getByPlaceholderText('Choose an input'));
    await user.click(await screen.findByText('day', { selector: '[role=option] *' }));
    await user.click(screen.getByLabelText('day'));
    await user.paste('{{ now() }}');
    expect(text()).toContain('    inputs:\n      day: "{{ now() }}"\n');
    await user.click(screen.getByText('Add to inputs'));
    await user.click(screen.getAllByPlaceholderText('Choose an input').at(-1)!);
    await screen.findByText('mode', { selector: '[role=option] *' });
    expect(screen.queryByText('day', { selector: '[role=option] *' })).toBeNull();
  });

  it('S1-8.7 inputs that cannot be loaded are told in a toast, and the list is empty', async () => {
    fakeServer(
      ...listed,
      answer(flows.getFlow, () => failure(500, { message: 'Internal error: the disk is full' })),
    );
    const { user } = await openChild(source('    namespace: shop\n    flowId: nightly\n'), {
      withInputs: true,
    });
    await waitFor(() => expect(toasts.showError).toHaveBeenCalledTimes(1));
    expect(String(toasts.showError.mock.calls[0]?.[0])).toContain('the disk is full');
    await user.click(screen.getByText('Add to inputs'));
    await user.click(screen.getByPlaceholderText('Choose an input'));
    expect(await screen.findByText('No further inputs')).toBeTruthy();
  });
});
