export { Card, Fact, Facts } from './Card.tsx';
export { CopiedMark } from './CopiedMark.tsx';
export { confirm } from './confirm.ts';
export { DateAgo, DateTime } from './DateTime.tsx';
export { DotsPlaceholder } from './DotsPlaceholder.tsx';
export { Duration, TimeOpen } from './Duration.tsx';
export { EmptyState } from './EmptyState.tsx';
export { BrokenPart, ErrorBoundary } from './ErrorBoundary.tsx';
export { FilterPlaceholder } from './filters/FilterPlaceholder.tsx';
export { RefreshButtons, useAutoRefresh } from './filters/RefreshButtons.tsx';
export { SearchInput } from './filters/SearchInput.tsx';
export { CopyButton, Id } from './Id.tsx';
export { KeyHint } from './KeyHint.tsx';
export { LinkButton } from './LinkButton.tsx';
export { Loading } from './Loading.tsx';
export type { Condition, FilterField, FilterOption } from './list/condition.ts';
export {
  type DateRange,
  rangeBounds,
  rangeParameters,
  type UsualRange,
  usualRanges,
} from './list/dateRange.ts';
export { ListFilters } from './list/ListFilters.tsx';
export { NothingMatches, ResourceList } from './list/ResourceList.tsx';
export { useLastPage } from './list/useLastPage.ts';
export { type ListView, useListView } from './list/useListView.ts';
export { refreshMs, useLive } from './list/useLive.ts';
export { Page, PageChrome } from './Page.tsx';
export { pageSizeOf, rememberPageSize } from './pageSize.ts';
export { SplitPane } from './SplitPane.tsx';
export { StateGlyph } from './StateGlyph.tsx';
export { StatePill, stateColours } from './StatePill.tsx';
export { TabBar, type TabItem } from './TabBar.tsx';
export { Tags } from './Tags.tsx';
export { ColumnChooser } from './table/ColumnChooserLazy.tsx';
export type { Column } from './table/column.ts';
export { dateColumnWidth, stateColumnWidth } from './table/columnWidths.ts';
export { DataTable } from './table/DataTable.tsx';
export { Pager } from './table/Pager.tsx';
export type { Selection } from './table/selection.ts';
export { useColumnMemory } from './table/useColumnMemory.ts';
export { useNow } from './useNow.ts';
export { WarningMark } from './WarningMark.tsx';
