import { MantineProvider } from '@mantine/core';
import { flowTransfer } from '@millrace/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '../api/queryClient.ts';
import { ImportFlows } from '../features/flows/list/FlowListPage.tsx';
import { onProblem } from '../state/problems.ts';
import { failure, fakeServer, reply } from '../testing/fakeServer.ts';
import { theme } from '../theme/theme.ts';
import { CopyButton } from './values/Id.tsx';

const said = vi.fn();
beforeEach(() => {
  said.mockClear();
  return onProblem(said);
});
const show = (children: ReactNode) =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MantineProvider theme={theme}>{children}</MantineProvider>
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
    fakeServer(reply(flowTransfer.previewImport, () => failure(422, { message: 'line 1: no flow' })));
    take();
    await waitFor(() => expect(said).toHaveBeenCalledTimes(1));
    expect(said.mock.lastCall).toMatchObject([
      { message: 'line 1: no flow' },
      'Error(s) occurred while importing the file(s)',
    ]);
  });

  const flowText = 'id: a\nnamespace: shop\ntasks:\n  - id: say\n    type: core.log.Log\n    message: ';
  const previews: flowTransfer.ImportPreview[] = [
    {
      document: '0',
      namespace: 'shop',
      flowId: 'a',
      change: 'UPDATE',
      revision: 3,
      problems: [],
      texts: { before: `${flowText}one`, after: `${flowText}two` },
    },
    { document: 'shop/broken.yaml', change: 'REFUSED', problems: [{ message: 'no flow', line: 7 }] },
    {
      document: 'kept.yaml',
      namespace: 'shop',
      flowId: 'kept',
      change: 'DISABLED',
      problems: [{ message: 'unknown type' }],
    },
  ];

  it('S2-8.9 shows what it would change and why it refuses a document, and then imports', async () => {
    const server = fakeServer(
      reply(flowTransfer.previewImport, () => previews),
      reply(flowTransfer.importFlows, () => ['shop/broken.yaml']),
    );
    take();
    const dialog = within(await screen.findByRole('dialog', { name: 'Import flows' }));
    const documents = dialog.getAllByRole('listitem').map((item) => item.textContent);
    expect(documents[0]).toContain('shop/broken.yaml');
    expect(documents[0]).toContain('Line 7');
    dialog.getByText('Revision 3 becomes revision 4');
    dialog.getByText('Task say: message from “one” to “two”');
    fireEvent.click(dialog.getByRole('button', { name: 'Show the diff' }));
    expect(dialog.getByText('two').closest('[data-kind]')?.getAttribute('data-kind')).toBe('added');
    dialog.getByText('Imported disabled: a plugin is missing');
    expect(server.to(flowTransfer.importFlows)).toHaveLength(0);
    fireEvent.click(dialog.getByRole('button', { name: 'Import 2 flows' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.to(flowTransfer.importFlows)[0]?.query.get('keepUnknownTypes')).toBe('true');
    expect(said).not.toHaveBeenCalled();
  });
});
