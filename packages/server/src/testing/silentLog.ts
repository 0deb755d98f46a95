import type { LogLevelName, ProcessLog } from '../processLog.ts';

/** Says nothing, but has a level that can be changed. */
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

/** Says nothing, for tests that provoke errors on purpose. */
export const silentLog: ProcessLog = aSilentLog();
