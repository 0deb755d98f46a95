import { namespaces } from '@millrace/contract';
import { screen } from '@testing-library/react';
import { it } from 'vitest';
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
