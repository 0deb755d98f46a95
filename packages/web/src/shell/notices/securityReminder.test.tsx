import { product } from '@millrace/contract';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { aConfiguration, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

const dayMs = 86_400_000;

async function openAfter(days: number, isBasicAuthEnabled = false) {
  localStorage.setItem('security.advice.uptime', String(Date.now() - days * dayMs));
  fakeServer(reply(product.getConfiguration, () => aConfiguration({ isBasicAuthEnabled })));
  const view = renderAt('/admin/iam');
  await screen.findByText('Users, groups and roles');
  return view;
}
const dialog = () => screen.findByRole('dialog', { name: 'Anyone can use this server' });
const noDialog = () => expect(screen.queryByRole('dialog')).toBeNull();

describe('security advice', () => {
  it('S1-9.3 S1-3.14 remembers the first start and how long to wait', async () => {
    fakeServer();
    renderAt('/admin/iam');
    await screen.findByText('Users, groups and roles');
    expect(localStorage.getItem('security.advice.expired')).toBe('604800000');
    expect(Date.now() - Number(localStorage.getItem('security.advice.uptime'))).toBeLessThan(60_000);
    noDialog();
  });

  it('S1-4.14 S1-1.13 is shown after seven days and not after six', async () => {
    const { unmount } = await openAfter(6.9);
    noDialog();
    unmount();
    await openAfter(7);
    await dialog();
  });

  it('S1-4.12 S1-6.1 S1-3.4 is never shown when authentication is on', async () => {
    await openAfter(30, true);
    noDialog();
  });

  it('S1-4.13 is not shown again when that was wished', async () => {
    localStorage.setItem('security.advice.show', 'false');
    await openAfter(30);
    noDialog();
  });

  it('S1-4.16 S1-3.14 the switch stores the opposite of itself', async () => {
    const { user } = await openAfter(8);
    await dialog();
    const hide = screen.getByRole('switch', { name: 'Do not show this again' });
    await user.click(hide);
    expect(localStorage.getItem('security.advice.show')).toBe('false');
    await user.click(hide);
    expect(localStorage.getItem('security.advice.show')).toBe('true');
  });

  it('S1-4.15 S2-2.29 confirming leads to the page where authentication is set', async () => {
    const { user, href } = await openAfter(8);
    await dialog();
    await user.click(screen.getByRole('button', { name: 'Enable authentication' }));
    await waitFor(() => expect(href()).toBe('/admin/stats'));
  });
});
