import { ActionIcon } from '@mantine/core';
import type { GraphNode } from '@millrace/contract';
import { IconArrowsMaximize, IconArrowsMinimize } from '@tabler/icons-react';
import { createContext, use } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';

export interface Subflows {
  expand(uid: string): void;
  collapse(uid: string): void;
}

/** Undefined where a graph is only to look at. */
export const SubflowContext = createContext<Subflows | undefined>(undefined);

/** Draws the flow that a task calls in the place of the task, or the task again. */
export function SubflowToggle({ node, isOpen = false }: { node: GraphNode; isOpen?: boolean }) {
  const { t } = useTranslation();
  const subflows = use(SubflowContext);
  if (!subflows) return null;
  const label = t(isOpen ? 'topology.collapse' : 'topology.expand', { id: node.task?.id });
  const Icon = isOpen ? IconArrowsMinimize : IconArrowsMaximize;
  return (
    <Hint label={label}>
      <ActionIcon
        size={22}
        // A press on it moves nothing.
        className="nodrag nopan"
        ml="auto"
        aria-label={label}
        onClick={(event) => {
          event.stopPropagation();
          if (isOpen) subflows.collapse(node.uid);
          else subflows.expand(node.uid);
        }}
        onKeyDown={(event) => event.stopPropagation()}
      >
        <Icon size={15} stroke={1.7} />
      </ActionIcon>
    </Hint>
  );
}
