import type { Execution } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { type Column, Id, Tags } from '../../../ui/index.ts';
import { FlowLink } from '../../flows/index.ts';
import { ExecutionLink } from './ExecutionLink.tsx';
import { ExecutionRowActions } from './ExecutionRowActions.tsx';
import styles from './executionColumns.module.css';
import { stateColumn, timeColumns } from './runColumns.tsx';

interface Options {
  /** Label keys that begin with one of these are the product's own and not shown. */
  hiddenLabels: readonly string[];
  /** Inside a flow's page its name needs no columns. */
  ofOneFlow?: boolean;
}

export function executionColumns(
  t: TFunction,
  { hiddenLabels, ofOneFlow = false }: Options,
): Column<Execution>[] {
  const columns: Column<Execution>[] = [
    stateColumn(t),
    {
      id: 'id',
      header: t('execution.id'),
      cell: ({ id, namespace, flowId }) => (
        <Id value={id} short>
          {(shown) => (
            <ExecutionLink id={id} namespace={namespace} flowId={flowId}>
              {shown}
            </ExecutionLink>
          )}
        </Id>
      ),
      sortField: 'id',
      width: 'clamp(84px, 12cqw, 136px)',
      identifies: true,
    },
    {
      id: 'flow',
      header: t('execution.flow'),
      cell: ({ namespace, flowId }) => <FlowLink namespace={namespace} id={flowId} className={styles.flow} />,
      sortField: 'flowId',
    },
    {
      id: 'namespace',
      header: t('flow.namespace'),
      cell: ({ namespace }) => <span className={styles.quiet}>{namespace}</span>,
      sortField: 'namespace',
      hideBelow: 'md',
    },
    ...timeColumns<Execution>(t),
    {
      id: 'labels',
      header: t('flow.labels'),
      cell: ({ labels }) => (
        <Tags
          items={labels.filter(({ key }) => !hiddenLabels.some((prefix) => key.startsWith(prefix)))}
          max={2}
        />
      ),
      hideBelow: 'xl',
    },
    {
      id: 'trigger',
      header: t('execution.trigger'),
      cell: ({ trigger }) => <span className={styles.quiet}>{trigger?.id ?? t('execution.manual')}</span>,
      width: 120,
      hideBelow: 'lg',
    },
    {
      id: 'revision',
      header: t('flow.revision'),
      cell: ({ flowRevision }) => flowRevision,
      width: 90,
      align: 'right',
      optional: true,
    },
    {
      id: 'actions',
      header: t('table.actions'),
      cell: (execution) => <ExecutionRowActions execution={execution} />,
      width: 56,
      align: 'right',
      hidesHeader: true,
      hideBelow: 'sm',
      identifies: true,
    },
  ];
  return ofOneFlow ? columns.filter(({ id }) => id !== 'flow' && id !== 'namespace') : columns;
}
