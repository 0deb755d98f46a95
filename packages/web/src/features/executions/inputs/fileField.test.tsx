import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { FileField } from './FileField.tsx';

it('a file is dropped onto its field; dragged text is left alone', () => {
  const onFile = vi.fn();
  render(
    <MantineProvider>
      <FileField label="upload" file={undefined} onFile={onFile} />
    </MantineProvider>,
  );
  const field = screen.getByText('Drop a file here, or choose one');
  const dropZone = field.closest('[class*="drop"]');
  const file = new File(['a,b'], 'orders.csv');
  expect(fireEvent.dragOver(field, { dataTransfer: { types: ['text/plain'], files: [] } })).toBe(true);
  expect(dropZone?.hasAttribute('data-over')).toBe(false);
  expect(fireEvent.dragOver(field, { dataTransfer: { types: ['Files'], files: [file] } })).toBe(false);
  expect(dropZone?.hasAttribute('data-over')).toBe(true);
  fireEvent.drop(field, { dataTransfer: { types: ['Files'], files: [file] } });
  expect(onFile).toHaveBeenCalledWith(file);
  expect(dropZone?.hasAttribute('data-over')).toBe(false);
});
