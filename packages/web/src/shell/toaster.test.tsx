import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { error, success, Toaster, warning } from './toaster.tsx';

afterEach(() => {
  vi.useRealTimers();
});

it('S1-4.25 S1-4.24 successes and warnings go after a few seconds, an error stays', async () => {
  vi.useFakeTimers();
  render(
    <MantineProvider env="test">
      <Toaster />
    </MantineProvider>,
  );
  act(() => {
    success('Saved');
    warning('Careful');
    error(new Error('Broken'));
  });
  await act(() => vi.advanceTimersByTimeAsync(100));
  for (const text of ['Saved', 'Careful', 'Broken']) screen.getByText(text);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(screen.queryByText('Saved')).toBeNull();
  expect(screen.queryByText('Careful')).toBeNull();
  screen.getByText('Broken');
});
