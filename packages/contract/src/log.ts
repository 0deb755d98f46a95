import { z } from 'zod';

/** In ascending order: a minimum level includes itself and the levels after it. */
export const logLevels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export const LogLevel = z.enum(logLevels);
export type LogLevel = z.infer<typeof LogLevel>;

export const LogEntry = z.object({
  tenantId: z.string().optional(),
  namespace: z.string(),
  flowId: z.string(),
  taskId: z.string().optional(),
  executionId: z.string().optional(),
  taskRunId: z.string().optional(),
  attemptNumber: z.number().int().nullable(),
  triggerId: z.string().optional(),
  timestamp: z.string(),
  level: LogLevel,
  thread: z.string().optional(),
  message: z.string().optional(),
  deleted: z.boolean(),
});
export type LogEntry = z.infer<typeof LogEntry>;

/** Entries in a row that differ only in their messages. */
export const PackedLogs = z.array(LogEntry.omit({ message: true }).extend({ messages: z.array(z.string()) }));
export type PackedLogs = z.infer<typeof PackedLogs>;

export const unpackLogs = (packed: PackedLogs): LogEntry[] =>
  packed.flatMap(({ messages, ...shared }) => messages.map((message) => ({ ...shared, message })));
