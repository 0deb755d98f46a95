import { product, quietStart } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aConfiguration, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

const text = 'Quiet start: schedules, triggers and open executions wait.';

it('a server that was started quietly says so until it is activated', async () => {
  let isQuietStart = true;
  fakeServer(
    reply(product.getConfiguration, () => aConfiguration({ isQuietStart })),
    reply(quietStart.endQuietStart, () => {
      isQuietStart = false;
      return { isQuiet: false };
    }),
  );
  const { user } = renderAt('/admin/iam');
  await screen.findByText(text);
  await user.click(screen.getByRole('button', { name: 'Activate' }));
  const dialog = await screen.findByRole('dialog', { name: 'Activate the server?' });
  expect(dialog.textContent).toContain('open executions resume at once');
  await user.click(within(dialog).getByRole('button', { name: 'Activate' }));
  await waitFor(() => expect(screen.queryByText(text)).toBeNull());
});

it('an active server shows no note', async () => {
  fakeServer();
  renderAt('/admin/iam');
  await screen.findByText('Users, groups and roles');
  expect(screen.queryByText(text)).toBeNull();
});
