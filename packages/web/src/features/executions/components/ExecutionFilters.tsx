import { defaultTimeRange } from '../queries.ts';
import type { ExecutionsSearch } from '../search.ts';
import { StateFilter } from './StateFilter.tsx';
import { TimeRangeSelect } from './TimeRangeSelect.tsx';

export interface ExecutionFiltersProps {
  search: ExecutionsSearch;
  onChange: (part: Partial<ExecutionsSearch>) => void;
}

export function ExecutionFilters({ search, onChange }: ExecutionFiltersProps) {
  return (
    <>
      <StateFilter value={search.state} onChange={(state) => onChange({ state })} />
      <TimeRangeSelect
        value={search.timeRange ?? defaultTimeRange}
        onChange={(next) =>
          onChange({
            timeRange: next === defaultTimeRange ? undefined : next,
            startDate: undefined,
            endDate: undefined,
          })
        }
      />
    </>
  );
}
