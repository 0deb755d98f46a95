export { Card, Fact, Facts } from './Card.tsx';
export { confirm } from './confirm.ts';
export { DateAgo, DateTime, Duration, TimeOpen } from './DateTime.tsx';
export { EmptyState } from './EmptyState.tsx';
export { BrokenPart, ErrorBoundary } from './ErrorBoundary.tsx';
export { RefreshButtons, refreshMs, useAutoRefresh, useLive } from './filters/RefreshButtons.tsx';
export { FilterPlaceholder, SearchInput } from './filters/SearchInput.tsx';
export { CopiedIcon, CopyButton, EditedIcon, Id, PlaygroundIcon } from './Id.tsx';
export { KeyHint } from './KeyHint.tsx';
export { LinkButton } from './LinkButton.tsx';
export { Loading } from './Loading.tsx';
export type { Condition, FilterField, FilterOption } from './list/condition.ts';
export {
  type DateRange,
  type RangePreset,
  rangeBounds,
  rangeParameters,
  rangePresets,
} from './list/dateRange.ts';
export { ListFilters } from './list/ListFilters.tsx';
export { pageSizeOf, rememberPageSize } from './list/plainQuery.ts';
export { NothingMatches, ResourceList } from './list/ResourceList.tsx';
export { type ListView, useLastPage, useListView } from './list/useListView.ts';
export { Page, PageChrome } from './Page.tsx';
export { DotsPlaceholder } from './RowButton.tsx';
export { SplitPane } from './SplitPane.tsx';
export { StateIcon, StatePill, stateColours } from './StatePill.tsx';
export { TabBar, type TabItem } from './TabBar.tsx';
export { Tags } from './Tags.tsx';
export { ColumnChooser } from './table/ColumnChooserLazy.tsx';
export {
  type Column,
  dateColumnWidth,
  type Selection,
  stateColumnWidth,
  useColumnMemory,
} from './table/column.ts';
export { DataTable } from './table/DataTable.tsx';
export { Pager } from './table/Pager.tsx';
export { useNow } from './useNow.ts';
export { WarningIcon } from './WarningIcon.tsx';
