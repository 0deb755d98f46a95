import { useDebouncedValue } from '@mantine/hooks';
import { Chart, dashboards } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { parse, stringify } from 'yaml';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { parseIsoDuration } from '../../format/duration.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { CodeEditor } from '../../ui/code/index.ts';
import { EmptyState, rangeBounds, SplitPane } from '../../ui/index.ts';
import { ChartCard } from './cards/ChartCard.tsx';
import styles from './cards/dashboard.module.css';

interface DashboardEditorProps {
  source: string;
  onChange: (source: string) => void;
  onSave: () => void;
}

const waitMs = 500;
const range = { kind: 'relative', duration: 'P30D' } as const;

/** The source of a dashboard beside the dashboard as it would be. Problems stand above the source. */
export function DashboardEditor({ source, onChange, onSave }: DashboardEditorProps) {
  const { t } = useTranslation();
  const [settled] = useDebouncedValue(source, waitMs);
  const { problems } = useDashboardProblems(settled);
  const charts = useMemo(() => chartsIn(settled), [settled]);
  return (
    <SplitPane
      name="dashboard-editor"
      defaultPercent={45}
      start={
        <div className={styles.pane}>
          {problems.length > 0 && (
            <ul className={styles.errors} role="alert">
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          )}
          <div className={styles.code}>
            <CodeEditor
              ariaLabel={t('dashboard.source')}
              language="yaml"
              path="dashboard.yaml"
              value={source}
              onChange={onChange}
              onSave={onSave}
            />
          </div>
        </div>
      }
      end={
        // biome-ignore lint/a11y/noNoninteractiveTabindex: many charts scroll, and the keyboard must reach that.
        <div className={styles.preview} tabIndex={0}>
          {charts.length === 0 && (
            <EmptyState
              illustration="dryRace"
              title={t('dashboard.noCharts')}
              text={t('dashboard.noChartsText')}
            />
          )}
          <div className={styles.grid}>
            {charts.map(({ chart, source: chartSource }) => (
              <ChartCard
                key={chart.id}
                chart={chart}
                from={{ source: chartSource }}
                windowKey={range}
                window={() => rangeBounds(range, Date.now(), parseIsoDuration)}
              />
            ))}
          </div>
        </div>
      }
    />
  );
}

/** What the server says is wrong with a source. */
export function useDashboardProblems(source: string): { problems: string[] } {
  const { data } = useQuery({
    queryKey: ['dashboards', currentTenant(), 'validate', source],
    queryFn: ({ signal }) =>
      call(dashboards.validateDashboard, { body: source, signal, failures: 'handled' }),
    gcTime: 0,
  });
  const violations = data?.violations ?? [];
  return {
    problems: violations.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
  };
}

interface SourceChart {
  chart: Chart;
  source: string;
}

/** The charts that a source holds, for its preview. While it cannot be read there are none. */
function chartsIn(source: string): SourceChart[] {
  try {
    const read: unknown = parse(source);
    const charts = typeof read === 'object' && read !== null && 'charts' in read ? read.charts : [];
    return (Array.isArray(charts) ? charts : []).flatMap((value: unknown) => {
      const chart = Chart.safeParse(value).data;
      return chart ? [{ chart, source: stringify(value) }] : [];
    });
  } catch {
    return [];
  }
}
