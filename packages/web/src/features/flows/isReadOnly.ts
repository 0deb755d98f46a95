import type { Flow } from '@millrace/contract';

/** A flow can be looked at only when it is deleted or its label says so. */
export const isReadOnly = ({ deleted, labels = [] }: Pick<Flow, 'deleted' | 'labels'>): boolean =>
  deleted || labels.some(({ key, value }) => key === 'system.readOnly' && value === 'true');
