import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeServer } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

describe('pages of the Enterprise Edition', () => {
  it.each([
    ['S1-2.1.31 S2-1.5', '/apps', 'Apps', 'Two forms above a stream'],
    ['S1-2.1.32 S2-1.5', '/admin/iam', 'Users and access', 'Three people, each before a gate'],
    ['S1-2.1.33 S2-1.5', '/admin/tenants', 'Tenants', 'A stream that divides into three channels'],
    ['S1-2.1.35 S2-2.25', '/main/admin/instance', 'Instance', 'Three mill wheels over one stream'],
  ])(
    '%s S1-1.23 S1-2.1.47 S1-6.2 %s shows a title, an image and a message',
    async (_, url, title, picture) => {
      fakeServer();
      renderAt(url);
      expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy();
      expect(screen.getByRole('img', { name: picture })).toBeTruthy();
      const heading = screen.getByRole('heading', { level: 2 });
      expect(heading.nextElementSibling?.textContent?.length).toBeGreaterThan(40);
    },
  );

  it('S1-2.1.34 S1-2.1.48 S1-6.2 S2-1.5 audit logs have a separate page', async () => {
    fakeServer();
    renderAt('/admin/auditlogs');
    expect(await screen.findByRole('heading', { level: 1, name: 'Audit logs' })).toBeTruthy();
    expect(screen.getByRole('table', { name: 'Trail of changes' })).toBeTruthy();
  });

  it('S1-2.3.11 S1-3.9 S1-1.23 S2-6.2 their entries carry a lock that says why, and lead to them', async () => {
    fakeServer();
    const { user } = renderAt('/apps');
    await user.click(await screen.findByRole('button', { name: 'Administration' }));
    const entry = screen.getByRole('link', { name: /^Tenants/ });
    const lock = entry.querySelector('[aria-label="Enterprise Edition"]');
    if (!lock) throw new Error('The entry has no lock.');
    await user.hover(lock);
    await screen.findByText('This feature requires Enterprise Edition');
    await user.click(entry);
    await screen.findByRole('heading', { level: 1, name: 'Tenants' });
  });
});
