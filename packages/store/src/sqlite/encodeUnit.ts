import { isTerminal, type LogRecord } from '@millrace/contract';
import type { Counted } from '../commit/rollUpSums.ts';
import type { WrittenExecutions } from '../commit/writtenExecutions.ts';
import type { Op } from '../port/op.ts';
import type { SessionToken } from '../port/session.ts';
import { encodeDashboard } from '../rows/dashboardRow.ts';
import { documentKey, encodeDocument } from '../rows/documentRow.ts';
import {
  columnsOf,
  encodeData,
  encodeOrigin,
  parentIdOf,
  triggerExecutionIdOf,
} from '../rows/executionRow.ts';
import { encodeFlow } from '../rows/flowRow.ts';
import { encodeFlowTest } from '../rows/flowTestRow.ts';
import { encodeKv, kvKey } from '../rows/kvRow.ts';
import { countLog, encodeLog, encodeLogSelection, encodeMetric } from '../rows/logRow.ts';
import { rollUpSubjects, stepOf } from '../rows/rollUp.ts';
import { encodeSession, encodeSessionToken } from '../rows/sessionRow.ts';
import { encodeTaskRun, flowsOf } from '../rows/taskRunRow.ts';
import { encodeTemplate, templateKey } from '../rows/templateRow.ts';
import { encodeOptional, encodeText } from '../rows/text.ts';
import { encodeTrigger, triggerKey } from '../rows/triggerRow.ts';
import type { SqlValue } from '../rows/value.ts';
import { encodeFlowEvent, windowKey } from '../rows/windowRow.ts';
import { codeOf, type StatementName } from './statements.ts';

export interface EncodedUnit {
  /**
   * Statement code, its parameters, the next code, and so on: one flat list is the cheapest to send to a
   * thread.
   */
  readonly writes: readonly SqlValue[];
  /** The operation of each write, to name it in a conflict. */
  readonly opOfWrite: readonly number[];
}

export interface EncodeContext {
  readonly written: WrittenExecutions;
  /** Assigns log ids in commit order; an id is never reused, not even after a deletion. */
  readonly nextLogId: () => number;
}

export function encodeUnit(unit: readonly Op[], context: EncodeContext): EncodedUnit {
  const writes: SqlValue[] = [];
  const opOfWrite: number[] = [];
  const flows = flowsOf(unit);
  let current = 0;
  const write: Write = (name, ...params) => {
    writes.push(codeOf(name), ...params);
    opOfWrite.push(current);
  };
  for (const [index, op] of unit.entries()) {
    current = index;
    encodeOp(op, write, context, flows);
  }
  for (const counted of countLogs(unit)) write('count', ...counted);
  return { writes, opOfWrite };
}

/** One count for all entries of a flow, level and step: a unit can have a thousand entries. */
function countLogs(unit: readonly Op[]): Counted[] {
  const counts = new Map<string, { readonly log: LogRecord; n: number }>();
  for (const op of unit) {
    if (op.op !== 'log.insert') continue;
    const { namespace, flowId, at, level } = op.log;
    const key = `${stepOf(at)} ${level} ${namespace} ${flowId}`;
    const known = counts.get(key);
    if (known) known.n++;
    else counts.set(key, { log: op.log, n: 1 });
  }
  return Array.from(counts.values(), ({ log, n }) => countLog(log, n));
}

type Write = (name: StatementName, ...params: SqlValue[]) => void;

