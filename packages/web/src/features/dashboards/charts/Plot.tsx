import { useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { logLevels, stateTypes } from '@millrace/contract';
import { BarChart, LineChart, PieChart, ScatterChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useSetting } from '../../../storage/settings.ts';
import { Legend, useHiddenSeries } from '../../../ui/charts/Legend.tsx';
import styles from '../cards/dashboard.module.css';
import type { ChartPage } from '../queries.ts';
import { chartOption } from './chartOption.ts';
import type { ChartShape } from './chartShape.ts';

use([BarChart, LineChart, PieChart, ScatterChart, GridComponent, TooltipComponent, SVGRenderer]);

/** Time series, bars and pies. The library is large: only ever reached by a dynamic import. */
export function Plot({ shape, page }: { shape: ChartShape; page: ChartPage }) {
  const { t, i18n } = useTranslation();
  const scheme = useComputedColorScheme('light');
  const chartScheme = useSetting('chartScheme');
  const isStill = useReducedMotion();
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const { hidden, toggle } = useHiddenSeries();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the schemes change what the custom properties say.
  const { option, parts } = useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    return chartOption(shape, page.rows, {
      locale: i18n.language,
      width,
      window: page.window,
      hidden,
      isStill,
      read: (name) => style.getPropertyValue(name).trim(),
      say: (value) => {
        const state = stateTypes.find((one) => one === value);
        const level = logLevels.find((one) => one === value);
        return state ? t(`state.${state}`) : level ? t(`logLevel.${level}`) : value;
      },
    });
  }, [shape, page, width, hidden, isStill, t, i18n.language, scheme, chartScheme]);

  useEffect(() => {
    const element = place.current;
    if (!element || width === 0) return;
    const chart = init(element, null, { renderer: 'svg' });
    chart.setOption(option);
    return () => chart.dispose();
  }, [option, width]);

  return (
    <figure className={styles.figureOf}>
      <div ref={place} className={styles.plot} role="img" aria-label={shape.title} />
      {shape.hasLegend && <Legend entries={parts} hidden={hidden} onToggle={toggle} />}
    </figure>
  );
}

/** How wide an element is, now and whenever it changes. */
function useWidth(place: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [place]);
  return width;
}
