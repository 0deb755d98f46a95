export { Card, Fact, Facts } from './Card.tsx';
export { confirm } from './confirm/confirm.ts';
export { BrokenPart, ErrorBoundary } from './ErrorBoundary.tsx';
export { RefreshButtons, refreshMs, useAutoRefresh, useLive } from './filters/RefreshButtons.tsx';
export { FilterPlaceholder, SearchInput } from './filters/SearchInput.tsx';
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
export { DotsPlaceholder } from './menu/RowButton.tsx';
export { EmptyState } from './page/EmptyState.tsx';
export { Page, PageChrome } from './page/Page.tsx';
export { SplitPane } from './page/SplitPane.tsx';
export { TabBar, type TabItem } from './page/TabBar.tsx';
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
export { DateAgo, DateTime, Duration, TimeOpen } from './values/DateTime.tsx';
export { CopiedIcon, CopyButton, EditedIcon, Id, PlaygroundIcon } from './values/Id.tsx';
export { StateIcon, StatePill, stateColours } from './values/StatePill.tsx';
export { Tags } from './values/Tags.tsx';
export { useNow } from './values/useNow.ts';
export { WarningIcon } from './values/WarningIcon.tsx';
