import { MantineProvider } from '@mantine/core';
import { executionFiles, executions, type FilePreview } from '@millrace/contract';
import { render, screen } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../../api/ApiError.ts';
import { anExecution, aTaskRun } from '../../../testing/factories.ts';
import { fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderAt } from '../../../testing/renderAt.tsx';
import { BrokenFile } from '../../../ui/ErrorBoundary.tsx';
import { FileContent } from './FilePreview.tsx';
import { rowChoices } from './storageFile.ts';

// Large: their first load is not part of the test's time.
beforeAll(async () => {
  await Promise.all([import('./FilePreview.tsx'), import('../page/ExecutionPage.tsx')]);
}, 180_000);

const uri = 'millrace:///shop/orders/nightly/executions/exec1/tasks/load/run1/rows.ion';
const aPreview = (changes: Partial<FilePreview>): FilePreview => ({
  type: 'TEXT',
  extension: 'txt',
  content: '',
  maxLine: 100,
  truncated: false,
  ...changes,
});

it('O-5.4 S2-1.2 S2-2.11 S2-3.8 a file among the outputs is previewed as a table, with a notice when rows are missing', async () => {
  const content = [
    { id: 1, name: 'Ada' },
    { id: 2, tags: ['x'] },
  ];
  const server = fakeServer(
    reply(executions.getExecution, () =>
      anExecution({ taskRunList: [aTaskRun({ outputs: { uri, count: 3 } })] }),
    ),
    reply(executionFiles.getExecutionFileMetas, () => ({ size: 1_234_567 })),
    reply(executionFiles.previewExecutionFile, () => aPreview({ type: 'LIST', content, truncated: true })),
  );
  const { user } = renderAt('/executions/shop.orders/nightly/exec1/outputs');
  await screen.findByText('1.2 MB');
  for (const view of ['Logs', 'Metrics', 'Outputs', 'Topology'])
    expect(screen.getAllByText(view).some((link) => link.closest('nav a'))).toBe(true);
  await user.click(screen.getByLabelText('Preview rows.ion'));
  await screen.findByText('Only the first 100 rows are shown.');
  const rows = [...document.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
  expect(rows).toEqual([
    ['id', 'name', 'tags'],
    ['1', 'Ada', ''],
    ['2', '', '["x"]'],
  ]);
  const [asked] = server.to(executionFiles.previewExecutionFile);
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ path: uri, maxRows: '100', encoding: 'UTF-8' });
  expect(screen.getByText('Download').closest('a')?.getAttribute('href')).toBe(
    `/api/v1/executions/exec1/file?path=${encodeURIComponent(uri)}`,
  );
});

it('more rows than the server gives are not offered', () => {
  expect(rowChoices(500)).toEqual([10, 25, 50, 100, 500]);
  expect(rowChoices(700)).toEqual([10, 25, 50, 100, 500, 700]);
});

describe('what is in a file', () => {
  const show = (changes: Partial<FilePreview>) =>
    render(<FileContent preview={aPreview(changes)} name="rows.ion" />, { wrapper: MantineProvider });

  it.each<[string, Partial<FilePreview>, string | RegExp]>([
    ['rows that are no objects', { type: 'LIST', content: ['x', 2] }, /"x"\s*2/],
    ['text', { content: 'one\ntwo', extension: 'log' }, /one\s+two/],
    ['Markdown', { type: 'MARKDOWN', content: '# Head', extension: 'md' }, /^Head$/],
    ['nothing', {}, 'The file is empty.'],
  ])('S2-3.8 shows %s', async (_, changes, text) => {
    show(changes);
    await screen.findByText(text);
  });

  it('S2-3.8 shows a picture', () => {
    show({ type: 'IMAGE', extension: 'png', content: 'iVBORw==' });
    expect(screen.getByAltText('rows.ion').getAttribute('src')).toBe('data:image/png;base64,iVBORw==');
  });

  it('S2-8.10 says so when a PDF cannot be drawn, and why', async () => {
    show({ type: 'PDF', extension: 'pdf', content: btoa('no pdf') });
    await screen.findByText('Failed to render the PDF preview');
    await screen.findByText('Invalid PDF structure.');
  });
});

it.each([
  ['in the words of the server', { message: 'the file "rows.ion" is gone' }, 'the file "rows.ion" is gone'],
  ['without a message', undefined, 'File not found'],
])('S2-8.8 says %s that a file is missing', (_, body, text) => {
  const error = new ApiError({ method: 'GET', url: '/file' }, 404, body);
  render(<BrokenFile error={error} onRetry={() => {}} />, { wrapper: MantineProvider });
  expect(screen.getByText(text)).toBeTruthy();
});
