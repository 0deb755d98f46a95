import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { Panels } from './Panels.tsx';

const panels = ['Code', 'Topology', 'Documentation'].map((title) => ({
  id: title,
  title,
  content: <input aria-label={`in ${title}`} />,
}));
const show = () =>
  render(
    <MantineProvider>
      <Panels name="test" panels={panels} initial={['Code', 'Topology']} />
    </MantineProvider>,
  );
const order = () => screen.getAllByRole('region').map((panel) => panel.getAttribute('aria-label'));

it('[S2-2.7] panels are added, moved and closed, keep what is typed in them, and are there after a reload', async () => {
  const user = userEvent.setup();
  const { unmount } = show();
  expect(order()).toEqual(['Code', 'Topology']);
  await user.type(screen.getByLabelText('in Code'), 'kept');
  await user.click(screen.getByRole('button', { name: 'Documentation' }));
  await user.click(screen.getByRole('button', { name: 'Move Documentation to the left' }));
  await user.click(screen.getByRole('button', { name: 'Move Code to the right' }));
  expect(order()).toEqual(['Documentation', 'Code', 'Topology']);
  expect(screen.getByLabelText('in Code')).toHaveProperty('value', 'kept');
  await user.click(screen.getByRole('button', { name: 'Close Topology' }));
  unmount();
  show();
  expect(order()).toEqual(['Documentation', 'Code']);
});
