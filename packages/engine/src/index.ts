export * from './catalogue.ts';
export { conditionTypeOf } from './conditions/conditionType.ts';
export {
  type Condition,
  type ConditionContext,
  ConditionError,
  type ConditionExecution,
} from './conditions/context.ts';
export { allHold, conditionsOf, evaluateCondition } from './conditions/evaluateCondition.ts';
export { mergeType, splitType } from './control/forEachItem.ts';
export { formatDuration, parseDuration, readDuration } from './duration.ts';
export { allTasks, type ChildList, childLists, findTask } from './flow/children.ts';
export { type ControlType, controlTypeOf, controlTypes } from './flow/controlType.ts';
export { applyDefaults, type DefaultsOptions } from './flow/defaults.ts';
export {
  dependenciesBetween,
  type FlowDependency,
  type FlowKey,
  flowDependencies,
  mayListenTo,
} from './flow/dependencies.ts';
export type { Finding } from './flow/findings.ts';
export { flowGraph, type GraphOptions, type GraphTaskRun, successors } from './flow/graph.ts';
export { type ParsedFlow, type ParseOptions, parseFlow, type Range } from './flow/parseFlow.ts';
export { formatPath, type Path, parsePath } from './flow/path.ts';
export { presentFlow, presentTask } from './flow/present.ts';
export { isSameSource, setDisabled, stripRevision } from './flow/revision.ts';
export { filterFields, filterTypes } from './flow/rules/preconditions.ts';
export { hasExpression, type SubflowTarget, subflowTarget } from './flow/subflowTarget.ts';
export { shortType } from './flow/typeName.ts';
export { validateTask } from './flow/validateTask.ts';
export {
  describeErrors,
  type FlowLookups,
  splitSources,
  validateSource,
  violationsOf,
} from './flow/validation.ts';
export { readYaml } from './flow/yaml/readYaml.ts';
export { type BacktrackingPattern, compilePattern } from './inputs/pattern.ts';
export {
  type InputContext,
  type InputResolution,
  type ResolvedInput,
  resolveInputs,
} from './inputs/resolveInputs.ts';
export { encryptedType, hideSealed } from './inputs/sealed.ts';
export { type TypedOutputs, typeOutputs } from './inputs/typeOutputs.ts';
export { createExecution, createFailedExecution, type NewExecution } from './run/create.ts';
export { taskRunOfDirectory } from './run/directory.ts';
export type * from './run/effect.ts';
export type * from './run/event.ts';
export { outputsForCaller } from './run/flowOutputs.ts';
export { LiveRun } from './run/live.ts';
export { presentExecution, presentState, presentTaskRun } from './run/present.ts';
export { type Replay, type Replayed, replay, replayedLabels } from './run/replay.ts';
export { restartAs } from './run/restartAs.ts';
export type { Changes, RunEnvironment } from './run/run.ts';
export { CronError } from './schedule/cron.ts';
export { evaluateFlowTrigger, type FlowTriggerDecision, type WindowState } from './schedule/flowTrigger.ts';
export { formatInZone } from './schedule/isoDate.ts';
export { CronDates, type CronOptions, nextDate, previousDate } from './schedule/nextDate.ts';
export {
  hasUnrenderedDates,
  renderSchedule,
  type ScheduleDates,
  scheduleDates,
} from './schedule/scheduleDates.ts';
export {
  clockSkewMs,
  correctClock,
  evaluateSchedule,
  type Firing,
  newTriggerState,
  type Recovery,
  recoverMissed,
  releaseTrigger,
  type ScheduleContext,
  type ScheduleDecision,
  settleDates,
} from './schedule/scheduleTrigger.ts';
export {
  type BackfillRequest,
  deleteBackfill,
  disableTrigger,
  enableTrigger,
  pauseBackfill,
  requireDates,
  startBackfill,
} from './schedule/switchTrigger.ts';
export { type Backfill, type TriggerState, withNext } from './schedule/triggerState.ts';
export { type TriggerType, triggerTypeOf, triggerTypes } from './schedule/triggerType.ts';
export { findZone, type Zone } from './schedule/zone.ts';
