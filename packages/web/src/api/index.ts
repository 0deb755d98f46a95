export { ApiError } from './ApiError.ts';
export { call, urlOf } from './call.ts';
export { executionQuery, logsQuery, useFollowedExecution, useFollowedLogs } from './follow.ts';
export { currentTenant } from './tenant.ts';