function encodeOp(op: Op, write: Write, context: EncodeContext, flows: ReturnType<typeof flowsOf>): void {
  switch (op.op) {
    case 'execution.insert':
      return insertExecution(op, write);
    case 'execution.update':
      return updateExecution(op, write, context.written);
    case 'execution.delete':
      return deleteExecution(op, write);
    case 'taskRun.put':
      return write(
        'putTaskRun',
        ...(flows.get(op.taskRun.executionId) ?? [null, null]),
        ...encodeTaskRun(op.taskRun),
      );
    case 'taskRun.delete':
      for (const id of op.ids) {
        write('leaveTaskRun', encodeText(op.executionId), encodeText(id));
        write('deleteTaskRun', encodeText(op.executionId), encodeText(id));
      }
      return;
    case 'event.append':
      return write('appendEvents', encodeText(op.executionId), op.seq, op.at, JSON.stringify(op.events));
    case 'log.insert':
      return write('insertLog', context.nextLogId(), ...encodeLog(op.log));
    case 'log.delete':
      return deleteLogs(op, write);
    case 'log.remove':
      for (const id of op.ids) {
        write('leaveLog', id);
        write('removeLogSearch', id);
        write('removeLog', id);
      }
      return;
    case 'metric.insert':
      return write('insertMetric', ...encodeMetric(op.metric));
    case 'metric.delete':
      return write('deleteMetrics', encodeText(op.executionId));
    case 'flow.insert':
      return insertFlow(op, write);
    case 'flow.insertDraft':
      return write('insertFlowDraft', ...encodeFlow(op.flow), op.flow.revision);
    case 'flow.deleteRevision':
      return deleteRevision(op, write);
    case 'trigger.put':
      return putTrigger(op, write);
    case 'trigger.delete':
      return write('deleteTrigger', ...triggerKey(op));
    case 'window.put':
      return putWindow(op, write);
    case 'window.delete':
      return write('deleteWindow', ...windowKey(op), op.expectVersion);
    case 'window.clear':
      return write('clearWindows', ...triggerKey(op));
    case 'flowEvent.put':
      return write('putFlowEvent', ...encodeFlowEvent(op.event), op.event.at);
    case 'flowEvent.take':
      return write('takeFlowEvent', ...encodeFlowEvent(op.event));
    case 'kv.put':
      return write(op.mustBeNew ? 'putNewKv' : 'putKv', ...encodeKv(op.entry));
    case 'kv.delete':
      return write('deleteKv', ...kvKey(op));
    case 'kv.sweep':
      return write('sweepKv', op.expiredAt);
    case 'dashboard.put':
      return write(op.mustBeNew ? 'putNewDashboard' : 'putDashboard', ...encodeDashboard(op.dashboard));
    case 'dashboard.delete':
      return write('deleteDashboard', encodeText(op.id));
    case 'flowTest.insert':
      return write('insertFlowTest', ...encodeFlowTest(op.test));
    case 'flowTest.result':
      return write(
        'putFlowTestResult',
        JSON.stringify(op.result),
        encodeText(op.namespace),
        encodeText(op.id),
        op.version,
      );
    case 'document.put':
      return putDocument(op, write);
    case 'document.delete':
      if (op.expectVersion === undefined) return write('deleteDocument', ...documentKey(op));
      return write('deleteDocumentAsRead', ...documentKey(op), op.expectVersion);
    case 'document.sweep':
      return write('sweepDocuments', encodeText(op.kind), op.before);
    case 'template.put':
      return write(op.mustBeNew ? 'putNewTemplate' : 'putTemplate', ...encodeTemplate(op.template));
    case 'template.delete':
      return write('deleteTemplate', ...templateKey(op));
    case 'fileNamespace.put':
      return write(op.hasFiles ? 'putFileNamespace' : 'deleteFileNamespace', encodeText(op.namespace));
    case 'session.open':
      write('insertSession', ...encodeSession(op.session));
      return insertTokens(op.session.id, op.tokens, write);
    case 'session.renew':
      write('useSessionToken', op.usedAt, op.usedHash);
      return insertTokens(op.sessionId, op.tokens, write);
    case 'session.delete':
      return deleteSessions(op, write);
    case 'setting.put':
      if (op.value === undefined) return write('deleteSetting', encodeText(op.key));
      return write(
        op.mustBeNew ? 'putNewSetting' : 'putSetting',
        encodeText(op.key),
        JSON.stringify(op.value),
      );
    case 'message.put':
    case 'message.take':
    case 'message.refuse':
    case 'attempt.begin':
    case 'attempt.end':
    case 'attempt.want':
    case 'folder.hold':
    case 'folder.drop':
    case 'job.add':
      throw new Error(`An embedded database has no other servers, so "${op.op}" has no meaning.`);
  }
}

type OpOf<K extends Op['op']> = Extract<Op, { op: K }>;

/** The guarded statement goes first: when it fails, nothing of the unit needs to be rolled back. */
function insertExecution({ execution, uniqueKey }: OpOf<'execution.insert'>, write: Write): void {
  const { startDate, endDate, duration, closedAt } = columnsOf(execution);
  const id = encodeText(execution.id);
  const namespace = encodeText(execution.namespace);
  const flowId = encodeText(execution.flowId);
  const state = execution.state.current;
  write(
    'insertExecution',
    id,
    encodeText(execution.tenantId),
    namespace,
    flowId,
    execution.flowRevision,
    state,
    startDate,
    endDate,
    duration,
    closedAt,
    parentIdOf(execution),
    triggerExecutionIdOf(execution),
    encodeOptional(uniqueKey),
    1,
    encodeData(execution),
    encodeOrigin(execution),
  );
  for (const { key, value } of execution.labels) {
    write('insertLabel', id, encodeText(key), encodeText(value), startDate);
  }
  write('count', rollUpSubjects.executions, namespace, flowId, startDate, state, 1, duration);
}

