import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { MaintenanceView } from '../maintenance.ts';
import { DailyExecutionStatistics } from '../statistics.ts';

const Named = z.object({ name: z.string(), value: z.string() });

/** Which fields each list can be filtered by, and how: `name` for texts, `value` for queries. */
export const ResourceFilters = z.object({
  name: z.string(),
  fields: z.array(Named.extend({ operations: z.array(Named) })),
});
export type ResourceFilters = z.infer<typeof ResourceFilters>;

export const Configuration = z.looseObject({
  uuid: z.string(),
  version: z.string(),
  commitId: z.string().optional(),
  commitDate: z.string().optional(),
  environment: z.object({ name: z.string().optional(), color: z.string().optional() }).optional(),
  url: z.string().optional(),
  /** The server of news and documentation; by default this server. */
  providerUrl: z.string().optional(),
  edition: z.string(),
  isCustomDashboardsEnabled: z.boolean(),
  isBasicAuthEnabled: z.boolean(),
  isAnonymousUsageEnabled: z.boolean(),
  isTaskRunEnabled: z.boolean(),
  isTemplateEnabled: z.boolean(),
  /** Schedules, triggers and open executions wait until an operator ends the quiet start. */
  isQuietStart: z.boolean().optional(),
  /** Present during maintenance. */
  maintenance: MaintenanceView.optional(),
  systemNamespace: z.string(),
  hiddenLabelsPrefixes: z.array(z.string()),
  /** How many rows of a file are shown at first, and at most. */
  preview: z.object({ initial: z.number().int(), max: z.number().int() }),
  resourceToFilters: z.array(ResourceFilters),
});
export type Configuration = z.infer<typeof Configuration>;

export const getConfiguration = endpoint({
  method: 'GET',
  path: '/configs',
  // The sign-in page needs it.
  access: 'anyone',
  summary: 'Reads what the web app needs to know of the server',
  reply: Configuration,
});

const Counts = z.record(z.string(), z.number().int());

/** How much the instance is used. Nothing of it leaves the machine by itself. */
export const Usage = z.looseObject({
  uuid: z.string(),
  startUuid: z.string(),
  instanceUuid: z.string(),
  serverType: z.string(),
  version: z.string(),
  zoneId: z.string(),
  uri: z.string().optional(),
  environments: z.array(z.string()).optional(),
  startTime: z.string(),
  host: z.object({
    uuid: z.string(),
    hardware: z.object({
      logicalProcessorCount: z.number().int(),
      physicalProcessorCount: z.number().int(),
      maxFreq: z.number(),
      memory: z.number(),
      knownVmMacAddr: z.boolean(),
      knownDockerMacAddr: z.boolean(),
    }),
    os: z.object({
      family: z.string(),
      version: z.string(),
      codeName: z.string(),
      buildNumber: z.string(),
    }),
    jvm: z.object({ name: z.string(), vendor: z.string(), version: z.string() }),
  }),
  configurations: z.object({
    repositoryType: z.string(),
    queueType: z.string(),
    storageType: z.string(),
    secretType: z.string().optional(),
  }),
  plugins: z.array(z.object({ manifest: z.record(z.string(), z.string()) })),
  flows: z.object({
    count: z.number().int(),
    namespacesCount: z.number().int(),
    taskTypeCount: Counts,
    triggerTypeCount: Counts,
    taskRunnerTypeCount: Counts,
  }),
  executions: z.object({
    dailyExecutionsCount: z.array(DailyExecutionStatistics),
    dailyTaskRunsCount: z.array(DailyExecutionStatistics).optional(),
  }),
});
export type Usage = z.infer<typeof Usage>;

/** The configuration is checked at the start, so a server that runs has nothing to report. */
export const listBasicAuthErrors = endpoint({
  method: 'GET',
  path: '/basicAuthValidationErrors',
  summary: 'Lists what is wrong with the configured user name and password',
  reply: z.array(z.string()),
});

export const listExpressionFilters = endpoint({
  method: 'GET',
  path: '/pebble/filters',
  summary: 'Lists the names of the filters that expressions may use',
  reply: z.array(z.string()),
});

export const listExpressionFunctions = endpoint({
  method: 'GET',
  path: '/pebble/functions',
  summary: 'Lists the functions that expressions may use, with their arguments',
  reply: z.array(z.object({ name: z.string(), arguments: z.array(z.object({ name: z.string() })) })),
});

export const getUsage = endpoint({
  method: 'GET',
  path: '/usages/all',
  summary: 'Reads how much this instance is used: flows, types, executions since yesterday',
  reply: Usage,
});
