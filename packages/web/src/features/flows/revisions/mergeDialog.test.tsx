import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { MergeDialog } from './MergeDialog.tsx';

const base =
  'id: a\nnamespace: n\ntasks:\n  - id: one\n    message: hello\n    type: core.log.Log\n  - id: two\n';

function ask(mine: string, theirs: string, given: string | null = base) {
  const onDecide = vi.fn();
  const latest = { source: theirs, revision: 3 };
  render(
    <MantineProvider env="test">
      <MergeDialog
        base={given ?? undefined}
        mine={mine}
        theirs={latest}
        revision={1}
        isOnlyMerge={false}
        onDecide={onDecide}
      />
    </MantineProvider>,
  );
  return { user: userEvent.setup(), onDecide, latest };
}

test('changes at different places are merged, and the result is shown before it is saved', async () => {
  const theirs = base.replace('id: two', 'id: second');
  const { user, onDecide, latest } = ask(base.replace('hello', 'hi'), theirs);
  await screen.findByText('All changes fit together. Nothing is lost.');
  await user.click(screen.getByRole('button', { name: 'Merge and save' }));
  expect(onDecide).toHaveBeenCalledWith({ theirs: latest, merged: theirs.replace('hello', 'hi') });
});

test('for lines that both changed the user chooses, and may still overwrite or cancel', async () => {
  const { user, onDecide, latest } = ask(base.replace('hello', 'mine'), base.replace('hello', 'theirs'));
  await user.click(await screen.findByText('Theirs', { selector: 'label *' }));
  await user.click(screen.getByRole('button', { name: 'Merge and save' }));
  expect(onDecide).toHaveBeenLastCalledWith({ theirs: latest, merged: latest.source });
  await user.click(screen.getByRole('button', { name: 'Overwrite' }));
  expect(onDecide).toHaveBeenLastCalledWith({ theirs: latest });
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onDecide).toHaveBeenLastCalledWith(undefined);
});

test('without the revision that both are based on there is nothing to merge by', async () => {
  ask(base, `${base}# more\n`, null);
  await screen.findByRole('button', { name: 'Overwrite' });
  expect(screen.queryByRole('button', { name: 'Merge and save' })).toBeNull();
});
