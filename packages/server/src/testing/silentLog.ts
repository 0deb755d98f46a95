import type { LogLevelName, ProcessLog } from '../processLog.ts';

/** A log without output, but with a level that can be changed. */
export function aSilentLog(): ProcessLog {
  let current: LogLevelName = 'info';
  return {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: () => {},
    level: () => current,
    setLevel: (level) => {
      current = level;
    },
  };
}

/** A log without output, for tests that cause errors on purpose. */
export const silentLog: ProcessLog = aSilentLog();
