import { openInspector, type StoreConfig, type StoreInspection } from '@millrace/store';
import type { Config } from '../../config/schema.ts';
import { describeRepair, withRepairHint } from '../damagedDatabase.ts';
import type { Check, Finding } from './check.ts';

export const storeConfigOf = (config: Config): StoreConfig =>
  config.database.url === undefined
    ? { kind: 'sqlite', folder: config.data }
    : { kind: 'postgres', url: config.database.url };

async function inspect(config: Config): Promise<StoreInspection> {
  const inspector = await openInspector(storeConfigOf(config));
  return inspector.inspect().finally(() => inspector.close());
}

export const checkDatabase: Check = async ({ config }) => {
  const kind = config.database.url === undefined ? 'SQLite' : 'PostgreSQL';
  const { schema, knownSchema, isKnown, problems, executions } = await inspect(config).catch(
    async (error: unknown) => {
      throw await withRepairHint(error, config);
    },
  );
  const about = (status: Finding['status'], message: string): Finding => ({
    check: 'database',
    status,
    message,
  });
  if (schema === 0) return [about('ok', `${kind}: nothing there yet; the first start makes it.`)];
  const findings = problems.map((problem) => about('failed', `${kind} is damaged: ${problem}`));
  if (findings.length > 0 && kind === 'SQLite') findings.push(about('failed', await describeRepair(config)));
  if (schema > knownSchema) {
    findings.push(
      about('failed', `Schema ${schema} is newer than ${knownSchema}, the newest one this release knows.`),
    );
  }
  if (schema < knownSchema && !isKnown) {
    findings.push(
      about('failed', `Schema ${schema} is of an unreleased version; this release cannot upgrade it.`),
    );
  } else if (schema < knownSchema) {
    findings.push(
      about(
        'ok',
        `Schema ${schema}; the next start brings it to ${knownSchema}. A backup before that does no harm.`,
      ),
    );
  }
  if (findings.length > 0) return findings;
  return [about('ok', `${kind}, schema ${schema}, sound, ${executions} executions.`)];
};

const namesShown = 5;

/** They never keep a server from starting; it shows them with a label, so that they can be removed. */
export const checkDocuments: Check = async ({ config }) => {
  const inspector = await openInspector(storeConfigOf(config));
  const found = await inspector.unreadable().finally(() => inspector.close());
  const about = (status: Finding['status'], message: string): Finding[] => [
    { check: 'documents', status, message },
  ];
  if (found.length === 0) return about('ok', 'Every stored document can be read.');
  const names = found.slice(0, namesShown).map(({ kind, name }) => `${kind} ${name}`);
  const more = found.length > namesShown ? ' …' : '';
  return about(
    'warning',
    `Damaged and left out by the server, to be deleted in the web app: ${names.join(', ')}${more} (${found.length} in all).`,
  );
};

const skewMs = 5 * 60_000;

export const checkClock: Check = async ({ config, now }) => {
  const { latestAt } = await inspect(config);
  const ahead = latestAt === undefined ? 0 : latestAt - now;
  const message =
    ahead > skewMs
      ? `The clock says ${new Date(now).toISOString()}, but the database has entries of ${new Date(latestAt ?? 0).toISOString()}: it was set back, or another server's clock is ahead.`
      : `The clock says ${new Date(now).toISOString()}; nothing in the database is later.`;
  return [{ check: 'clock', status: ahead > skewMs ? 'warning' : 'ok', message }];
};

const longMs = 24 * 3_600_000;
/** States in which an execution may wait for days. */
const patient = new Set(['PAUSED', 'QUEUED', 'BREAKPOINT']);

export const checkStuck: Check = async ({ config, now }) => {
  const { open, oldestOpen } = await inspect(config);
  const stuck = oldestOpen.filter(({ state, startedAt }) => !patient.has(state) && now - startedAt > longMs);
  const message =
    stuck.length === 0
      ? `${open} executions are under way, none of them for more than a day.`
      : `${stuck.length} executions have been under way for more than a day: ${stuck.map(({ id, state }) => `${id} (${state})`).join(', ')}.`;
  return [{ check: 'executions', status: stuck.length === 0 ? 'ok' : 'warning', message }];
};
