import { ActionIcon } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { executionQuery } from '../../api/follow.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import { EmptyState, Loading, Page } from '../../ui/index.ts';
import { ComparedPair } from './ComparedPair.tsx';
import styles from './ComparePage.module.css';
import { CompareSide } from './CompareSide.tsx';
import { lastSuccessQuery } from './queries.ts';
import type { CompareSearch } from './search.ts';

const from = '/{-$tenant}/executions/compare';

/** Two executions side by side: where they began to differ, and every difference after that. */
export function ComparePage() {
  const { t } = useTranslation();
  const search = useSearch({ from });
  const navigate = useNavigate();
  const keep = useCallback(
    (part: Partial<CompareSearch>) =>
      void navigate({ from, to: '.', search: (old) => ({ ...old, ...part }), replace: true }),
    [navigate],
  );
  const { left, right } = search;
  const leftQuery = useQuery({ ...executionQuery(left ?? ''), enabled: left !== undefined });
  const rightQuery = useQuery({ ...executionQuery(right ?? ''), enabled: right !== undefined });
  const success = useDefaultLeft(search, keep);
  // Another execution has other task runs, so the selection of the old one means nothing.
  const choose = (side: Partial<CompareSearch>) => keep({ ...side, at: undefined, part: undefined });
  const flow = rightQuery.data ?? leftQuery.data;
  return (
    <Page
      title={t('compare.title')}
      layout="fill"
      breadcrumb={[
        <Link key="executions" to="/{-$tenant}/executions" search={{}}>
          {t('nav.executions')}
        </Link>,
      ]}
    >
      <div className={styles.page}>
        <div className={styles.sides}>
          <CompareSide
            label={t('compare.left')}
            id={left}
            query={leftQuery}
            flow={leftQuery.data ?? flow}
            onChoose={(id) => choose({ left: id })}
          />
          <Hint label={t('compare.swap')}>
            <ActionIcon
              variant="default"
              size={34}
              aria-label={t('compare.swap')}
              disabled={left === undefined && right === undefined}
              onClick={() => keep({ left: right, right: left })}
            >
              <IconArrowsLeftRight size={16} stroke={1.7} />
            </ActionIcon>
          </Hint>
          <CompareSide
            label={t('compare.right')}
            id={right}
            query={rightQuery}
            flow={flow}
            onChoose={(id) => choose({ right: id })}
          />
        </div>
        {left !== undefined && right !== undefined ? (
          <ComparedPair key={`${left} ${right}`} leftId={left} rightId={right} search={search} keep={keep} />
        ) : success.isPending ? (
          <Loading />
        ) : (
          <EmptyState
            illustration="stillWater"
            title={t(success.isMissing ? 'compare.noSuccess' : 'compare.choose')}
            text={t(success.isMissing ? 'compare.noSuccessText' : 'compare.chooseText')}
          />
        )}
      </div>
    </Page>
  );
}

/** A page that is opened with one execution compares it with the last successful run of its flow. */
function useDefaultLeft({ left, right }: CompareSearch, keep: (part: Partial<CompareSearch>) => void) {
  const isAsked = right !== undefined && left === undefined;
  const { data: execution, isError } = useQuery({ ...executionQuery(right ?? ''), enabled: isAsked });
  const query = useQuery(lastSuccessQuery(isAsked ? execution : undefined));
  const found = isAsked ? query.data?.id : undefined;
  useEffect(() => {
    if (found !== undefined) keep({ left: found });
  }, [found, keep]);
  return {
    isPending: isAsked && !isError && !query.isError && query.data !== null,
    isMissing: isAsked && query.data === null,
  };
}
