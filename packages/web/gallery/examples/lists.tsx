import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { FilterPlaceholder } from '../../src/ui/filters/SearchInput.tsx';
import { Hint } from '../../src/ui/Hint.tsx';
import {
  type Column,
  DataTable,
  EmptyState,
  ListFilters,
  NothingMatches,
  Pager,
  RefreshButtons,
  ResourceList,
  SearchInput,
  StatePill,
  useListView,
} from '../../src/ui/index.ts';
import { BulkActions, BulkDelete } from '../../src/ui/list/BulkActions.tsx';
import { ExportButton } from '../../src/ui/list/ExportButton.tsx';
import { RowButton } from '../../src/ui/menu/RowButton.tsx';
import { RowMenu } from '../../src/ui/menu/RowMenu.tsx';
import { BulkBar, Check } from '../../src/ui/table/selection.tsx';
import type { GalleryExample } from '../example.ts';
import styles from '../gallery.module.css';

interface Row {
  id: string;
  namespace: string;
}
const rows: Row[] = Array.from({ length: 4 }, (_, index) => ({
  id: index === 2 ? 'a_flow_with_a_very_long_name_that_does_not_fit_into_its_column' : `flow-${index}`,
  namespace: index === 2 ? 'a.very.long.namespace.of.many.parts' : 'shop.orders',
}));
const columns: Column<Row>[] = [
  { id: 'id', header: 'Id', cell: ({ id }) => id, sortField: 'id', identifies: true },
  { id: 'namespace', header: 'Namespace', cell: ({ namespace }) => namespace, hideBelow: 'sm' },
  { id: 'state', header: 'State', cell: () => <StatePill state="SUCCESS" />, width: 140 },
];
const empty = <EmptyState illustration="wheel" title="No flows yet" />;
const table = { label: 'Flows', columns, visibility: {}, rowId: ({ id }: Row) => id, empty };
const nothing = () => {};

const remove = {
  name: 'Delete',
  title: 'Delete 4 flows?',
  text: 'This cannot be undone.',
  dangerous: true,
  act: async () => {},
};

const fields = [
  {
    name: 'state',
    label: 'State',
    operations: ['IN', 'NOT_IN'],
    plain: { parameter: 'state', operation: 'IN' },
    kind: 'choice' as const,
    options: [{ value: 'FAILED', label: 'Failed' }],
    isProminent: true,
  },
  {
    name: 'labels',
    label: 'Labels',
    operations: ['EQUALS', 'NOT_EQUALS'],
    plain: { parameter: 'labels', operation: 'EQUALS' },
    kind: 'pair' as const,
  },
];

function WholeList() {
  const view = useListView({ fields, defaultSort: 'id:asc', defaultRange: 'P30D' });
  const query = { data: { results: rows, total: 260 }, error: null, refetch: async () => {} };
  return (
    <ResourceList
      {...table}
      name="gallery"
      view={view}
      placeholder="Search flows"
      query={query}
      chart={<p>A chart</p>}
      bulkActions={() => <Button size="compact-sm">Delete</Button>}
      details={({ id }) => <p>Details of {id}</p>}
    />
  );
}

function Filters() {
  const view = useListView({ fields, defaultSort: 'id:asc' });
  return (
    <ListFilters
      name="gallery"
      view={view}
      placeholder="Search"
      tools={<RefreshButtons onRefresh={nothing} />}
    />
  );
}

function Search() {
  const [text, setText] = useState<string | undefined>('words');
  return <SearchInput value={text} onChange={setText} placeholder="Search" />;
}

export const lists: readonly GalleryExample[] = [
  { name: 'ResourceList: filters, chart, rows to select and unfold, pages', show: WholeList },
  { name: 'ListFilters alone', show: Filters },
  { name: 'SearchInput', show: Search },
  { name: 'FilterPlaceholder', show: () => <FilterPlaceholder label="Namespace" width={180} /> },
  {
    name: 'RefreshButtons: manual, stopped, running',
    show: () => (
      <div className={styles.row}>
        <RefreshButtons onRefresh={nothing} />
        <RefreshButtons auto={{ on: false, toggle: nothing }} onRefresh={nothing} />
        <RefreshButtons auto={{ on: true, toggle: nothing }} onRefresh={nothing} />
      </div>
    ),
  },
  { name: 'DataTable, loading', show: () => <DataTable {...table} rows={undefined} skeletonRows={4} /> },
  {
    name: 'DataTable, sorted, with a dimmed row',
    show: () => (
      <DataTable
        {...table}
        rows={rows}
        sort="id:desc"
        onSort={nothing}
        isDimmed={({ id }) => id === 'flow-1'}
      />
    ),
  },
  { name: 'DataTable, empty', show: () => <DataTable {...table} rows={[]} /> },
  { name: 'NothingMatches', show: () => <NothingMatches onClear={nothing} /> },
  {
    name: 'DataTable, broken',
    show: () => <DataTable {...table} rows={undefined} error={new Error('No answer')} onRetry={nothing} />,
  },
  {
    name: 'BulkBar: some, and all there are',
    show: () => (
      // Each in a place of its height: in a list it lies over the header.
      <>
        <div style={{ minHeight: 48 }}>
          <BulkBar count={4} all={{ total: 260, isChosen: false, onChoose: nothing }} onClear={nothing}>
            <ExportButton onExport={async () => {}} />
            <BulkActions
              actions={[remove, { ...remove, name: 'Not now', isPossible: false }]}
              more={[remove]}
              onDone={nothing}
            />
          </BulkBar>
        </div>
        <div style={{ minHeight: 36 }}>
          <BulkBar count={260} all={{ total: 260, isChosen: true, onChoose: nothing }} onClear={nothing}>
            <BulkDelete
              title="Delete 260 flows?"
              text="This cannot be undone."
              act={async () => {}}
              onDone={nothing}
            />
          </BulkBar>
        </div>
      </>
    ),
  },
  {
    name: 'Check: off, on, some; RowButton with a Hint; RowMenu',
    show: () => (
      <>
        <Check checked={false} onChange={nothing} aria-label="Off" />
        <Check checked onChange={nothing} aria-label="On" />
        <Check checked={false} indeterminate onChange={nothing} aria-label="Some" />
        <Hint label="What it does">
          <RowButton aria-label="Run">›</RowButton>
        </Hint>
        <RowMenu label="More">{() => <Menu.Item>Open</Menu.Item>}</RowMenu>
      </>
    ),
  },
  {
    name: 'Pager: first, middle and last page',
    show: () =>
      [1, 5, 11].map((page) => (
        <Pager key={page} page={page} size={25} total={260} onPage={nothing} onSize={nothing} />
      )),
  },
];
