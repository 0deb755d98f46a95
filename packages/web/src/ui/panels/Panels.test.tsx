import { MantineProvider } from '@mantine/core';
import { createEvent, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { theme } from '../../theme/theme.ts';
import { addTab, closeTab, type Layout, readLayout, resize, rowOf, splitTab, stackTab } from './layout.ts';
import { Panels } from './Panels.tsx';
import { usePanelLayout } from './usePanelLayout.ts';

const titles = ['Code', 'Topology', 'Documentation'];
function Shown() {
  const layout = usePanelLayout({ name: 'test', panels: titles, initial: rowOf(['Code', 'Topology']) });
  const panels = titles.map((title) => ({
    id: title,
    title,
    content: <input aria-label={`in ${title}`} />,
  }));
  return <Panels panels={panels} layout={layout} />;
}
const show = () =>
  render(
    <MantineProvider theme={theme}>
      <Shown />
    </MantineProvider>,
  );
const strips = () =>
  screen.getAllByRole('tablist').map((list) =>
    within(list)
      .getAllByRole('tab')
      .map((tab) => tab.textContent),
  );

it('[S2-2.7] panels are added, stacked, split and closed with keys, keep what is typed, and are there after a reload', async () => {
  const user = userEvent.setup();
  const { unmount } = show();
  expect(strips()).toEqual([['Code'], ['Topology']]);
  await user.type(screen.getByLabelText('in Code'), 'kept');
  await user.click(screen.getByRole('button', { name: 'Documentation' }));
  expect(strips()).toEqual([['Code'], ['Topology'], ['Documentation']]);
  await user.click(screen.getByRole('button', { name: 'Arrange Code' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Stack with the next panel' }));
  expect(strips()).toEqual([['Topology', 'Code'], ['Documentation']]);
  expect(document.activeElement?.textContent).toBe('Code');
  await user.keyboard('{ArrowLeft}');
  expect(document.activeElement?.textContent).toBe('Topology');
  expect(screen.getByLabelText('in Code')).toHaveProperty('value', 'kept');
  await user.keyboard('{ArrowRight}{Shift>}{F10}{/Shift}');
  await user.click(await screen.findByRole('menuitem', { name: 'Split down' }));
  expect(strips()).toEqual([['Topology'], ['Code'], ['Documentation']]);
  await user.keyboard('{Delete}');
  expect(strips()).toEqual([['Topology'], ['Documentation']]);
  unmount();
  show();
  expect(strips()).toEqual([['Topology'], ['Documentation']]);
  await user.click(screen.getByRole('button', { name: 'Reset the layout' }));
  expect(strips()).toEqual([['Code'], ['Topology']]);
});

it('a tab that is dragged to an edge of another panel stands there', async () => {
  show();
  const frame = screen.getAllByRole('tablist')[0]!.parentElement!.parentElement!;
  frame.getBoundingClientRect = () => new DOMRect(0, 0, 1_000, 500);
  const tab = screen.getByRole('tab', { name: 'Code' }).parentElement!;
  const dataTransfer = { setData: () => {}, types: [] };
  fireEvent.dragStart(tab, { dataTransfer });
  const findCover = () => document.querySelector('[data-panel-drop]');
  await waitFor(() => expect(findCover()).toBeTruthy());
  const cover = findCover()!;
  for (const kind of ['dragOver', 'drop'] as const) {
    // Drag events of the test browser have no coordinates.
    const event = createEvent[kind](cover, { dataTransfer });
    fireEvent(cover, Object.defineProperties(event, { clientX: { value: 750 }, clientY: { value: 490 } }));
  }
  expect(strips()).toEqual([['Topology'], ['Code']]);
  expect(findCover()).toBeNull();
  expect(readLayout(localStorage.getItem('panels:test')!, titles)).toMatchObject({ direction: 'column' });
});

it('layouts stay without empty stacks, keep the share of what is resized, and read what is stored', () => {
  const row = rowOf(['a', 'b', 'c']);
  const stacked = stackTab(row, 'a', 'b', 0);
  expect(stacked).toMatchObject({ parts: [{ tabs: ['a', 'b'], active: 'a' }, { tabs: ['c'] }] });
  const split = splitTab(stacked, 'a', 'a', 'bottom');
  expect(split).toMatchObject({
    parts: [{ direction: 'column', parts: [{ tabs: ['b'] }, { tabs: ['a'] }] }, {}],
  });
  expect(closeTab(split, 'a')).toMatchObject({ direction: 'row', parts: [{ tabs: ['b'] }, { tabs: ['c'] }] });
  expect(splitTab(rowOf(['a']), 'a', 'a', 'left')).toEqual(rowOf(['a']));
  expect(addTab(row, 'd')).toMatchObject({ shares: [0.25, 0.25, 0.25, 0.25] });
  expect(resize(rowOf(['a', 'b']), [], 0, 0.9)).toMatchObject({ shares: [0.9, expect.closeTo(0.1)] });
  const twice: Layout = { direction: 'row', parts: [rowOf(['a']), rowOf(['a', 'gone'])], shares: [0.5, 0.5] };
  expect(readLayout(JSON.stringify(twice), ['a', 'b'])).toEqual(rowOf(['a']));
  expect(readLayout('b,gone,a', ['a', 'b'])).toEqual(rowOf(['b', 'a']));
  expect(readLayout('{"tabs":1}', ['a'])).toBeUndefined();
});
