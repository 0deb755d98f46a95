import { AppError, type Chart, type Dashboard, type DashboardRecord, mainTenant } from '@millrace/contract';
import type { PluginCatalogue } from '@millrace/plugin-kit';
import { Conflict, type Store } from '@millrace/store';
import { unreadable } from '../unreadableRow.ts';
import { chartToDraw } from './chartToDraw.ts';
import { refuseProblems } from './problem.ts';
import { type DashboardDefinition, readDashboard } from './readDashboard.ts';

type Parts = {
  readonly store: Store;
  readonly catalogue: PluginCatalogue;
  readonly clock: () => number;
  readonly newId: () => string;
};

export async function createDashboard(source: string, parts: Parts): Promise<Dashboard> {
  const { id = parts.newId(), ...definition } = fitDashboard(source, parts);
  const now = parts.clock();
  const dashboard = { id, title: definition.title, source, createdAt: now, updatedAt: now };
  try {
    await parts.store.commit([{ op: 'dashboard.put', dashboard, mustBeNew: true }]);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const message = `there is a dashboard "${id}" already`;
    throw new AppError('invalid-entity', `id: ${message}`, { errors: [{ path: 'id', message }] });
  }
  return presentDashboard(dashboard, parts, true);
}

export async function updateDashboard(id: string, source: string, parts: Parts): Promise<Dashboard> {
  const { problem: _, ...before } = await findStored(id, parts);
  const definition = fitDashboard(source, parts);
  if (definition.id !== undefined && definition.id !== id) {
    const message = `"${definition.id}" is not the id "${id}" of this dashboard`;
    throw new AppError('invalid-entity', `id: ${message}`, { errors: [{ path: 'id', message }] });
  }
  const dashboard = { ...before, title: definition.title, source, updatedAt: parts.clock() };
  await parts.store.commit([{ op: 'dashboard.put', dashboard }]);
  return presentDashboard(dashboard, parts, true);
}

export async function deleteDashboard(id: string, parts: Parts): Promise<void> {
  await findStored(id, parts);
  await parts.store.commit([{ op: 'dashboard.delete', id }]);
}

export async function findDashboard(id: string, parts: Pick<Parts, 'store'>): Promise<DashboardRecord> {
  const dashboard = await findStored(id, parts);
  if (dashboard.problem !== undefined)
    throw new AppError('illegal-state', unreadable('dashboard', id, dashboard.problem));
  return dashboard;
}

/** Also finds a dashboard that cannot be read: it can be deleted and saved again. */
async function findStored(id: string, { store }: Pick<Parts, 'store'>): Promise<DashboardRecord> {
  const dashboard = await store.getDashboard(id);
  if (!dashboard) throw new AppError('not-found', `there is no dashboard "${id}"`);
  return dashboard;
}

/** The view of a dashboard; its text only where one is read alone. */
export function presentDashboard(
  { id, source, title, createdAt, updatedAt, problem }: DashboardRecord,
  { catalogue }: Pick<Parts, 'catalogue'>,
  withSource: boolean,
): Dashboard {
  const { definition } = readDashboard(source, catalogue);
  return {
    tenantId: mainTenant,
    id,
    title,
    ...(definition?.description === undefined ? {} : { description: definition.description }),
    timeWindow: { ...(definition?.timeWindow ?? { default: 'P30D', max: 'P366D' }) },
    charts: (definition?.charts ?? []).map((chart) => withDrawing(chart, catalogue)),
    created: new Date(createdAt).toISOString(),
    updated: new Date(updatedAt).toISOString(),
    deleted: false,
    ...(withSource ? { sourceCode: source } : {}),
    ...(problem === undefined ? {} : { exception: unreadable('dashboard', id, problem) }),
  };
}

/** Clients draw only the product's charts; a plugin's chart names the one to draw. */
function withDrawing(chart: Chart, catalogue: Parts['catalogue']): Chart {
  const definition = catalogue.find(chart.type)?.definition;
  if (definition?.kind !== 'chart' || !definition.drawAs) return chart;
  return { ...chart, chartToDraw: chartToDraw(chart, catalogue) };
}

function fitDashboard(source: string, { catalogue }: Parts): DashboardDefinition {
  const { definition, problems } = readDashboard(source, catalogue);
  refuseProblems(problems);
  if (!definition) throw new AppError('invalid-entity', 'the text is not a dashboard');
  return definition;
}
