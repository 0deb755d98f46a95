import type { ProcessLog } from '../processLog.ts';

/** Says nothing, for tests that provoke errors on purpose. */
export const silentLog: ProcessLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
