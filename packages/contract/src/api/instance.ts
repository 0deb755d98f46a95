import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { MaintenanceView } from '../maintenance.ts';

/** Who did something and when; `by` is absent while authentication is off. */
const Signature = z.object({ by: z.string().optional(), at: z.iso.datetime() });

export const RunningTask = z.object({
  executionId: z.string(),
  /** Absent when the execution was deleted meanwhile. */
  namespace: z.string().optional(),
  flowId: z.string().optional(),
  taskRunId: z.string(),
  taskId: z.string(),
  type: z.string(),
  attempt: z.number().int(),
  startedAt: z.iso.datetime(),
});
export type RunningTask = z.infer<typeof RunningTask>;

export const InstanceServer = z.object({
  id: z.string(),
  /** Whether this server has sent the response. */
  isSelf: z.boolean(),
  state: z.enum(['RUNNING', 'DRAINING', 'LOST']),
  roles: z.array(z.string()),
  workerGroup: z.string().optional(),
  version: z.string().optional(),
  host: z.string().optional(),
  pid: z.number().int().optional(),
  logLevel: z.string().optional(),
  startedAt: z.iso.datetime(),
  heartbeatAt: z.iso.datetime(),
  drain: Signature.optional(),
  /** Present when the server runs tasks. */
  worker: z
    .object({
      slots: z.number().int(),
      running: z.number().int(),
      waiting: z.number().int(),
      /** The tasks that run longest; `running` counts all. */
      tasks: z.array(RunningTask),
    })
    .optional(),
});
export type InstanceServer = z.infer<typeof InstanceServer>;

const Waiting = z.object({ waiting: z.number().int(), oldestAt: z.iso.datetime().optional() });

/** Counts stop at 10,000. */
export const InstanceQueues = z.object({
  /** Executions that wait for a concurrency slot of their flow, the longest queue first; at most 100 flows. */
  limits: z.array(
    Waiting.extend({ namespace: z.string(), flowId: z.string(), limit: z.number().int().optional() }),
  ),
  /** Tasks that wait for a worker. */
  tasks: z.array(Waiting.extend({ name: z.string() })),
  /** Commands and results for servers that own executions. */
  commands: Waiting,
  /** State changes that flow triggers have not evaluated yet. */
  flowEvents: Waiting,
  /** Alert messages to send. */
  alerts: Waiting,
});
export type InstanceQueues = z.infer<typeof InstanceQueues>;

export const InstanceScheduler = z.object({
  paused: Signature.optional(),
  /** Triggers whose date has passed, up to 1,000. */
  overdue: z.number().int(),
  /** How late the most overdue trigger is. */
  latenessMs: z.number(),
  next: z.array(
    z.object({
      namespace: z.string(),
      flowId: z.string(),
      triggerId: z.string(),
      nextAt: z.iso.datetime(),
    }),
  ),
});
export type InstanceScheduler = z.infer<typeof InstanceScheduler>;

const DiskForecast = z.object({
  /** Sizes over the last 30 days, at most 60. */
  samples: z.array(
    z.object({ at: z.iso.datetime(), usedBytes: z.number(), databaseBytes: z.number().optional() }),
  ),
  /** Absent until there are samples of 6 hours. */
  growthBytesPerDay: z.number().optional(),
  /** When the disk is full at this rate; absent when it does not grow. */
  fullAt: z.iso.datetime().optional(),
});

const Status = z.enum(['UP', 'DOWN']);
export const InstanceHealth = z.object({
  database: z.object({
    status: Status,
    kind: z.enum(['SQLite', 'PostgreSQL']),
    version: z.string().optional(),
    migration: z.number().int().optional(),
    sizeBytes: z.number().optional(),
    walBytes: z.number().optional(),
    connections: z.object({ used: z.number().int(), max: z.number().int() }).optional(),
    latencyMs: z.number().optional(),
    error: z.string().optional(),
  }),
  storage: z.object({
    status: Status,
    type: z.string(),
    writeMs: z.number().optional(),
    readMs: z.number().optional(),
    /** From the last sample; at least this much when `isPartial`. */
    sizeBytes: z.number().optional(),
    isPartial: z.boolean().optional(),
    error: z.string().optional(),
  }),
  /** The disk of the data folder of the responding server. */
  disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }).optional(),
  forecast: DiskForecast,
  /** The disks of the data folders of the other machines, by their last samples of this day. */
  otherDisks: z.array(
    z.object({
      host: z.string(),
      at: z.iso.datetime(),
      freeBytes: z.number(),
      totalBytes: z.number(),
      forecast: DiskForecast,
    }),
  ),
});
export type InstanceHealth = z.infer<typeof InstanceHealth>;

export const SlowQueryView = z.object({
  /** The id and the machine of the server that ran it. */
  server: z.string(),
  host: z.string(),
  /** With placeholders instead of values. */
  statement: z.string(),
  count: z.number().int(),
  maxMs: z.number(),
  averageMs: z.number(),
  lastAt: z.iso.datetime(),
});

