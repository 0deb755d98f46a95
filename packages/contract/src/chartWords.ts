/** The fields of each kind of data that charts are made of, as dashboards name them. */
export const chartFields = {
  executions: [
    'ID',
    'NAMESPACE',
    'FLOW_ID',
    'FLOW_REVISION',
    'STATE',
    'DURATION',
    'LABELS',
    'START_DATE',
    'END_DATE',
  ],
  logs: [
    'NAMESPACE',
    'FLOW_ID',
    'EXECUTION_ID',
    'TASK_ID',
    'DATE',
    'TASK_RUN_ID',
    'ATTEMPT_NUMBER',
    'TRIGGER_ID',
    'LEVEL',
    'MESSAGE',
  ],
  metrics: [
    'NAMESPACE',
    'FLOW_ID',
    'TASK_ID',
    'EXECUTION_ID',
    'TASK_RUN_ID',
    'TYPE',
    'NAME',
    'VALUE',
    'DATE',
  ],
  flows: ['ID', 'NAMESPACE', 'REVISION'],
  triggers: ['ID', 'NAMESPACE', 'FLOW_ID', 'TRIGGER_ID', 'EXECUTION_ID', 'NEXT_EXECUTION_DATE', 'WORKER_ID'],
} as const;

export const aggregations = ['AVG', 'MAX', 'MIN', 'SUM', 'COUNT'] as const;
export type Aggregation = (typeof aggregations)[number];

/** How a field is compared with a value. */
export const chartComparisons = [
  'CONTAINS',
  'ENDS_WITH',
  'EQUAL_TO',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'IN',
  'IS_FALSE',
  'IS_NOT_NULL',
  'IS_NULL',
  'IS_TRUE',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
  'NOT_EQUAL_TO',
  'NOT_IN',
  'REGEX',
  'STARTS_WITH',
] as const;
