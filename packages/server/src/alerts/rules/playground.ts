import { playgroundLabel } from '@millrace/contract';
import type { Filter } from '@millrace/store';

const value = { [playgroundLabel.key]: playgroundLabel.value };

export const isPlayground: Filter = { field: 'labels', operation: 'EQUALS', value };
/** Playground executions need no operator. */
export const notPlayground: Filter = { field: 'labels', operation: 'NOT_EQUALS', value };
