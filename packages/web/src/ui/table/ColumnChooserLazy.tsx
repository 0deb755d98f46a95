import { ActionIcon } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { Suspense } from 'react';
import { afterPaint } from '../afterPaint.ts';
import { lazyPart } from '../lazyPart.tsx';
import type { ColumnChooserProps } from './ColumnChooser.tsx';
import type { Column } from './column.ts';

const Loaded = lazyPart(() => afterPaint().then(() => import('./ColumnChooser.tsx')), 'ColumnChooser');

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
