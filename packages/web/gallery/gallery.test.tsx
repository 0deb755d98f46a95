import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Gallery } from './Gallery.tsx';

const sources = import.meta.glob<string>('./examples/*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const components = Object.values(
  import.meta.glob<string>(['../src/ui/**/*.tsx', '!../src/ui/**/*.test.tsx'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).flatMap((source) =>
  [...source.matchAll(/^export (?:function|const) ([A-Z]\w*[a-z]\w*)/gm)].map(([, name]) => name!),
);

/** Components that are shown inside others. */
const parts = [
  ['ResourceList', 'ColumnChooser ExportMenu NothingMatches'],
  ['BulkActions', 'BulkButtons'],
  ['ListFilters', 'BetweenDates FilterChip FilterChips FilterEditor RangeButton RangeFilter SavedSearches'],
  ['Markdown', 'CodeBlock Diagram Highlighted MarkdownLink MarkdownView'],
  ['CodeEditor', 'MonacoHost'],
  ['StackedBars', 'SkeletonBars'],
  ['confirm', 'ConfirmHost'],
  ['Hint', 'HintBubble'],
  ['RowMenu', 'OpenedRowMenu DotsPlaceholder'],
  ['Panels', 'PanelDrop PanelTabs'],
  ['Dialog', 'DialogFocus'],
] as const;

it('the component gallery shows every shared component', () => {
  const text = Object.values(sources).join('\n');
  const isShown = (name: string) => new RegExp(`\\b${name}\\b`).test(text);
  const inside = parts.flatMap(([whole, names]) => (isShown(whole) ? names.split(' ') : []));
  const missing = components.filter((name) => !isShown(name) && !inside.includes(name));
  expect(missing).toEqual([]);
});

it('the component gallery draws all of them in the given theme', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {}); // One example breaks on purpose.
  render(<Gallery theme="dark" />);
  await screen.findByText('Colors and controls');
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark');
  expect(screen.getAllByText('Retrying').length).toBeGreaterThanOrEqual(3);
  await screen.findByText('A part that breaks while it is drawn');
});

it.each(['Dialog', 'SideDialog'])('%s has the focus when it is shown, and gives it back', async (name) => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  render(<Gallery theme="light" />);
  const opener = await screen.findByRole('button', { name });
  opener.focus();
  fireEvent.click(opener);
  const field = await screen.findByRole('textbox', { name: 'Name' });
  expect(document.activeElement).toBe(field);
  fireEvent.keyDown(field, { key: 'Escape' });
  await waitFor(() => expect(document.activeElement).toBe(opener));
});
