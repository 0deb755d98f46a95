import { type StateType, stateTypes } from '@millrace/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDuration } from '../../../format/duration.ts';
import { formatNumber } from '../../../format/number.ts';
import { DateTime, Pager, StatePill } from '../../../ui/index.ts';
import styles from '../components/dashboard.module.css';
import type { ChartPage } from '../queries.ts';
import { type ChartColumn, type ChartShape, numberOf, wordOf } from './chartShape.ts';

interface TableChartProps {
  shape: ChartShape;
  page: ChartPage;
  number: number;
  size: number;
  onPage: (number: number) => void;
  onSize: (size: number) => void;
}

export function TableChart({ shape, page, number, size, onPage, onSize }: TableChartProps) {
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table} aria-label={shape.title}>
          {shape.hasHeader && (
            <thead>
              <tr>
                {shape.columns.map(({ name, label, alignment }) => (
                  <th key={name} style={{ textAlign: alignment }}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {page.rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a chart have no identity besides their place.
              <tr key={index}>
                {shape.columns.map((column) => (
                  <td key={column.name} style={{ textAlign: column.alignment }}>
                    {cell(column, row[column.name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shape.hasPages && page.total > page.rows.length && (
        <Pager page={number} size={size} total={page.total} onPage={onPage} onSize={onSize} />
      )}
    </>
  );
}

/** A value as its field is shown everywhere else. */
function cell({ field, isAggregated }: ChartColumn, value: unknown): ReactNode {
  if (value === null || value === undefined) return '';
  if (field === 'DURATION') return formatDuration(numberOf(value) * 1_000);
  if (isAggregated) return formatNumber(numberOf(value));
  const word = wordOf(value);
  if (field === 'STATE' && isState(word)) return <StatePill state={word} still />;
  if (field === 'NAMESPACE') {
    return (
      <Link to="/{-$tenant}/executions" search={{ namespace: word }}>
        {word}
      </Link>
    );
  }
  if (field?.endsWith('DATE') && !Number.isNaN(Date.parse(word))) return <DateTime value={word} />;
  return word;
}

const isState = (word: string): word is StateType => stateTypes.some((state) => state === word);
