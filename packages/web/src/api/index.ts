export { ApiError } from './ApiError.ts';
export { call, urlOf } from './call.ts';
export { executionQuery, useFollowedExecution } from './followExecution.ts';
export { logsQuery, useFollowedLogs } from './followLogs.ts';
export { currentTenant } from './tenant.ts';
