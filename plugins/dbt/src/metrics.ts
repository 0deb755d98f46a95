import type { MetricInfo } from '@millrace/plugin-kit';

const counter = (name: string, description: string): MetricInfo => ({ name, type: 'counter', description });

export const metrics: readonly MetricInfo[] = [
  counter('log.stats.success', 'How many nodes succeeded, as the log says.'),
  counter('log.stats.warn', 'How many nodes warned.'),
  counter('log.stats.error', 'How many nodes failed.'),
  counter('rows.affected', 'How many rows a node changed, where the database counts them.'),
  counter('bytes.processed', 'How many bytes a node read, where the database counts them.'),
];
