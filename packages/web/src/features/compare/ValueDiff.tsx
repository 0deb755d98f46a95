import { Button } from '@mantine/core';
import type { Execution } from '@millrace/contract';
import { diffValues, sameTextIn, type ValueDifference } from '@millrace/engine';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { fileNameOf, isStorageUri } from '../executions/index.ts';
import styles from './ComparedDetail.module.css';
import type { SideIds } from './LogDiff.tsx';

interface Values {
  execution: Execution;
  values: Record<string, unknown>;
}

interface ValueDiffProps {
  left: Values;
  right: Values;
  ids: SideIds;
  /** Also the values that are the same. */
  all: boolean;
}

interface Row {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly difference: ValueDifference;
}

const pageSize = 200;

/** Two trees of values as one: each value beside its counterpart, those that differ in color. */
export function ValueDiff({ left, right, ids, all }: ValueDiffProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(pageSize);
  const differences = useMemo(
    () => diffValues(left.values, right.values, sameTextIn(ids.left, ids.right)),
    [left.values, right.values, ids],
  );
  const rows = useMemo(() => rowsOf(differences, all), [differences, all]);
  if (differences.length === 0) return <p className={styles.quiet}>{t('compare.noValues')}</p>;
  if (rows.length === 0) return <p className={styles.quiet}>{t('compare.sameValues')}</p>;
  return (
    <div className={styles.values}>
      <span className={styles.columnName}>{t('compare.name')}</span>
      <span className={styles.columnName}>{t('compare.left')}</span>
      <span className={styles.columnName}>{t('compare.right')}</span>
      {rows.slice(0, shown).map(({ path, name, depth, difference }) => (
        <div
          key={path}
          className={styles.valueRow}
          data-kind={difference.children ? 'tree' : difference.kind}
        >
          <span className={styles.valueName} style={{ paddingLeft: 8 + depth * 14 }}>
            {name}
          </span>
          <Value side="left" value={difference.left} execution={left.execution} difference={difference} />
          <Value side="right" value={difference.right} execution={right.execution} difference={difference} />
        </div>
      ))}
      {rows.length > shown && (
        <span className={styles.more}>
          <Button size="compact-xs" variant="default" onClick={() => setShown(shown + pageSize * 5)}>
            {t('value.more', { number: formatNumber(rows.length - shown) })}
          </Button>
        </span>
      )}
    </div>
  );
}

function rowsOf(differences: readonly ValueDifference[], all: boolean, above = '', depth = 0): Row[] {
  return differences.flatMap((difference) => {
    if (!all && difference.kind === 'same') return [];
    const path = `${above}/${difference.name}`;
    const below = difference.children ? rowsOf(difference.children, all, path, depth + 1) : [];
    return [{ path, name: difference.name, depth, difference }, ...below];
  });
}

interface ValueProps {
  side: 'left' | 'right';
  value: unknown;
  execution: Execution;
  difference: ValueDifference;
}

function Value({ side, value, execution, difference }: ValueProps) {
  const { t } = useTranslation();
  if (difference.children) return <span className={styles.value} data-side={side} />;
  if (isStorageUri(value))
    return (
      <span className={styles.value} data-side={side}>
        <Link
          to="/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}"
          params={{ ...execution, tab: 'outputs' }}
          search={{ preview: value }}
          title={value}
        >
          {fileNameOf(value)}
        </Link>
      </span>
    );
  const isMissing = difference.kind === (side === 'left' ? 'onlyRight' : 'onlyLeft');
  return (
    <code className={styles.value} data-side={side}>
      {isMissing ? t('compare.nothing') : typeof value === 'string' ? value : JSON.stringify(value, null, 1)}
    </code>
  );
}