function updateExecution(
  { execution, previousState, expectVersion }: OpOf<'execution.update'>,
  write: Write,
  written: WrittenExecutions,
): void {
  const { startDate, endDate, duration, closedAt } = columnsOf(execution);
  const id = encodeText(execution.id);
  const namespace = encodeText(execution.namespace);
  const flowId = encodeText(execution.flowId);
  const state = execution.state.current;
  const same = written.compare(execution, expectVersion);
  // The previous state had a duration in the roll-up: only the stored row has that duration.
  const wasTerminal = isTerminal(previousState);
  if (wasTerminal) write('leaveExecution', id);
  const changed: SqlValue[] = [
    execution.flowRevision,
    state,
    endDate,
    duration,
    closedAt,
    parentIdOf(execution),
    encodeData(execution),
    id,
    expectVersion,
    previousState,
  ];
  if (same.origin) write('updateExecution', ...changed);
  else
    write('updateExecutionAndOrigin', triggerExecutionIdOf(execution), encodeOrigin(execution), ...changed);
  if (!same.labels) {
    write('deleteLabels', id);
    for (const { key, value } of execution.labels) {
      write('insertLabel', id, encodeText(key), encodeText(value), startDate);
    }
  }
  if (!wasTerminal && state === previousState) return;
  const of = [rollUpSubjects.executions, namespace, flowId, startDate] as const;
  if (!wasTerminal) write('count', ...of, previousState, -1, null);
  write('count', ...of, state, 1, duration);
}

function deleteExecution(op: OpOf<'execution.delete'>, write: Write): void {
  const id = encodeText(op.id);
  if (op.closedBefore !== undefined) write('checkClosed', id, op.closedBefore);
  write('leaveExecution', id);
  write('leaveTaskRuns', id);
  write('deleteExecution', id);
  write('deleteTaskRuns', id);
  write('deleteEvents', id);
  write('deleteFlowEvents', id);
  write('deleteLabels', id);
  if (op.logs) {
    write('leaveLogs', id);
    write('deleteLogSearch', id);
    write('deleteLogs', id);
  }
  if (op.metrics) write('deleteMetrics', id);
}

function deleteLogs({ selection }: OpOf<'log.delete'>, write: Write): void {
  const [first, second, ...optional] = encodeLogSelection(selection);
  const params = [first, second, ...optional.flatMap((value) => [value, value])].map(
    (value) => value ?? null,
  );
  const isOfFlow = 'flowId' in selection;
  write(isOfFlow ? 'leaveFlowLogs' : 'leaveSelectedLogs', ...params);
  write(isOfFlow ? 'deleteFlowLogSearch' : 'deleteSelectedLogSearch', ...params);
  write(isOfFlow ? 'deleteFlowLogs' : 'deleteSelectedLogs', ...params);
}

function insertTokens(sessionId: string, tokens: readonly SessionToken[], write: Write): void {
  for (const token of tokens) write('insertSessionToken', ...encodeSessionToken(sessionId, token));
}

function deleteSessions({ selection }: OpOf<'session.delete'>, write: Write): void {
  if ('id' in selection) return write('deleteSession', selection.id);
  if ('username' in selection) return write('deleteSessionsOfUser', encodeText(selection.username));
  write('deleteEndedSessions', selection.endedBefore);
  write('deleteExpiredTokens', selection.endedBefore);
}

function insertFlow({ flow, expectRevision }: OpOf<'flow.insert'>, write: Write): void {
  const namespace = encodeText(flow.namespace);
  const id = encodeText(flow.id);
  write('insertFlow', ...encodeFlow(flow), namespace, id, expectRevision);
  write('retireFlow', namespace, id, flow.revision);
  for (const { key, value } of flow.labels) {
    write('insertFlowLabel', namespace, id, flow.revision, encodeText(key), encodeText(value));
  }
}

function deleteRevision(op: OpOf<'flow.deleteRevision'>, write: Write): void {
  const key = [encodeText(op.namespace), encodeText(op.id), op.revision];
  write('deleteFlowRevision', ...key, ...key);
  write('deleteFlowLabels', ...key);
}

function putTrigger({ trigger, expectNextAt, expectUpdatedAt }: OpOf<'trigger.put'>, write: Write): void {
  const row = encodeTrigger(trigger);
  if (expectUpdatedAt === null) return write('putNewTrigger', ...row);
  if (expectUpdatedAt !== undefined)
    return write('putTriggerAsRead', ...row, ...triggerKey(trigger), expectUpdatedAt);
  if (expectNextAt === undefined) return write('putTrigger', ...row);
  if (expectNextAt === null) return write('putTriggerWithoutNext', ...row);
  write('putTriggerWithNext', ...row, ...triggerKey(trigger), expectNextAt);
}

function putDocument({ document, expectVersion }: OpOf<'document.put'>, write: Write): void {
  const row = encodeDocument(document, (expectVersion ?? 0) + 1);
  if (expectVersion === undefined) return write('putDocument', ...row);
  if (expectVersion === 0) return write('putNewDocument', ...row);
  write('putDocumentAsRead', ...row, ...documentKey(document), expectVersion);
}

function putWindow({ window, expectVersion }: OpOf<'window.put'>, write: Write): void {
  const data = JSON.stringify(window);
  if (expectVersion === 0) write('insertWindow', ...windowKey(window), 1, data);
  else write('updateWindow', expectVersion + 1, data, ...windowKey(window), expectVersion);
}
