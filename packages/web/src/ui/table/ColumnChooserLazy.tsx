import { ActionIcon } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { afterPaint } from '../afterPaint.ts';
import type { ColumnChooserProps } from './ColumnChooser.tsx';
import type { Column } from './column.ts';

const Loaded = lazy(() =>
  afterPaint()
    .then(() => import('./ColumnChooser.tsx'))
    .then((module) => ({ default: module.ColumnChooser })),
);

/** The rows come first: the menu of columns loads after them, in the place kept for its button. */
export function ColumnChooser<Row>(props: ColumnChooserProps<Row>) {
  // Inside, only names and ids of the columns matter; a lazy component cannot be generic.
  const columns = props.columns as readonly Column<unknown>[];
  return (
    <Suspense
      fallback={
        <ActionIcon component="span" variant="default" size={34} aria-hidden="true">
          <IconColumns3 size={17} stroke={1.7} />
        </ActionIcon>
      }
    >
      <Loaded {...props} columns={columns} />
    </Suspense>
  );
}
