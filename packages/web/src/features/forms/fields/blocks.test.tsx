import { notifications } from '@mantine/notifications';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderForm } from '../testing/renderForm.tsx';

// Whole forms in a browser that is none take their time on a busy machine.

const dag = `id: f
namespace: n
tasks:
  - id: graph
    type: core.flow.Dag
    tasks:
      - task:
          id: first
          type: core.log.Log
          message: a
      - task:
          id: second
          type: core.log.Log
          message: b
        dependsOn:
          - first
`;

describe('tasks in lists', () => {
  it('S2-5.15 a task that another depends on cannot be deleted, until nothing does any more', async () => {
    const shown = vi.spyOn(notifications, 'show');
    const { source } = renderForm(dag, { shown: { id: 'graph' } });
    fireEvent.click(screen.getByLabelText('Remove first'));
    await waitFor(() => expect(shown).toHaveBeenCalledTimes(1));
    expect(shown.mock.lastCall).toMatchObject([
      {
        message: 'second depends on first. Remove it from dependsOn first.',
        title: 'The task cannot be deleted',
      },
    ]);
    expect(source()).toBe(dag);
    fireEvent.click(screen.getByLabelText('Remove second'));
    fireEvent.click(screen.getByLabelText('Remove first'));
    expect(source()).not.toContain('first');
    expect(shown).toHaveBeenCalledTimes(1);
  });

  it('S2-5.14 a task cannot be swapped with something of another list', async () => {
    const shown = vi.spyOn(notifications, 'show');
    const flow = `id: f
namespace: n
tasks:
  - id: one
    type: core.log.Log
    message: a
triggers:
  - id: daily
    type: core.trigger.Schedule
    cron: "0 1 * * *"
`;
    const { source } = renderForm(flow);
    const data = new Map<string, string>();
    const dataTransfer = {
      setData: (type: string, value: string) => data.set(type, value),
      setDragImage: () => {},
      get types() {
        return [...data.keys()];
      },
    };
    const row = (name: string) => screen.getByLabelText(`Edit ${name}`).closest('li')!;
    const grip = row('one').querySelector('[draggable]')!;
    fireEvent.dragStart(grip, { dataTransfer });
    fireEvent.dragOver(row('daily'), { dataTransfer });
    fireEvent.drop(row('daily'), { dataTransfer });
    await waitFor(() =>
      expect(shown).toHaveBeenCalledWith(
        expect.objectContaining({
          message: 'Tasks can be moved only within their own list. Nothing was moved.',
          title: 'A task cannot be swapped',
        }),
      ),
    );
    expect(source()).toBe(flow);
  });
});

it('S2-3.1 the form of a flow has all of its parts', () => {
  const { container } = renderForm('id: f\nnamespace: n\ntasks: []\n');
  const closed = screen.queryByText(/optional properties/);
  if (closed) fireEvent.click(closed);
  const shown = within(container);
  for (const part of [
    'id',
    'namespace',
    'description',
    'labels',
    'inputs',
    'outputs',
    'variables',
    'tasks',
    'triggers',
    'errors',
    'finally',
    'afterExecution',
    'retry',
    'concurrency',
    'pluginDefaults',
    'disabled',
  ])
    expect(shown.getAllByText(part).length, part).toBeGreaterThan(0);
});
