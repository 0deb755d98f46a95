import { flows } from '@millrace/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { aFlowWithSource } from '../../testing/factories.ts';
import { answer, fakeServer } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// The code editor needs a real browser; a text area stands in for it.
vi.mock('../editor/index.ts', () => ({
  FlowEditor: ({ source, onChange }: { source: string; onChange: (s: string) => void }) => (
    <textarea aria-label="source" value={source} onChange={(event) => onChange(event.target.value)} />
  ),
}));

const server = () =>
  fakeServer(
    answer(flows.listNamespaces, () => []),
    answer(flows.createFlow, () => aFlowWithSource()),
    answer(flows.getFlow, () => aFlowWithSource()),
  );
const editor = async () => (await screen.findByLabelText('source')) as HTMLTextAreaElement;

async function leaveUnsaved(text: string) {
  const view = renderAt('/flows/new');
  await view.user.type(await editor(), text);
  await view.user.click(screen.getByRole('link', { name: 'Settings' }));
  await view.user.click(await screen.findByText('Leave'));
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  view.unmount();
}

it('[S2-4f.1] a new flow that was left unsaved is offered when returning, and restored as it was', async () => {
  server();
  await leaveUnsaved('# mine');
  const { user } = renderAt('/flows/new');
  expect((await editor()).value).not.toContain('# mine');
  await screen.findByText(/You left a new flow unsaved/);
  await user.click(screen.getByRole('button', { name: 'Restore draft' }));
  expect((await editor()).value).toContain('# mine');
  expect(screen.queryByText(/You left a new flow unsaved/)).toBeNull();
});

it('[S2-4f.1] a draft that is discarded does not come back, nor one of a flow that was saved', async () => {
  server();
  await leaveUnsaved('# mine');
  const first = renderAt('/flows/new');
  await first.user.click(await screen.findByRole('button', { name: 'Discard' }));
  first.unmount();
  expect(localStorage.getItem('draft:flow:')).toBeNull();
  const second = renderAt('/flows/new');
  await second.user.type(await editor(), '# again');
  await waitFor(() => expect(localStorage.getItem('draft:flow:')).toContain('# again'));
  expect(screen.queryByText(/You left a new flow unsaved/)).toBeNull();
  await second.user.click(screen.getByRole('button', { name: /Save/ }));
  await waitFor(() => expect(localStorage.getItem('draft:flow:')).toBeNull());
});
