import { isTerminal } from '@millrace/contract';
import { RollUpSums } from '../commit/rollUpSums.ts';
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
import { rollUpSubjects } from '../rows/rollUp.ts';
import { searchText } from '../rows/searchText.ts';
import { encodeSession, encodeSessionToken } from '../rows/sessionRow.ts';
import { encodeTaskRun, flowsOf } from '../rows/taskRunRow.ts';
import { encodeTemplate, templateKey } from '../rows/templateRow.ts';
import { encodeOptional, encodeText } from '../rows/text.ts';
import { encodeTrigger, triggerKey } from '../rows/triggerRow.ts';
import type { SqlValue } from '../rows/value.ts';
import { encodeFlowEvent, windowKey } from '../rows/windowRow.ts';
import { Batch, type Statement } from './batch.ts';
import { encodeClusterOp } from './cluster/encodeClusterOp.ts';

type OpOf<K extends Op['op']> = Extract<Op, { op: K }>;

/** Transposes operations into one statement. No two of them may be about the same row; see `fusable`. */
export function encodeBatch(ops: Iterable<Op>, written: WrittenExecutions): Statement {
  const encoding = new Encoding(written, ops);
  for (const op of ops) encoding.add(op);
  return encoding.finish();
}

class Encoding {
  readonly #batch = new Batch();
  readonly #sums = new RollUpSums();
  /** The last word on each task run: a row can be written only once in a statement. */
  readonly #taskRuns = new Map<string, () => void>();
  readonly #written: WrittenExecutions;
  readonly #flows: ReadonlyMap<string, readonly [SqlValue, SqlValue]>;

  constructor(written: WrittenExecutions, ops: Iterable<Op>) {
    this.#written = written;
    this.#flows = flowsOf(ops);
  }

