import { Portal } from '@mantine/core';
import type { RefObject } from 'react';
import { useTopology } from '../../topology/index.ts';
import styles from './GraphLayer.module.css';

/** The name of the task that is being dragged, beside the pointer. */
export function DragGhost({ id, element }: { id: string; element: RefObject<HTMLDivElement | null> }) {
  const { frame } = useTopology();
  return (
    <Portal {...(frame.current && { target: frame.current })}>
      <div className={styles.ghost} ref={element}>
        {id}
      </div>
    </Portal>
  );
}
