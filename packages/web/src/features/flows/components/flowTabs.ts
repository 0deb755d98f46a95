export const flowTabs = [
  'overview',
  'topology',
  'executions',
  'edit',
  'revisions',
  'triggers',
  'logs',
  'metrics',
  'dependencies',
  'concurrency',
  'auditlogs',
] as const;
export type FlowTabName = (typeof flowTabs)[number];

/** Tabs that take exactly the height that is left and scroll inside themselves. */
export const fillsPage = (tab: FlowTabName): boolean =>
  tab === 'edit' || tab === 'topology' || tab === 'dependencies';
