import { pino } from 'pino';

/** The log of the process itself; the logs of executions are data and live in the store. */
export interface ProcessLog {
  debug(message: string, details?: LogDetails): void;
  info(message: string, details?: LogDetails): void;
  warn(message: string, details?: LogDetails): void;
  error(message: string, details?: LogDetails): void;
  /** From which level on entries are written. */
  level(): LogLevelName;
  setLevel(level: LogLevelName): void;
}

export const logLevelNames = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevelName = (typeof logLevelNames)[number];

export type LogDetails = Readonly<Record<string, unknown>>;

/** One JSON line per entry on stderr, written synchronously so that no line is lost in a crash. */
export function openProcessLog(level: LogLevelName): ProcessLog {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: serializeError },
    },
    pino.destination({ fd: 2, sync: true }),
  );
  return {
    debug: (message, details) => logger.debug(details ?? {}, message),
    info: (message, details) => logger.info(details ?? {}, message),
    warn: (message, details) => logger.warn(details ?? {}, message),
    error: (message, details) => logger.error(details ?? {}, message),
    // `as`: only levels of ours are ever set.
    level: () => logger.level as LogLevelName,
    setLevel: (wanted) => {
      logger.level = wanted;
    },
  };
}

/** Adds the messages of the causes: our messages end with a period, which must not stand before the colon. */
function serializeError(error: Error): unknown {
  const serialized = pino.stdSerializers.err(error);
  return error instanceof Error
    ? { ...serialized, message: serialized.message.replaceAll('.: ', ': ') }
    : serialized;
}
