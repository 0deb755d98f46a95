import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { theme } from '../theme/theme.ts';
import { Hint } from './Hint.tsx';

afterEach(cleanup);
beforeEach(() => {
  render(
    <MantineProvider theme={theme}>
      <Hint label="Takes it away">
        <button type="button" aria-label="Delete" />
      </Hint>
    </MantineProvider>,
  );
});

const button = () => screen.getByRole('button', { name: 'Delete' });

it('tells what something is for while the pointer rests on it', async () => {
  expect(screen.queryByText('Takes it away')).toBeNull();
  await userEvent.hover(button());
  const bubble = await screen.findByText('Takes it away');
  expect(button().getAttribute('aria-describedby')).toBe(bubble.id);
  await userEvent.unhover(button());
  await waitFor(() => expect(screen.queryByText('Takes it away')).toBeNull());
  expect(button().hasAttribute('aria-describedby')).toBe(false);
});

it('opens on keyboard focus too, and Escape closes it', async () => {
  await userEvent.tab();
  expect(document.activeElement).toBe(button());
  await screen.findByText('Takes it away');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByText('Takes it away')).toBeNull());
  expect(document.activeElement).toBe(button());
});
