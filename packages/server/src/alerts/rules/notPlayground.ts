import { playgroundLabel } from '@millrace/contract';
import type { Filter } from '@millrace/store';

/** Playground executions need no operator. */
export const notPlayground: Filter = {
  field: 'labels',
  operation: 'NOT_EQUALS',
  value: { [playgroundLabel.key]: playgroundLabel.value },
};
