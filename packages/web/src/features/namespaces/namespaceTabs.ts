const upsells = ['edit', 'variables', 'plugin-defaults', 'history', 'audit-logs'] as const;

export const namespaceTabs = [
  'overview',
  'flows',
  'executions',
  'dependencies',
  'files',
  'kv',
  'secrets',
  ...upsells,
] as const;
export type NamespaceTab = (typeof namespaceTabs)[number];

/** What this edition only describes. */
export const isUpsellTab = (tab: NamespaceTab): tab is (typeof upsells)[number] =>
  upsells.some((name) => name === tab);
