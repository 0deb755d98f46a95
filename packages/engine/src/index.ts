export * from './catalogue.ts';
export type { ShapeOf } from './check/checkContext.ts';
export type { AlignedRuns } from './compare/alignTaskRuns.ts';
export {
  type ComparedRuns,
  type Comparison,
  compareExecutions,
  type Divergence,
  type RunDifference,
  type Side,
  type StartDifference,
  sameTextIn,
  withoutIds,
} from './compare/compareExecutions.ts';
export { diffValues, type IsSameText, type ValueDifference } from './compare/diffValues.ts';
export { conditionTypeOf } from './conditions/conditionType.ts';
export {
  type Condition,
  type ConditionContext,
  ConditionError,
  type ConditionExecution,
} from './conditions/context.ts';
export { allHold, conditionsOfTrigger, evaluateCondition } from './conditions/evaluateCondition.ts';
export { mergeType, splitType } from './control/forEachItem.ts';
export { formatDuration, parseDuration, readDuration } from './duration.ts';
export {
  allTasks,
  type ChildList,
  childLists,
  findTask,
  flowLists,
  type PlacedTask,
  placedChildren,
  placedTasks,
} from './flow/children.ts';
export { type ControlType, controlTypeOf, controlTypes } from './flow/controlType.ts';
export { applyDefaults, type DefaultsOptions } from './flow/defaults.ts';
export {
  dependenciesBetween,
  type FlowDependency,
  type FlowKey,
  flowDependencies,
  mayListenTo,
} from './flow/dependencies.ts';
export {
  diffFlows,
  type FlowChange,
  type FlowPart,
  type PropertyChange,
  type TaskPlace,
} from './flow/diff.ts';
export { type Finding, onlyUnknownTypes } from './flow/findings.ts';
export { flowGraph, type GraphOptions, type GraphTaskRun, successors } from './flow/graph.ts';
export { editDistance, nearestName } from './flow/nearestName.ts';
export { type ParsedFlow, type ParseOptions, parseFlow, type Range, withoutPlace } from './flow/parseFlow.ts';
export { formatPath, type Path, parsePath } from './flow/path.ts';
export { presentFlow, presentTask } from './flow/present.ts';
export { type Renames, renameReferences } from './flow/renameReferences.ts';
export { isSameSource, setDisabled, stripRevision } from './flow/revision.ts';
export { filterFields, filterTypes } from './flow/rules/preconditions.ts';
export { hasExpression, type SubflowTarget, subflowTarget } from './flow/subflowTarget.ts';
export { taskTree } from './flow/taskTree.ts';
export { shortType } from './flow/typeName.ts';
export { validateTask } from './flow/validateTask.ts';
export {
  describeErrors,
  type FlowLookups,
  splitSources,
  validateSource,
  violationsOf,
  warningsOf,
} from './flow/validation.ts';
export { readDocument, type YamlDocument } from './flow/yaml/readDocument.ts';
export { readYaml } from './flow/yaml/readYaml.ts';
export { type FailedCheck, failedChecks } from './inputs/failedChecks.ts';
export { type BacktrackingPattern, compilePattern } from './inputs/pattern.ts';
export {
  type InputContext,
  type InputResolution,
  type ResolvedInput,
  resolveInputs,
} from './inputs/resolveInputs.ts';
export { encryptedType, hiddenText, hideSealed, isSealed, keepHidden, mapSealed } from './inputs/sealed.ts';
export { type TypedOutputs, typeOutputs } from './inputs/typeOutputs.ts';
export {
  type KnownResult,
  type PlaygroundPlan,
  planPlayground,
  reusableResults,
} from './playground/planPlayground.ts';
export { leavesOf } from './playground/playgroundFlow.ts';
export { createExecution, createFailedExecution, type NewExecution } from './run/create.ts';
export { taskRunOfDirectory } from './run/directory.ts';
export type * from './run/effect.ts';
export type * from './run/event.ts';
export { outputsForCaller } from './run/flowOutputs.ts';
export { type Fork, fork, forkLabel } from './run/fork.ts';
export { LiveRun } from './run/live.ts';
export { isNote, type Note, type RecordedEvent } from './run/note.ts';
export { presentPackedExecution, unpackTaskRuns } from './run/packTaskRuns.ts';
export { presentExecution, presentState, presentTaskRun } from './run/present.ts';
export { presentCreation, presentEvent, taskRunOf } from './run/presentEvent.ts';
export { type Replay, type Replayed, replay, replayedLabels } from './run/replay.ts';
export { restartAs } from './run/restartAs.ts';
export type { Changes, RunEnvironment } from './run/run.ts';
export { type BackfillProgress, remainingMs } from './schedule/backfillProgress.ts';
export { CronError } from './schedule/cron.ts';
export { evaluateFlowTrigger, type FlowTriggerDecision, type WindowState } from './schedule/flowTrigger.ts';
export {
  type ForecastConflict,
  type ForecastFlow,
  type ForecastRun,
  forecastFlow,
  type Load,
  loadOf,
} from './schedule/forecast.ts';
export { formatInZone } from './schedule/isoDate.ts';
export { CronDates, type CronOptions, nextDate, previousDate } from './schedule/nextDate.ts';
export {
  collectDates,
  type DateNote,
  explainDate,
  nextDates,
  type OffsetChange,
  offsetChanges,
} from './schedule/plannedDates.ts';
export {
  hasUnrenderedDates,
  renderSchedule,
  type ScheduleDates,
  scheduleDates,
} from './schedule/scheduleDates.ts';
export {
  clockSkewMs,
  correctClock,
  countExecution,
  evaluateSchedule,
  type Firing,
  newTriggerState,
  type Recovery,
  recoverMissed,
  recoveryOf,
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
