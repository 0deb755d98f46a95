/**
 * Columns in the order of their encoders' values. Imports nothing, because the threads load it at every
 * start.
 */
export const executionColumns = [
  'id',
  'tenant_id',
  'namespace',
  'flow_id',
  'flow_revision',
  'state',
  'start_date',
  'end_date',
  'duration',
  'closed_at',
  'parent_id',
  'trigger_execution_id',
  'unique_key',
  'version',
  'data',
  'origin',
] as const;

/** The columns that every update of an execution writes. */
export const executionUpdateColumns = [
  'flow_revision',
  'state',
  'end_date',
  'duration',
  'closed_at',
  'parent_id',
  'data',
] as const;

/** The columns that an update also writes when the execution's inputs or trigger changed. */
export const executionOriginColumns = ['trigger_execution_id', 'origin'] as const;

export const taskRunColumns = [
  'execution_id',
  'id',
  'task_id',
  'state',
  'start_date',
  'duration',
  'data',
] as const;

export const logColumns = [
  'tenant_id',
  'namespace',
  'flow_id',
  'execution_id',
  'task_id',
  'task_run_id',
  'attempt',
  'trigger_id',
  'at',
  'level',
  'thread',
  'message',
] as const;

/** The columns that the full text of a log entry is made of. */
export const logTextColumns = [
  'namespace',
  'flow_id',
  'task_id',
  'execution_id',
  'task_run_id',
  'trigger_id',
  'thread',
  'message',
] as const;

export const metricColumns = [
  'namespace',
  'flow_id',
  'execution_id',
  'task_id',
  'task_run_id',
  'name',
  'at',
  'value',
  'data',
] as const;

export const flowColumns = [
  'namespace',
  'id',
  'revision',
  'tenant_id',
  'source',
  'description',
  'labels',
  'disabled',
  'deleted',
  'updated_at',
  'search',
  'source_search',
  'author',
  'message',
] as const;

export const triggerColumns = [
  'namespace',
  'flow_id',
  'trigger_id',
  'next_at',
  'disabled',
  'execution_id',
  'updated_at',
  'type',
  'search',
  'worker_group',
  'data',
] as const;

export const windowColumns = [
  'namespace',
  'flow_id',
  'trigger_id',
  'condition_id',
  'version',
  'data',
] as const;

export const sessionColumns = ['id', 'username', 'created_at', 'ends_at'] as const;
export const sessionTokenColumns = ['hash', 'session_id', 'kind', 'expires_at'] as const;

export const flowEventColumns = [
  'execution_id',
  'position',
  'namespace',
  'flow_id',
  'trigger_id',
  'at',
] as const;

export const kvColumns = [
  'namespace',
  'key',
  'type',
  'value',
  'description',
  'created_at',
  'updated_at',
  'expires_at',
  'version',
  'search',
] as const;

/** The assignments when a new value replaces a stored entry. An expired entry starts over as a new one. */
export const replaceKv = `type = excluded.type, value = excluded.value, description = excluded.description,
  created_at = CASE WHEN kv.expires_at <= excluded.updated_at THEN excluded.created_at ELSE kv.created_at END,
  updated_at = excluded.updated_at, expires_at = excluded.expires_at, version = kv.version + 1, search = excluded.search`;

export const dashboardColumns = ['id', 'title', 'created_at', 'updated_at', 'search', 'data'] as const;
export const flowTestColumns = [
  'namespace',
  'id',
  'version',
  'flow_id',
  'flow_revision',
  'deleted',
  'updated_at',
  'data',
] as const;
export const templateColumns = ['namespace', 'id', 'updated_at', 'search', 'data'] as const;
export const documentColumns = ['kind', 'id', 'parent', 'at', 'version', 'data'] as const;

/** The assignments when a record replaces a stored one. */
export const replaceDocument =
  'parent = excluded.parent, at = excluded.at, version = documents.version + 1, data = excluded.data';
