import { pino } from 'pino';

/** What the process says about itself; the logs of executions are data and live in the store. */
export interface ProcessLog {
  debug(message: string, details?: LogDetails): void;
  info(message: string, details?: LogDetails): void;
  warn(message: string, details?: LogDetails): void;
  error(message: string, details?: LogDetails): void;
}

export type LogDetails = Readonly<Record<string, unknown>>;

/** One JSON line per entry on standard error, written at once: the last lines before a crash are the precious ones. */
export function openProcessLog(level: 'debug' | 'info' | 'warn' | 'error'): ProcessLog {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: pino.stdSerializers.err },
    },
    pino.destination({ fd: 2, sync: true }),
  );
  return {
    debug: (message, details) => logger.debug(details ?? {}, message),
    info: (message, details) => logger.info(details ?? {}, message),
    warn: (message, details) => logger.warn(details ?? {}, message),
    error: (message, details) => logger.error(details ?? {}, message),
  };
}
