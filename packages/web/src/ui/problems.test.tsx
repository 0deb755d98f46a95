import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { flowTransfer } from '@millrace/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '../api/queryClient.ts';
import { ImportFlows } from '../features/flows/components/ImportFlows.tsx';
import { onProblem } from '../state/problems.ts';
import { answer, failure, fakeServer } from '../testing/fakeServer.ts';
import { CopyButton } from './Id.tsx';

const said = vi.fn();
beforeEach(() => {
  said.mockClear();
  return onProblem(said);
});
const show = (children: ReactNode) =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MantineProvider>{children}</MantineProvider>
    </QueryClientProvider>,
  );

it('S2-8.11 what cannot be copied is said', async () => {
  vi.stubGlobal('navigator', {
    ...navigator,
    clipboard: { writeText: () => Promise.reject(new Error('not allowed')) },
  });
  show(<CopyButton value="x" />);
  fireEvent.click(screen.getByLabelText('Copy'));
  await waitFor(() => expect(said).toHaveBeenCalledTimes(1));
  expect(said.mock.lastCall).toMatchObject([{ message: 'not allowed' }, 'Could not copy to the clipboard']);
  expect(screen.queryByLabelText('Copied')).toBeNull();
});

describe('an import', () => {
  const take = () => {
    const { container } = show(<ImportFlows />);
    const input = container.querySelector('input[type=file]') ?? document.querySelector('input[type=file]');
    if (!input) throw new Error('There is nothing to choose a file with.');
    fireEvent.change(input, { target: { files: [new File(['id: a'], 'flows.yaml')] } });
  };

  it('S2-8.9 that fails says so, with the words of the server', async () => {
    fakeServer(answer(flowTransfer.importFlows, () => failure(422, { message: 'line 1: no flow' })));
    take();
    await waitFor(() => expect(said).toHaveBeenCalledTimes(1));
    expect(said.mock.lastCall).toMatchObject([
      { message: 'line 1: no flow' },
      'Error(s) occurred while importing the file(s)',
    ]);
  });

  it('S2-8.9 of which a part was refused names that part', async () => {
    fakeServer(answer(flowTransfer.importFlows, () => ['1', 'shop/broken.yaml']));
    const shown = vi.spyOn(notifications, 'show');
    take();
    await waitFor(() =>
      expect(shown).toHaveBeenCalledWith(
        expect.objectContaining({
          message: 'Document 2, shop/broken.yaml',
          title: 'Some flow could not be imported',
        }),
      ),
    );
    expect(said).not.toHaveBeenCalled();
  });
});
