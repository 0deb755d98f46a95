import { executions, flows, flowTransfer, product, templates, tokens } from '@millrace/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { describe, expect, it } from 'vitest';
import { formatDateTime } from '../../format/date.ts';
import { writeDate } from '../../format/dateFormats.ts';
import { browserTimeZone } from '../../format/timeZone.ts';
import { readSetting, writeSetting } from '../../storage/settings.ts';
import { aConfiguration, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';
import { timeZones } from './RegionSection.tsx';

const server = () =>
  fakeServer(
    reply(flows.listNamespaces, () => ['shop', 'shop.orders']),
    reply(flows.searchFlows, () => ({ results: [], total: 0 })),
    reply(executions.searchExecutions, () => ({ results: [], total: 0 })),
  );

/** By label and text: asking by role computes the name of every option of every list. */
const field = (name: string) => screen.getByLabelText(name, { selector: 'input' });
/** The one list that is open: closed ones are not in the page. */
const openList = async () => within(await screen.findByRole('listbox'));

async function openSettings() {
  server();
  const view = renderAt('/settings');
  await screen.findByText('Main Configuration');
  const choose = async (name: string, option: string | RegExp) => {
    await view.user.click(field(name));
    await view.user.click(await (await openList()).findByText(option));
  };
  const save = async () => {
    await view.user.click(screen.getByText('Save'));
    await screen.findByText('Settings saved');
  };
  return { ...view, choose, save };
}

// A page of many lists, and a machine that may be busy.
describe('settings', () => {
  it('S1-2.1.28 S2-2.19 S2-2s.20 has its four blocks and a button that saves', async () => {
    await openSettings();
    for (const block of ['Main Configuration', 'Theme Preferences', 'Language and Region', 'Export'])
      expect(screen.getByText(block).tagName).toBe('H2');
    expect(screen.getByText('Save')).toBeTruthy();
    expect(
      screen.getByText(/only changes how dates are shown.*Flows are scheduled in UTC unless/),
    ).toBeTruthy();
  });

  it('S1-1.18 S1-3.15 S2-2s.10 S2-2s.17 keeps every choice under its key once it is saved, and the theme changes at once', async () => {
    const { choose, save } = await openSettings();
    const choices = [
      ['Default namespace', 'shop.orders', 'defaultNamespace', 'shop.orders'],
      ['Default log level', 'WARN', 'defaultLogLevel', 'WARN'],
      ['Default log display', 'Expand failed tasks only', 'logDisplay', 'error'],
      ['Default editor type', 'No-code editor', 'editorViewType', 'NO_CODE'],
      ['Execute the flow', 'In a new tab', 'executeFlowBehaviour', 'new tab'],
      ['Default execution tab', 'Logs', 'executeDefaultTab', 'logs'],
      ['Default flow tab', 'Calendar', 'flowDefaultTab', 'calendar'],
      ['Theme', 'Dark', 'theme', 'dark'],
      ['Chart color scheme', 'Millrace', 'scheme', 'millrace'],
      ['Editor theme', 'Dark', 'editorTheme', 'dark'],
      ['Editor font family', 'Menlo', 'editorFontFamily', 'Menlo'],
    ] as const;
    for (const [name, option, key] of choices) {
      await choose(name, option);
      expect(localStorage.getItem(key)).toBeNull();
    }
    await save();
    for (const [, , key, value] of choices) expect(localStorage.getItem(key)).toBe(value);
    expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(document.documentElement.dataset.charts).toBe('millrace');
  });

  it('S1-2.4.6 follows the switch of the theme beside it', async () => {
    const { user } = await openSettings();
    await user.click(screen.getByRole('button', { name: 'Dark theme' }));
    await waitFor(() => expect(field('Theme')).toHaveProperty('value', 'Dark'));
    expect(screen.getByText('Save').closest('button')).toHaveProperty('disabled', true);
  });

  it('S1-1.20 S1-3.15 S2-2s.15 S2-2s.22 the name of the environment shows at once', async () => {
    const { user, save } = await openSettings();
    await user.type(field('Environment name'), 'prod');
    await save();
    await waitFor(() => expect(document.title).toBe('Settings | Millrace - prod'));
    expect(screen.getByText('prod')).toBeTruthy();
    expect(localStorage.getItem('envName')).toBe('prod');
  });

  it('S1-3.15 S1-9.6 S1-9.7 S2-2s.19 S2-2s.21 dates are long and in the zone of the browser, unless others are stored', async () => {
    const date = '2026-03-01T22:05:09Z';
    const inZone = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'medium' });
    expect(formatDateTime(date, 'en')).toBe(inZone.format(new Date(date)));
    expect(timeZones(new Date()).some(({ value }) => value === browserTimeZone())).toBe(true);
    const { choose, save, user } = await openSettings();
    await user.click(field('Time zone'));
    await user.clear(field('Time zone'));
    await user.type(field('Time zone'), 'Tokyo');
    await user.click(await (await openList()).findByText('Asia/Tokyo (+09:00)'));
    await choose('Date format', /^\d{4}-\d\d-\d\dT/);
    await save();
    expect(localStorage.getItem('timezone')).toBe('Asia/Tokyo');
    expect(localStorage.getItem('dateFormat')).toBe('YYYY-MM-DDTHH:mm:ssZ');
    expect(formatDateTime(date, 'en')).toBe('2026-03-02T07:05:09+09:00');
  });

  it('S2-2s.1 another language shows at once, and is stored', async () => {
    const { choose, user } = await openSettings();
    await choose('Language', 'Deutsch');
    await user.click(screen.getByText('Save'));
    await screen.findByText('Hauptkonfiguration');
    expect(localStorage.getItem('lang')).toBe('de');
    await act(() => i18next.changeLanguage('en'));
  });

  it.each([
    ['LLLL', 'Sunday, March 1, 2026 at 10:05:09'],
    ['lll', 'Mar 1, 2026, 10:05:09'],
    ['DD/MM/YYYY HH:mm:ss', '01/03/2026 22:05:09'],
    ['YYYY-MM-DD hh:mm:ss A', '2026-03-01 10:05:09 PM'],
    ['YYYY-MM-DDTHH:mm:ssZ', '2026-03-01T22:05:09+00:00'],
  ] as const)('writes a date as %s', (format, text) => {
    const written = writeDate(new Date('2026-03-01T22:05:09Z'), { format, timeZone: 'UTC', locale: 'en' });
    expect(written).toContain(text);
  });

  it('a size of a font that makes no sense counts as not set', () => {
    writeSetting('logsFontSize', 51);
    expect(readSetting('logsFontSize')).toBe(12);
    writeSetting('logsFontSize', 20);
    expect(readSetting('logsFontSize')).toBe(20);
  });

  it('S2-2.20 exports all flows and all templates', async () => {
    await openSettings();
    const links = [screen.getByText('All flows'), screen.getByText('All templates')];
    expect(links.map((link) => link.closest('a')?.getAttribute('href'))).toEqual([
      `/api/v1${flowTransfer.exportFlowsByQuery.path}`,
      `/api/v1${templates.exportTemplatesByQuery.path}`,
    ]);
  });

  it('creates an API token, shows it once and revokes it, while authentication is on', async () => {
    const expiring = {
      id: 't1',
      name: 'ci',
      createdAt: '2026-01-01T00:00:00Z',
      expiresAt: '2026-02-01T00:00:00Z',
    };
    let known: tokens.ApiToken[] = [expiring];
    const created = { id: 't2', name: 'deploy', createdAt: '2026-01-02T00:00:00Z' };
    const seen = fakeServer(
      reply(flows.listNamespaces, () => []),
      reply(product.getConfiguration, () => aConfiguration({ isBasicAuthEnabled: true })),
      reply(tokens.listTokens, () => ({ results: known })),
      reply(tokens.createToken, () => {
        known = [created, expiring];
        return { ...created, token: 'mlr_t2_secret' };
      }),
      reply(tokens.revokeToken, ({ params }) => {
        known = known.filter(({ id }) => id !== params.tokenId);
        return undefined;
      }),
    );
    const { user } = renderAt('/settings');
    await user.click(await screen.findByRole('button', { name: 'Create token' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/^Name/), 'deploy');
    await user.click(dialog.getByRole('button', { name: 'Create token' }));
    await screen.findByText('mlr_t2_secret');
    const [request] = seen.to(tokens.createToken);
    expect(JSON.parse(String(request?.body))).toEqual({ name: 'deploy', expiresAt: expect.any(String) });
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await screen.findByText('Never expires');
    expect(screen.queryByText('mlr_t2_secret')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Revoke: ci' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }));
    await screen.findByText('Token ci revoked');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Revoke: ci' })).toBeNull());
  });

  it('S1-4.26 S1-4.27 S1-4.28 S1-8.15 asks before changes are lost', async () => {
    const { user, href, save } = await openSettings();
    await user.type(field('Environment name'), 'prod');
    const leave = () => user.click(screen.getByText('Flows'));
    await leave();
    await screen.findByText('You have unsaved changes, do you want to leave this page?');
    await user.click(screen.getByText('Stay'));
    expect(href()).toBe('/settings');
    await save();
    await leave();
    await screen.findByRole('heading', { level: 1, name: 'Flows' });
  });
});
