import { ActionIcon, NativeSelect } from '@mantine/core';
import { flowGrid, isTerminal } from '@millrace/contract';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import {
  BrokenPart,
  EmptyState,
  Loading,
  RefreshButtons,
  refreshMs,
  useAutoRefresh,
} from '../../ui/index.ts';
import { GridTable, type OpenedCell } from './GridTable.tsx';
import styles from './grid.module.css';

const sizes = [10, 25, 50, 100];
const defaultSize = 25;

interface FlowGridViewProps {
  readonly namespace: string;
  readonly id: string;
  /** Counted from 1; the first page has the newest executions. */
  readonly page: number | undefined;
  readonly size: number | undefined;
  onPage(place: { page: number | undefined; size: number | undefined }): void;
}

/** The last executions of a flow as columns, its tasks as rows, and their states as cells. */
export function FlowGridView({ namespace, id, page = 1, size = defaultSize, onPage }: FlowGridViewProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const router = useRouter();
  const auto = useAutoRefresh();
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(() => new Set());
  const { data, error, refetch } = useQuery(flowGridQuery({ namespace, id, page, size }, auto.on));
  if (!data) return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  if (data.total === 0)
    return <EmptyState illustration="stillWater" title={t('flow.neverRan')} text={t('flow.neverRanText')} />;

  const pages = Math.max(1, Math.ceil(data.total / size));
  const go = (next: number, nextSize = size) =>
    onPage({
      page: next === 1 ? undefined : next,
      size: nextSize === defaultSize ? undefined : nextSize,
    });
  const open = ({ executionId, taskRunId }: OpenedCell, inNewTab: boolean) => {
    const target = {
      to: '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}',
      params: { namespace, flowId: id, id: executionId, tab: taskRunId === undefined ? undefined : 'gantt' },
      search: { taskRunId },
    } as const;
    if (inNewTab) window.open(router.buildLocation(target).href, '_blank', 'noopener');
    else void navigate(target);
  };
  const first = (page - 1) * size + 1;
  return (
    <div className={styles.view}>
      <div className={styles.toolbar}>
        <span className={styles.range}>
          {t('grid.range', {
            first: formatNumber(Math.min(first, data.total)),
            last: formatNumber(Math.min(page * size, data.total)),
            total: formatNumber(data.total),
          })}
          {data.executions.some(({ isPartial }) => isPartial) && ` · ${t('grid.partial')}`}
        </span>
        <ActionIcon.Group>
          <Hint label={t('grid.older')}>
            <ActionIcon
              variant="default"
              size={34}
              disabled={page >= pages}
              aria-label={t('grid.older')}
              onClick={() => go(page + 1)}
            >
              <IconChevronLeft size={16} />
            </ActionIcon>
          </Hint>
          <Hint label={t('grid.newer')}>
            <ActionIcon
              variant="default"
              size={34}
              disabled={page <= 1}
              aria-label={t('grid.newer')}
              onClick={() => go(page - 1)}
            >
              <IconChevronRight size={16} />
            </ActionIcon>
          </Hint>
        </ActionIcon.Group>
        <NativeSelect
          size="sm"
          aria-label={t('grid.size')}
          value={String(size)}
          data={sizes.map((value) => ({ value: String(value), label: t('grid.last', { number: value }) }))}
          onChange={(event) => go(1, Number(event.currentTarget.value))}
        />
        <RefreshButtons auto={auto} onRefresh={() => void refetch()} />
      </div>
      <GridTable grid={data} collapsed={collapsed} onCollapse={setCollapsed} onOpen={open} />
    </div>
  );
}

interface GridQuestion {
  readonly namespace: string;
  readonly id: string;
  readonly page: number;
  readonly size: number;
}

/** While something runs the grid is read often. */
const liveMs = 2_000;

const flowGridQuery = ({ namespace, id, page, size }: GridQuestion, isLive: boolean) =>
  queryOptions({
    queryKey: ['executions', currentTenant(), 'grid', namespace, id, page, size],
    queryFn: ({ signal }) =>
      call(flowGrid.getFlowGrid, { params: { namespace, id }, query: { page, size }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (!isLive) return false;
      const moves = state.data?.executions.some((execution) => !isTerminal(execution.state.current));
      return moves ? liveMs : refreshMs;
    },
  });