  add(op: Op): void {
    const batch = this.#batch;
    switch (op.op) {
      case 'execution.insert':
        return this.#insertExecution(op);
      case 'execution.update':
        return this.#updateExecution(op);
      case 'execution.delete':
        return this.#deleteExecution(op);
      case 'taskRun.put':
        return this.#putTaskRun(op);
      case 'taskRun.delete':
        for (const id of op.ids) {
          this.#taskRuns.set(JSON.stringify([op.executionId, id]), () => {
            const key = [encodeText(op.executionId), encodeText(id)];
            batch.add('leaveTaskRun', ...key, ...this.#flowOf(op.executionId));
            batch.add('deleteTaskRun', ...key);
          });
        }
        return;
      case 'event.append':
        return batch.add(
          'appendEvents',
          encodeText(op.executionId),
          op.seq,
          op.at,
          JSON.stringify(op.events),
        );
      case 'log.insert':
        this.#sums.add(countLog(op.log));
        return batch.add('insertLog', ...encodeLog(op.log), logText(op));
      case 'log.delete': {
        const selection = encodeLogSelection(op.selection);
        const isOfFlow = 'flowId' in op.selection;
        batch.add(isOfFlow ? 'leaveFlowLogs' : 'leaveSelectedLogs', ...selection);
        return batch.add(isOfFlow ? 'deleteFlowLogs' : 'deleteSelectedLogs', ...selection);
      }
      case 'log.remove':
        for (const id of op.ids) {
          batch.add('leaveLog', id);
          batch.add('removeLog', id);
        }
        return;
      case 'metric.insert':
        return batch.add('insertMetric', ...encodeMetric(op.metric));
      case 'metric.delete':
        return batch.add('deleteMetrics', encodeText(op.executionId));
      case 'flow.insert':
        return this.#insertFlow(op);
      case 'flow.insertDraft':
        return batch.add('insertFlowDraft', ...encodeFlow(op.flow));
      case 'flow.deleteRevision': {
        const key = [encodeText(op.namespace), encodeText(op.id), op.revision];
        batch.add('deleteFlowRevision', ...key);
        return batch.add('deleteFlowLabels', ...key);
      }
      case 'trigger.put': {
        const row = encodeTrigger(op.trigger);
        if (op.expectUpdatedAt === null) return batch.add('putNewTrigger', ...row);
        if (op.expectUpdatedAt !== undefined)
          return batch.add('putTriggerAsRead', ...row, op.expectUpdatedAt);
        if (op.expectNextAt === undefined) return batch.add('putTrigger', ...row);
        if (op.expectNextAt === null) return batch.add('putTriggerWithoutNext', ...row);
        return batch.add('putTriggerWithNext', ...row, op.expectNextAt);
      }
      case 'trigger.delete':
        return batch.add('deleteTrigger', ...triggerKey(op));
      case 'window.put': {
        const row = [...windowKey(op.window), op.expectVersion + 1, JSON.stringify(op.window)];
        if (op.expectVersion === 0) return batch.add('insertWindow', ...row);
        return batch.add('updateWindow', ...row, op.expectVersion);
      }
      case 'window.delete':
        return batch.add('deleteWindow', ...windowKey(op), op.expectVersion);
      case 'window.clear':
        return batch.add('clearWindows', ...triggerKey(op));
      case 'flowEvent.put':
        return batch.add('putFlowEvent', ...encodeFlowEvent(op.event), op.event.at);
      case 'flowEvent.take':
        return batch.add('takeFlowEvent', ...encodeFlowEvent(op.event));
      case 'kv.put':
        return batch.add(op.mustBeNew ? 'putNewKv' : 'putKv', ...encodeKv(op.entry));
      case 'kv.delete':
        return batch.add('deleteKv', ...kvKey(op));
      case 'kv.sweep':
        return batch.add('sweepKv', op.expiredAt);
      case 'dashboard.put':
        return batch.add(op.mustBeNew ? 'putNewDashboard' : 'putDashboard', ...encodeDashboard(op.dashboard));
      case 'dashboard.delete':
        return batch.add('deleteDashboard', encodeText(op.id));
      case 'flowTest.insert':
        return batch.add('insertFlowTest', ...encodeFlowTest(op.test));
      case 'flowTest.result': {
        const key = [encodeText(op.namespace), encodeText(op.id), op.version];
        return batch.add('putFlowTestResult', JSON.stringify(op.result), ...key);
      }
      case 'document.put': {
        const row = encodeDocument(op.document, (op.expectVersion ?? 0) + 1);
        if (op.expectVersion === undefined) return batch.add('putDocument', ...row);
        if (op.expectVersion === 0) return batch.add('putNewDocument', ...row);
        return batch.add('putDocumentAsRead', ...row, op.expectVersion);
      }
      case 'document.delete':
        if (op.expectVersion === undefined) return batch.add('deleteDocument', ...documentKey(op));
        return batch.add('deleteDocumentAsRead', ...documentKey(op), op.expectVersion);
      case 'document.sweep':
        return batch.add('sweepDocuments', encodeText(op.kind), op.before);
      case 'template.put':
        return batch.add(op.mustBeNew ? 'putNewTemplate' : 'putTemplate', ...encodeTemplate(op.template));
      case 'template.delete':
        return batch.add('deleteTemplate', ...templateKey(op));
      case 'fileNamespace.put':
        return batch.add(op.hasFiles ? 'putFileNamespace' : 'deleteFileNamespace', encodeText(op.namespace));
      case 'session.open':
        batch.add('insertSession', ...encodeSession(op.session));
        return this.#insertTokens(op.session.id, op.tokens);
      case 'session.renew':
        batch.add('useSessionToken', op.usedHash, op.usedAt);
        return this.#insertTokens(op.sessionId, op.tokens);
      case 'session.delete':
        return this.#deleteSessions(op);
      case 'setting.put':
        if (op.value === undefined) return batch.add('deleteSetting', encodeText(op.key));
        return batch.add(
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
        return encodeClusterOp(op, batch);
    }
  }