/** `keepMs` is absent for data that is kept forever. */
export const InstanceRetention = z.object({
  enabled: z.boolean(),
  everyMs: z.number(),
  rules: z.array(
    z.object({
      /** With its children; absent for all namespaces without a rule. */
      namespace: z.string().optional(),
      keepMs: z.number().optional(),
      /** Executions that the next run removes, up to 1,000. */
      expired: z.number().int(),
    }),
  ),
  lastRun: z
    .object({
      at: z.iso.datetime(),
      executions: z.number().int(),
      logs: z.number().int(),
      durationMs: z.number(),
    })
    .optional(),
});
export type InstanceRetention = z.infer<typeof InstanceRetention>;

const instanceActions = [
  'maintenance.start',
  'maintenance.end',
  'scheduler.pause',
  'scheduler.resume',
  'worker.drain',
  'worker.resume',
  'logLevel.change',
] as const;
export const InstanceAction = Signature.extend({
  action: z.enum(instanceActions),
  /** The server, the level or the message that the action was about. */
  detail: z.string().optional(),
});
export type InstanceAction = z.infer<typeof InstanceAction>;

const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export const LogLevelView = z.object({
  /** The level of all servers; absent while each uses the level of its configuration. */
  level: z.enum(logLevels).optional(),
  /** The configured level of the responding server. */
  configured: z.enum(logLevels),
});
export type LogLevelView = z.infer<typeof LogLevelView>;

export const listServers = endpoint({
  method: 'GET',
  path: '/instance/servers',
  summary: 'Lists the servers with their roles, heartbeats and running tasks',
  reply: z.object({ results: z.array(InstanceServer) }),
});
export const getQueues = endpoint({
  method: 'GET',
  path: '/instance/queues',
  summary: 'Counts the work that waits',
  reply: InstanceQueues,
});
export const getScheduler = endpoint({
  method: 'GET',
  path: '/instance/scheduler',
  summary: 'Tells whether the scheduler is paused, and which triggers are due next',
  reply: InstanceScheduler,
});
export const getHealth = endpoint({
  method: 'GET',
  path: '/instance/health',
  summary: 'Checks database and storage, and forecasts the disk space',
  reply: InstanceHealth,
});
export const listSlowQueries = endpoint({
  method: 'GET',
  path: '/instance/slow-queries',
  summary: 'Lists the slowest database statements of all servers since their starts',
  reply: z.object({ results: z.array(SlowQueryView) }),
});
export const getRetention = endpoint({
  method: 'GET',
  path: '/instance/retention',
  summary: 'Tells how long data is kept, what has expired, and about the last cleanup',
  reply: InstanceRetention,
});
export const listActions = endpoint({
  method: 'GET',
  path: '/instance/actions',
  summary: 'Lists the actions of operators on the instance, the newest first',
  reply: z.object({ results: z.array(InstanceAction) }),
});
export const getMaintenance = endpoint({
  method: 'GET',
  path: '/instance/maintenance',
  summary: 'Tells whether the instance is in maintenance mode',
  reply: MaintenanceView,
});

export const startMaintenance = endpoint({
  method: 'PUT',
  path: '/instance/maintenance',
  summary:
    'Starts maintenance mode: no executions and no tasks start until it ends, and running tasks finish',
  body: z.object({
    message: z.string().trim().max(500).default(''),
    /** Users may start executions; then the tasks of all running executions start too. */
    allowManual: z.boolean().default(false),
    /** Running executions continue until they end instead of waiting with their next tasks. */
    finishRunning: z.boolean().default(false),
  }),
  reply: MaintenanceView,
});
export const endMaintenance = endpoint({
  method: 'DELETE',
  path: '/instance/maintenance',
  summary: 'Ends maintenance mode',
  reply: MaintenanceView,
});

export const pauseScheduler = endpoint({
  method: 'POST',
  path: '/instance/scheduler/pause',
  summary: 'Pauses schedules and polling triggers on all servers',
  reply: InstanceScheduler,
});
export const resumeScheduler = endpoint({
  method: 'POST',
  path: '/instance/scheduler/resume',
  summary: 'Resumes schedules and polling triggers',
  reply: InstanceScheduler,
});

export const drainWorker = endpoint({
  method: 'POST',
  path: '/instance/servers/{id}/drain',
  summary: 'Drains a worker: it takes no new tasks, and running ones finish',
  params: z.object({ id: z.string() }),
  reply: InstanceServer,
});
export const resumeWorker = endpoint({
  method: 'POST',
  path: '/instance/servers/{id}/resume',
  summary: 'Lets a drained worker take tasks again',
  params: z.object({ id: z.string() }),
  reply: InstanceServer,
});

export const getLogLevel = endpoint({
  method: 'GET',
  path: '/instance/log-level',
  summary: 'Tells the level of the server logs',
  reply: LogLevelView,
});
export const changeLogLevel = endpoint({
  method: 'PUT',
  path: '/instance/log-level',
  summary: 'Changes the level of the logs of all servers; null restores the configured level',
  body: z.object({ level: z.enum(logLevels).nullable() }),
  reply: LogLevelView,
});
