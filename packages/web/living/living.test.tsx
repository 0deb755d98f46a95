import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { LivingPage } from './LivingPage.tsx';

const sources = import.meta.glob<string>('./exhibits/*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const shared = Object.keys(import.meta.glob('../src/ui/**/*.tsx')).map(
  (path) => path.split('/').at(-1) ?? '',
);

/** Parts of others, which are on the page inside them: no file of another folder uses them. */
const parts = [
  ['ResourceList', 'ChartSwitch ColumnChooser ColumnChooserLazy HeaderCell SkeletonRows SortHeader Unfold'],
  ['BulkActions', 'BulkButtons'],
  ['ListFilters', 'BetweenDates ChoiceValues FilterChip FilterChips FilterEditor PairValues RangeButton'],
  ['ListFilters', 'RangeFilter SavedSearches TextValue'],
  ['Markdown', 'CodeBlock Diagram Highlighted MarkdownLink MarkdownView'],
  ['CodeEditor', 'MonacoHost'],
  ['StackedBars', 'SkeletonBars'],
  ['confirm', 'ConfirmHost'],
  ['Hint', 'HintBubble'],
  ['RowMenu', 'OpenedRowMenu lazyPart'],
] as const;

it('the living page shows every shared component', () => {
  const text = Object.values(sources).join('\n');
  const isShown = (name: string) => new RegExp(`\\b${name}\\b`).test(text);
  const inside = parts.flatMap(([whole, names]) => (isShown(whole) ? names.split(' ') : []));
  const missing = shared
    .filter((file) => !file.includes('.test.'))
    .map((file) => file.replace('.tsx', ''))
    .filter((name) => !isShown(name) && !inside.includes(name));
  expect(missing).toEqual([]);
});

it('the living page draws all of them in the given theme', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {}); // One exhibit breaks on purpose.
  render(<LivingPage theme="dark" />);
  await screen.findByText('Colours and controls');
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark');
  expect(screen.getAllByText('Retrying').length).toBeGreaterThanOrEqual(3);
  await screen.findByText('A part that breaks while it is drawn');
});
