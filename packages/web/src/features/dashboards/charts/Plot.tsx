import { useComputedColorScheme } from '@mantine/core';
import type { ChartRow } from '@millrace/contract';
import { BarChart, LineChart, PieChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSetting } from '../../../storage/settings.ts';
import styles from '../components/dashboard.module.css';
import { chartOption } from './chartOption.ts';
import type { ChartShape } from './chartShape.ts';

use([
  BarChart,
  LineChart,
  PieChart,
  ScatterChart,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  SVGRenderer,
]);

/** Time series, bars and pies. The library is large: only ever reached by a dynamic import. */
export function Plot({ shape, rows }: { shape: ChartShape; rows: readonly ChartRow[] }) {
  const { i18n } = useTranslation();
  const scheme = useComputedColorScheme('light');
  const chartScheme = useSetting('chartScheme');
  const place = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the schemes change what the custom properties say.
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const chart = init(element, null, { renderer: 'svg' });
    const style = getComputedStyle(document.documentElement);
    chart.setOption(
      chartOption(shape, rows, {
        locale: i18n.language,
        read: (name) => style.getPropertyValue(name).trim(),
      }),
    );
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [shape, rows, i18n.language, scheme, chartScheme]);

  return <div ref={place} className={styles.plot} role="img" aria-label={shape.title} />;
}
