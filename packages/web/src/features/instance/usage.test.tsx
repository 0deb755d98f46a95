import { product, sessions } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { aConfiguration, failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

const usage = reply(product.getUsage, () => failure(503, { message: 'Not now' }));

it('S1-5.29 authentication is enabled with an email and a password that is typed twice', async () => {
  const server = fakeServer(
    usage,
    reply(sessions.saveBasicAuth, () => undefined),
  );
  const assign = vi.fn();
  vi.stubGlobal('location', { ...window.location, assign });
  const { user } = renderAt('/admin/stats');
  await user.click(await screen.findByRole('button', { name: 'Enable authentication' }));
  const dialog = within(await screen.findByRole('dialog'));
  const confirm = dialog.getByRole('button', { name: 'Save and sign in' });
  await user.type(dialog.getByLabelText(/^Email/), 'ada@example.com');
  await user.type(dialog.getByLabelText(/^Password/), 'Charles');
  dialog.getByText('Password must have at least 8 characters');
  await user.type(dialog.getByLabelText(/^Password/), '1');
  expect(dialog.queryByText('Password must have at least 8 characters')).toBeNull();
  await user.type(dialog.getByLabelText(/^Repeat/), 'Charles2');
  dialog.getByText('Passwords do not match');
  expect(confirm).toHaveProperty('disabled', true);
  await user.type(dialog.getByLabelText(/^Repeat/), '{Backspace}1');
  expect(dialog.queryByText('Passwords do not match')).toBeNull();
  await user.click(confirm);
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/login'));
  const body = JSON.parse(String(server.to(sessions.saveBasicAuth)[0]?.body));
  expect(body).toEqual({ username: 'ada@example.com', password: 'Charles1' });
});

it('nothing is offered where authentication is on', async () => {
  fakeServer(
    usage,
    reply(product.getConfiguration, () => aConfiguration({ isBasicAuthEnabled: true })),
  );
  renderAt('/admin/stats');
  await screen.findByText('Not now');
  expect(screen.queryByText('Enable authentication')).toBeNull();
});
