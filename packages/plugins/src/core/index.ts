import type { Definition } from '../kit/definition.ts';
import { echo } from './debug/echo.ts';
import { returnValue } from './debug/return.ts';
import { allowFailure } from './flow/allowFailure.ts';
import { dag } from './flow/dag.ts';
import { eachParallel } from './flow/eachParallel.ts';
import { eachSequential } from './flow/eachSequential.ts';
import { forEach } from './flow/forEach.ts';
import { forEachItem } from './flow/forEachItem.ts';
import { ifTask } from './flow/if.ts';
import { loopUntil } from './flow/loopUntil.ts';
import { parallel } from './flow/parallel.ts';
import { pause } from './flow/pause.ts';
import { sequential } from './flow/sequential.ts';
import { sleep } from './flow/sleep.ts';
import { subflow } from './flow/subflow.ts';
import { switchTask } from './flow/switch.ts';
import { template } from './flow/template.ts';
import { workingDirectory } from './flow/workingDirectory.ts';
import { log } from './log/log.ts';
import { outputValues } from './output/outputValues.ts';
import { flow } from './trigger/flow.ts';
import { schedule } from './trigger/schedule.ts';
import { webhook } from './trigger/webhook.ts';

/** Every type of the group `core`. */
export const coreTypes: readonly Definition[] = [
  allowFailure,
  dag,
  eachParallel,
  eachSequential,
  echo,
  flow,
  forEach,
  forEachItem,
  ifTask,
  log,
  loopUntil,
  outputValues,
  parallel,
  pause,
  returnValue,
  schedule,
  sequential,
  sleep,
  subflow,
  switchTask,
  template,
  webhook,
  workingDirectory,
];
