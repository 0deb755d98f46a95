import { arch, cpus, type as osType, version as osVersion, release, totalmem } from 'node:os';
import type { product as contract, Task } from '@millrace/contract';
import { allTasks } from '@millrace/engine';
import type { PluginCatalogue } from '@millrace/plugin-kit';
import type { Store } from '@millrace/store';
import type { Config } from '../config/schema.ts';
import { serverZone } from '../scheduler/zone.ts';
import { presentRuns } from '../views/presentStatistics.ts';
import type { FlowCache } from './flowCache.ts';

interface Parts {
  readonly config: Config;
  readonly instanceId: string;
  readonly version: string;
  readonly store: Store;
  readonly flows: FlowCache;
  readonly catalogue: PluginCatalogue;
  readonly clock: () => number;
}

const dayMs = 86_400_000;
const pageSize = 1_000;

/** The start time of this process, which also identifies the start. */
const startedAt = Date.now() - Math.round(process.uptime() * 1_000);

/** Usage statistics of this instance: only counts, no names given by users. */
export async function readUsage(parts: Parts): Promise<contract.Usage> {
  const { config, instanceId, store, version } = parts;
  const host = cpus();
  return {
    uuid: instanceId,
    startUuid: `${instanceId}-${startedAt}`,
    instanceUuid: instanceId,
    serverType: 'STANDALONE',
    version,
    zoneId: serverZone,
    ...(config.url === undefined ? {} : { uri: config.url }),
    ...(config.environment?.name === undefined ? {} : { environments: [config.environment.name] }),
    startTime: new Date(startedAt).toISOString(),
    host: {
      uuid: instanceId,
      hardware: {
        logicalProcessorCount: host.length,
        physicalProcessorCount: host.length,
        maxFreq: Math.max(0, ...host.map(({ speed }) => speed)) * 1_000_000,
        memory: totalmem(),
        knownVmMacAddr: false,
        knownDockerMacAddr: false,
      },
      os: { family: osType(), version: release(), codeName: arch(), buildNumber: osVersion() },
      // Existing clients know the runtime under this name.
      jvm: { name: 'Node.js', vendor: 'OpenJS Foundation', version: process.version },
    },
    configurations: {
      repositoryType: config.database.url === undefined ? 'sqlite' : 'postgres',
      queueType: config.database.url === undefined ? 'sqlite' : 'postgres',
      storageType: 'local',
      secretType: 'environment',
    },
    plugins: parts.catalogue.plugins.map(({ name, version: of }) => ({ manifest: { name, version: of } })),
    flows: await countFlows(parts),
    executions: await countRuns(parts, store),
  };
}

async function countFlows({ store, flows, catalogue }: Parts): Promise<contract.Usage['flows']> {
  const namespaces = new Set<string>();
  const [tasks, triggers, runners] = [new Counter(), new Counter(), new Counter()];
  const nameOf = (type: string): string => catalogue.find(type)?.type ?? type;
  let count = 0;
  for (let page = 1; ; page++) {
    const { results } = await store.listFlows({ page, size: pageSize, filters: [] });
    for (const record of results) {
      const { flow } = flows.read(record);
      count++;
      namespaces.add(flow.namespace);
      for (const task of allTasks(flow)) {
        tasks.add(nameOf(task.type));
        const runner = runnerOf(task);
        if (runner !== undefined) runners.add(nameOf(runner));
      }
      for (const trigger of flow.triggers ?? []) triggers.add(nameOf(trigger.type));
    }
    if (results.length < pageSize) break;
  }
  return {
    count,
    namespacesCount: namespaces.size,
    taskTypeCount: tasks.counts,
    triggerTypeCount: triggers.counts,
    taskRunnerTypeCount: runners.counts,
  };
}

function runnerOf({ taskRunner }: Task): string | undefined {
  const isTyped = typeof taskRunner === 'object' && taskRunner !== null && 'type' in taskRunner;
  return isTyped && typeof taskRunner.type === 'string' ? taskRunner.type : undefined;
}

class Counter {
  readonly counts: Record<string, number> = {};

  add(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

/** Yesterday and today, by day. */
async function countRuns({ clock }: Parts, store: Store): Promise<contract.Usage['executions']> {
  const now = clock();
  const query = {
    from: now - dayMs,
    to: now + 1,
    width: 'day',
    timeZone: serverZone,
    filters: [],
  } as const;
  const [executions, taskRuns] = await Promise.all([
    store.executionStatistics(query),
    store.taskRunStatistics(query),
  ]);
  return {
    dailyExecutionsCount: presentRuns(executions[0]?.buckets ?? [], 'day'),
    dailyTaskRunsCount: presentRuns(taskRuns[0]?.buckets ?? [], 'day'),
  };
}
