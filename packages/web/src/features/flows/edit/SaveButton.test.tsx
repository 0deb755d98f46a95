import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { SaveButton } from './SaveButton.tsx';

it('S2-8.12 says that the text has an error, where it is and what it is', async () => {
  const range = { start: { line: 3, column: 1 }, end: { line: 3, column: 4 } };
  const onSave = vi.fn();
  render(
    <SaveButton
      issues={[{ severity: 'error', path: 'tasks', message: 'No task.', range }]}
      isDirty
      isSaving={false}
      onSave={onSave}
    />,
    { wrapper: MantineProvider },
  );
  const button = screen.getByRole('button');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.pointerEnter(button);
  await screen.findByText('An error has been found in the editor');
  await screen.findByText('Line 3: No task.');
});
