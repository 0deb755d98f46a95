import {
  calendar,
  flows,
  logs,
  type ScheduleDates,
  type TriggerWithDefinition,
  triggers,
} from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { aFlowWithSource } from '../../testing/factories.ts';
import { fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// The page is large: its first load is not part of a test's time.
beforeAll(async () => void (await import('./TriggerListPage.tsx')));

const key = { namespace: 'shop.orders', flowId: 'nightly', triggerId: 'daily' };
const aTrigger = (
  changes: Partial<TriggerWithDefinition['triggerContext']> = {},
  definition: TriggerWithDefinition['abstractTrigger'] | null = {
    id: 'daily',
    type: 'core.trigger.Schedule',
    cron: '0 2 * * *',
  },
): TriggerWithDefinition => ({
  ...(definition && { abstractTrigger: definition }),
  triggerContext: { ...key, disabled: false, ...changes },
});
const serve = (row: TriggerWithDefinition, ...routes: Parameters<typeof fakeServer>) =>
  fakeServer(
    reply(flows.listNamespaces, () => ['shop.orders']),
    reply(triggers.searchTriggers, () => ({ results: [row], total: 1 })),
    reply(flows.getFlow, () => aFlowWithSource()),
    reply(logs.searchLogs, () => ({ results: [], total: 0 })),
    ...routes,
  );
const bodyOf = (request: { body: unknown } | undefined): unknown => JSON.parse(String(request?.body));

describe('list of triggers', () => {
  it('S1-2.1.29 S2-3.9 S2-2.15 S2-4f.7 shows what a trigger remembers and switches it off', async () => {
    const server = serve(
      aTrigger({ nextExecutionDate: '2026-03-02T02:00:00Z' }),
      reply(triggers.updateTrigger, () => ({ ...key, disabled: true })),
    );
    const { user } = renderAt('/admin/triggers');
    await screen.findByText('0 2 * * *');
    await user.click(screen.getByRole('switch', { name: 'Enable daily' }));
    await screen.findByText('daily is disabled');
    expect(bodyOf(server.to(triggers.updateTrigger)[0])).toEqual({ ...key, disabled: true });
  });

  it('warns when the flow no longer exists instead of offering the switch', async () => {
    serve(aTrigger({}, null));
    renderAt('/admin/triggers');
    await screen.findByRole('img', { name: /no longer exists/ });
    expect(screen.queryByRole('switch')).toBeNull();
  });

  it('says of one that cannot be read why, and offers to delete it', async () => {
    serve(aTrigger({ exception: 'The trigger "daily" is stored, but cannot be read: it is no document.' }));
    const { user } = renderAt('/admin/triggers');
    await screen.findByRole('img', { name: /cannot be read/ });
    expect(screen.queryByRole('switch')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'More actions for daily' }));
    await screen.findByRole('menuitem', { name: 'Reset state' });
  });

  it('S2-2.13 S2-4f.8 unlocks after a warning', async () => {
    const server = serve(
      aTrigger({ executionId: 'exec1' }),
      reply(triggers.unlockTrigger, () => ({ ...key, disabled: false })),
    );
    const { user } = renderAt('/admin/triggers');
    await user.click(await screen.findByRole('button', { name: 'More actions for daily' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Unlock' }));
    const dialog = within(await screen.findByRole('dialog'));
    dialog.getByText(/last resort/);
    await user.click(dialog.getByRole('button', { name: 'Unlock' }));
    await waitFor(() => expect(server.to(triggers.unlockTrigger)).toHaveLength(1));
  });

  it('S2-2.14 S2-4f.9 restarts after asking', async () => {
    const server = serve(
      aTrigger(),
      reply(triggers.restartTrigger, () => ({ ...key, disabled: false })),
    );
    const { user } = renderAt('/admin/triggers');
    await user.click(await screen.findByRole('button', { name: 'More actions for daily' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Restart' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restart' }));
    await waitFor(() => expect(server.to(triggers.restartTrigger)).toHaveLength(1));
  });

  it('S2-2.17 S2-4f.11 S2-2.16 S2-9.7 a backfill starts empty and goes back from now when that is chosen', async () => {
    const server = serve(
      aTrigger(),
      reply(triggers.updateTrigger, () => ({ ...key, disabled: false })),
    );
    const { user } = renderAt('/admin/triggers');
    await user.click(await screen.findByRole('button', { name: 'Backfill' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Backfill daily' }));
    const run = dialog.getByRole('button', { name: 'Run the backfill' });
    expect(run.hasAttribute('disabled')).toBe(true);
    await user.click(dialog.getByRole('radio', { name: 'Back from now' }));
    await user.click(dialog.getByRole('combobox', { name: /How far back/ }));
    await user.click(await screen.findByRole('option', { name: 'Last 7 days' }));
    await user.click(run);
    await screen.findByText('The backfill of daily has started');
    const { backfill } = bodyOf(server.to(triggers.updateTrigger)[0]) as { backfill: { start: string } };
    const days = (Date.now() - Date.parse(backfill.start)) / 86_400_000;
    expect(days).toBeCloseTo(7, 1);
  });

  it('S2-4f.10 S2-3.2 a paused backfill continues or ends', async () => {
    const backfill = { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z', paused: true };
    const server = serve(
      aTrigger({ backfill }),
      reply(triggers.unpauseBackfill, () => ({ ...key, disabled: false })),
      reply(triggers.deleteBackfill, () => ({ ...key, disabled: false })),
    );
    const { user } = renderAt('/admin/triggers');
    await screen.findByRole('progressbar', { name: 'The backfill is paused' });
    await user.click(screen.getByRole('button', { name: 'Continue the backfill' }));
    await waitFor(() => expect(server.to(triggers.unpauseBackfill)).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'End the backfill' }));
    await waitFor(() => expect(server.to(triggers.deleteBackfill)).toHaveLength(1));
  });

  it('O-9.6 O-9.7 shows how far a backfill is, and what a row of a schedule opens: its next dates and the clock changes', async () => {
    const progress = {
      done: 12,
      total: 31,
      isEstimate: false,
      executions: 10,
      msPerDate: 60_000,
      remainingMs: 1_140_000,
    };
    const backfill = { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z', paused: false, progress };
    serve(
      aTrigger({ backfill, nextExecutionDate: '2026-01-13T02:00:00Z' }),
      reply(
        calendar.listScheduleDates,
        (): ScheduleDates => ({
          timeZone: 'Europe/Paris',
          state: 'backfill',
          dates: [
            { date: '2026-03-28T02:30:00+01:00', isNewOffset: false },
            { date: '2026-03-29T03:00:00+02:00', isNewOffset: true, note: 'skipped', localTime: '02:30' },
          ],
          offsetChanges: [],
        }),
      ),
    );
    const { user } = renderAt('/admin/triggers');
    expect((await screen.findByRole('progressbar')).getAttribute('aria-valuenow')).toBe('39');
    // In the column, and beside the name where a narrow table has no such column.
    expect(screen.getAllByText('12/31 · 19 m')).toHaveLength(2);
    // The date that the backfill is at is no next run.
    screen.getByText('After the backfill');
    expect(screen.queryByText(/ago$/)).toBeNull();
    await user.click(screen.getByRole('button', { name: /details/i }));
    await screen.findByText('Next dates in Europe/Paris');
    screen.getByText('Sun, Mar 29, 2026, 3:00 AM');
    screen.getByText(/UTC offset changes to UTC\+02:00\. 02:30 does not exist on this day/);
    screen.getByText(/waits until the backfill has finished/);
    for (const text of ['12 of 31 dates', 'Executions: 10', 'One date per 1 m', 'about 19 m left'])
      screen.getByText(text);
  });

  it('disables the selected ones in one call, and all matches by the query', async () => {
    const server = fakeServer(
      reply(flows.listNamespaces, () => []),
      reply(triggers.searchTriggers, () => ({ results: [aTrigger()], total: 9 })),
      reply(triggers.setTriggersDisabledByQuery, () => ({ count: 9 })),
    );
    const { user } = renderAt('/admin/triggers?namespace=shop');
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }));
    const toolbar = within(screen.getByRole('toolbar'));
    await user.click(toolbar.getByRole('button', { name: 'Select all 9 matches' }));
    await user.click(await toolbar.findByRole('button', { name: 'Disable' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Disable' }));
    await screen.findByText('9 triggers disabled');
    const [request] = server.to(triggers.setTriggersDisabledByQuery);
    expect(Object.fromEntries(request!.query)).toEqual({ namespace: 'shop', disabled: 'true' });
  });
});
