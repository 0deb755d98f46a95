import { ActionIcon, Button } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { afterPaint } from '../afterPaint.ts';
import { SearchInput } from '../filters/SearchInput.tsx';
import { lazyPart } from '../lazyPart.tsx';
import type { RangePreset } from './dateRange.ts';
import { FilterChip, RangeButton, shownChips } from './FilterChip.tsx';
import styles from './ListFilters.module.css';
import type { ListView } from './useListView.ts';

// The rows come first: what opens on a press loads after them, behind faces of the same size.
const FilterChips = lazyPart(() => afterPaint().then(() => import('./FilterChips.tsx')), 'FilterChips');
const RangeFilter = lazyPart(() => afterPaint().then(() => import('./RangeFilter.tsx')), 'RangeFilter');
const SavedSearches = lazyPart(() => afterPaint().then(() => import('./SavedSearches.tsx')), 'SavedSearches');

/** A face that does nothing yet is not for the keyboard or a screen reader. */
const notYet = { 'aria-hidden': true, tabIndex: -1 } as const;

interface ListFiltersProps {
  /** Names what is remembered of this list in the browser. */
  name: string;
  view: ListView;
  /** What the text box searches; without it the list has none. */
  placeholder?: string | undefined;
  ranges?: readonly RangePreset[];
  /** At the right end: refresh, columns. */
  tools?: ReactNode;
}

/** The bar above a list: text, time, conditions, what was saved, and the list's own tools. */
export function ListFilters({ name, view, placeholder, ranges, tools }: ListFiltersProps) {
  const { t } = useTranslation();
  return (
    <search className={styles.bar}>
      {placeholder && <SearchInput value={view.q} onChange={view.setText} placeholder={placeholder} />}
      {view.range && (
        <Suspense fallback={<RangeButton range={view.range} {...notYet} />}>
          <RangeFilter range={view.range} onChange={view.setRange} {...(ranges && { ranges })} />
        </Suspense>
      )}
      <Suspense
        fallback={shownChips(view.fields, view.conditions).map(({ key, field, condition }) => (
          <FilterChip key={key} field={field} condition={condition} {...notYet} />
        ))}
      >
        <FilterChips fields={view.fields} conditions={view.conditions} onChange={view.setConditions} />
      </Suspense>
      {view.isFiltered && (
        <Button variant="subtle" color="gray" onClick={view.clear}>
          {t('filter.clear')}
        </Button>
      )}
      <div className={styles.tools}>
        <Suspense
          fallback={
            <ActionIcon component="span" variant="default" size={34} aria-hidden="true">
              <IconBookmark size={16} stroke={1.7} />
            </ActionIcon>
          }
        >
          <SavedSearches list={name} criteria={view.criteria} onApply={view.apply} />
        </Suspense>
        {tools}
      </div>
    </search>
  );
}