  finish(): Statement {
    for (const write of this.#taskRuns.values()) write();
    this.#sums.keep();
    for (const row of this.#sums.days()) this.#batch.add('addDay', ...row);
    for (const row of this.#sums.rows()) this.#batch.add('addRollUp', ...row);
    if (this.#batch.has('leaveExecution')) this.#batch.need('addDay');
    if (this.#batch.isCounting()) this.#batch.need('addRollUp');
    return this.#batch.toStatement();
  }

  #insertExecution({ execution, uniqueKey, owner }: OpOf<'execution.insert'>): void {
    const { startDate, endDate, duration, closedAt } = columnsOf(execution);
    const [id, namespace, flowId] = [execution.id, execution.namespace, execution.flowId].map(encodeText);
    const state = execution.state.current;
    this.#batch.add(
      'insertExecution',
      id ?? null,
      encodeText(execution.tenantId),
      namespace ?? null,
      flowId ?? null,
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
      encodeOptional(owner),
    );
    this.#insertLabels(execution.id, execution.labels, startDate);
    this.#sums.add([rollUpSubjects.executions, namespace ?? '', flowId ?? '', startDate, state, 1, duration]);
  }

  #updateExecution({ execution, previousState, expectVersion }: OpOf<'execution.update'>): void {
    const { startDate, endDate, duration, closedAt } = columnsOf(execution);
    const id = encodeText(execution.id);
    const state = execution.state.current;
    const same = this.#written.compare(execution, expectVersion);
    this.#batch.add(
      'updateExecution',
      id,
      expectVersion,
      previousState,
      execution.flowRevision,
      state,
      endDate,
      duration,
      closedAt,
      parentIdOf(execution),
      encodeData(execution),
      same.origin ? null : triggerExecutionIdOf(execution),
      same.origin ? null : encodeOrigin(execution),
    );
    if (!same.labels) {
      const kept = execution.labels.map(({ key, value }) => [encodeText(key), encodeText(value)]);
      this.#batch.add('keepLabels', id, JSON.stringify(kept));
      this.#insertLabels(execution.id, execution.labels, startDate);
    }
    const wasTerminal = isTerminal(previousState);
    if (!wasTerminal && state === previousState) return;
    const [namespace, flowId] = [encodeText(execution.namespace), encodeText(execution.flowId)];
    const of = [rollUpSubjects.executions, namespace, flowId, startDate] as const;
    // Leaving a state in which a duration was counted: only the stored row knows that duration.
    if (wasTerminal) this.#batch.add('leaveExecution', id);
    else this.#sums.add([...of, previousState, -1, null]);
    this.#sums.add([...of, state, 1, duration]);
  }

  #deleteExecution(op: OpOf<'execution.delete'>): void {
    const id = encodeText(op.id);
    if (op.closedBefore !== undefined) this.#batch.add('checkClosed', id, op.closedBefore);
    this.#batch.add('leaveExecution', id);
    this.#batch.add('leaveTaskRuns', id, null, null);
    for (const part of [
      'deleteFlowEvents',
      'deleteExecution',
      'deleteTaskRuns',
      'deleteEvents',
      'deleteLabels',
    ] as const) {
      this.#batch.add(part, id);
    }
    if (op.logs) {
      this.#batch.add('leaveLogs', id);
      this.#batch.add('deleteLogs', id);
    }
    if (op.metrics) this.#batch.add('deleteMetrics', id);
  }

  #putTaskRun({ taskRun }: OpOf<'taskRun.put'>): void {
    this.#taskRuns.set(JSON.stringify([taskRun.executionId, taskRun.id]), () => {
      const row = encodeTaskRun(taskRun);
      const [executionId = null, id = null, , state = null, start = null, duration = null] = row;
      const [namespace, flowId] = this.#flowOf(taskRun.executionId);
      this.#batch.add('leaveTaskRun', executionId, id, namespace, flowId);
      this.#batch.add('putTaskRun', ...row);
      if (namespace === null) this.#batch.add('countTaskRun', executionId, state, start, duration);
      else {
        const ended = duration === null ? null : Number(duration);
        const of = [rollUpSubjects.taskRuns, String(namespace), String(flowId), Number(start)] as const;
        this.#sums.add([...of, String(state), 1, ended]);
      }
    });
  }

  #flowOf(executionId: string): readonly [SqlValue, SqlValue] {
    return this.#flows.get(executionId) ?? [null, null];
  }

  #insertFlow({ flow, expectRevision }: OpOf<'flow.insert'>): void {
    const [namespace, id] = [encodeText(flow.namespace), encodeText(flow.id)];
    this.#batch.add('insertFlow', ...encodeFlow(flow), expectRevision);
    this.#batch.add('retireFlow', namespace, id, flow.revision);
    for (const { key, value } of flow.labels) {
      this.#batch.add('insertFlowLabel', namespace, id, flow.revision, encodeText(key), encodeText(value));
    }
  }

  #insertTokens(sessionId: string, tokens: readonly SessionToken[]): void {
    for (const token of tokens) {
      this.#batch.add('insertSessionToken', ...encodeSessionToken(sessionId, token));
    }
  }

  #deleteSessions({ selection }: OpOf<'session.delete'>): void {
    if ('id' in selection) return this.#batch.add('deleteSession', selection.id);
    if ('username' in selection)
      return this.#batch.add('deleteSessionsOfUser', encodeText(selection.username));
    this.#batch.add('deleteEndedSessions', selection.endedBefore);
    this.#batch.add('deleteExpiredTokens', selection.endedBefore);
  }

  #insertLabels(
    executionId: string,
    labels: readonly { key: string; value: string }[],
    startDate: number,
  ): void {
    for (const { key, value } of labels) {
      this.#batch.add('insertLabel', encodeText(executionId), encodeText(key), encodeText(value), startDate);
    }
  }
}

function logText({ log }: OpOf<'log.insert'>): string {
  const { namespace, flowId, taskId, executionId, taskRunId, triggerId, thread, message } = log;
  return searchText(namespace, flowId, taskId, executionId, taskRunId, triggerId, thread, message);
}
