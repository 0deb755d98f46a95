import { isTerminal } from '@millrace/contract';
import { StatSums } from '../commit/statSums.ts';
import type { WrittenExecutions } from '../commit/writtenExecutions.ts';
import type { Op } from '../port/op.ts';
import type { SessionToken } from '../port/session.ts';
import {
  columnsOf,
  dayOf,
  encodeData,
  encodeOrigin,
  parentIdOf,
  triggerExecutionIdOf,
} from '../rows/executionRow.ts';
import { encodeFlow } from '../rows/flowRow.ts';
import { encodeKv, kvKey } from '../rows/kvRow.ts';
import { encodeLog, encodeLogSelection, encodeMetric } from '../rows/logRow.ts';
import { searchText } from '../rows/searchText.ts';
import { encodeSession, encodeSessionToken } from '../rows/sessionRow.ts';
import { encodeTemplate, templateKey } from '../rows/templateRow.ts';
import { encodeOptional, encodeText } from '../rows/text.ts';
import { encodeTrigger, triggerKey } from '../rows/triggerRow.ts';
import { encodeFlowEvent, windowKey } from '../rows/windowRow.ts';
import { Batch, type Statement } from './batch.ts';

type OpOf<K extends Op['op']> = Extract<Op, { op: K }>;

/** Transposes operations into one statement. No two of them may be about the same row; see `fusable`. */
export function encodeBatch(ops: Iterable<Op>, written: WrittenExecutions): Statement {
  const encoding = new Encoding(written);
  for (const op of ops) encoding.add(op);
  return encoding.finish();
}

class Encoding {
  readonly #batch = new Batch();
  readonly #stats = new StatSums();
  /** Stored executions to take out of the roll-up. */
  readonly #leaving: string[] = [];
  /** The last word on each task run: a row can be written only once in a statement. */
  readonly #taskRuns = new Map<string, () => void>();
  readonly #written: WrittenExecutions;

  constructor(written: WrittenExecutions) {
    this.#written = written;
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
          this.#taskRuns.set(JSON.stringify([op.executionId, id]), () =>
            batch.add('deleteTaskRun', encodeText(op.executionId), encodeText(id)),
          );
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
        return batch.add('insertLog', ...encodeLog(op.log), logText(op));
      case 'log.delete':
        return batch.add(
          'flowId' in op.selection ? 'deleteFlowLogs' : 'deleteSelectedLogs',
          ...encodeLogSelection(op.selection),
        );
      case 'metric.insert':
        return batch.add('insertMetric', ...encodeMetric(op.metric));
      case 'flow.insert':
        return this.#insertFlow(op);
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
        return batch.add('putSetting', encodeText(op.key), JSON.stringify(op.value));
    }
  }

  finish(): Statement {
    for (const write of this.#taskRuns.values()) write();
    this.#stats.keep();
    // One command for all of the roll-up: a statement may not write the same row twice.
    if (this.#leaving.length === 0) for (const row of this.#stats.rows()) this.#batch.add('addStats', ...row);
    else {
      for (const row of this.#stats.rows()) this.#batch.add('addAndRemoveStats', ...row, null);
      for (const id of this.#leaving) {
        this.#batch.add('addAndRemoveStats', null, null, null, null, -1, null, id);
      }
    }
    return this.#batch.toStatement();
  }

  #insertExecution({ execution, uniqueKey }: OpOf<'execution.insert'>): void {
    const { startDate, endDate, duration, overAt } = columnsOf(execution);
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
      overAt,
      parentIdOf(execution),
      triggerExecutionIdOf(execution),
      encodeOptional(uniqueKey),
      1,
      encodeData(execution),
      encodeOrigin(execution),
    );
    this.#insertLabels(execution.id, execution.labels, startDate);
    this.#stats.add([dayOf(startDate), namespace ?? null, flowId ?? null, state, 1, duration ?? 0]);
  }

  #updateExecution({ execution, previousState, expectVersion }: OpOf<'execution.update'>): void {
    const { startDate, endDate, duration, overAt } = columnsOf(execution);
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
      overAt,
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
    const wasOver = isTerminal(previousState);
    if (!wasOver && state === previousState) return;
    const flow = [dayOf(startDate), encodeText(execution.namespace), encodeText(execution.flowId)] as const;
    // Leaving a state in which a duration was counted: only the stored row knows that duration.
    if (wasOver) this.#leaving.push(id);
    else this.#stats.add([...flow, previousState, -1, 0]);
    this.#stats.add([...flow, state, 1, duration ?? 0]);
  }

  #deleteExecution(op: OpOf<'execution.delete'>): void {
    const id = encodeText(op.id);
    this.#leaving.push(id);
    for (const part of ['deleteExecution', 'deleteTaskRuns', 'deleteEvents', 'deleteLabels'] as const) {
      this.#batch.add(part, id);
    }
    if (op.logs) this.#batch.add('deleteLogs', id);
    if (op.metrics) this.#batch.add('deleteMetrics', id);
  }

  #putTaskRun({ taskRun }: OpOf<'taskRun.put'>): void {
    this.#taskRuns.set(JSON.stringify([taskRun.executionId, taskRun.id]), () =>
      this.#batch.add(
        'putTaskRun',
        encodeText(taskRun.executionId),
        encodeText(taskRun.id),
        encodeText(taskRun.taskId),
        taskRun.state.current,
        taskRun.state.histories[0]?.date ?? 0,
        JSON.stringify(taskRun),
      ),
    );
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
