import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, it, vi } from 'vitest';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { lazyPart } from './lazyPart.tsx';

it.each([
  ['with', () => 'wait'],
  ['without', undefined],
])('a part %s placeholder that could not load says so and loads again when asked', async (_, Placeholder) => {
  vi.spyOn(console, 'error').mockImplementation(() => {}); // React reports what the boundary shows.
  const load = vi
    .fn<() => Promise<{ Part: () => string }>>()
    .mockRejectedValueOnce(new Error('No connection'))
    .mockResolvedValue({ Part: () => 'the part' });
  const Part = lazyPart(load, 'Part', Placeholder);
  render(
    <MantineProvider env="test">
      the text
      <ErrorBoundary lead="the bar">
        <Suspense>
          <Part />
        </Suspense>
      </ErrorBoundary>
    </MantineProvider>,
  );
  await screen.findByText('No connection');
  expect(document.body.textContent).toContain('the text');
  expect(document.body.textContent).toContain('the bar');
  expect(load).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByText('Try again'));
  await waitFor(() => expect(document.body.textContent).toContain('the part'));
});
