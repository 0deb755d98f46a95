import {
  IconArrowRightToArc,
  IconExchange,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconPlayerStop,
  IconReload,
  IconRotateClockwise,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import type { ExecutionAction } from './executionActions.ts';

export const actionIcons: Record<ExecutionAction, typeof IconTrash> = {
  resume: IconPlayerPlay,
  pause: IconPlayerPause,
  restart: IconRotateClockwise,
  replay: IconReload,
  unqueue: IconArrowRightToArc,
  forceRun: IconPlayerSkipForward,
  changeStatus: IconExchange,
  setLabels: IconTag,
  kill: IconPlayerStop,
  delete: IconTrash,
};
