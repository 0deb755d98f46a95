import { namespaces } from '@millrace/contract';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

it('S1-2.1.16 /secrets shows the names of the secrets and how a flow reads them', async () => {
  fakeServer(
    reply(namespaces.listSecrets, () => ({ results: [{ key: 'TOKEN' }], total: 1, readOnly: true })),
  );
  renderAt('/main/secrets');
  await screen.findByRole('heading', { level: 1, name: 'Secrets' });
  await screen.findByText("{{ secret('TOKEN') }}");
});

it('the date on which a secret expires can be noted and removed', async () => {
  let expirationDate: string | undefined = '2030-01-01T10:00:00.000Z';
  const server = fakeServer(
    reply(namespaces.listSecrets, () => ({
      results: [{ key: 'TOKEN', ...(expirationDate && { expirationDate }) }],
      total: 1,
      readOnly: true,
    })),
    reply(namespaces.noteSecretExpiration, () => {
      expirationDate = undefined;
      return { key: 'TOKEN' };
    }),
  );
  const { user } = renderAt('/secrets');
  await screen.findByText(/2030/);
  await user.click(screen.getByRole('button', { name: 'Set expiration date: TOKEN' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.clear(dialog.getByLabelText('Expires'));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => screen.queryByText(/2030/)).toBeNull();
  expect(JSON.parse(String(server.to(namespaces.noteSecretExpiration)[0]?.body))).toEqual({
    expirationDate: null,
  });
});
