import type { WorkerAttempt } from '../../port/cluster.ts';
import type { ClusterOp } from '../../port/op.ts';
import { encodeOptional, encodeText } from '../../rows/text.ts';
import type { Batch } from '../batch.ts';

export function encodeClusterOp(op: ClusterOp, batch: Batch): void {
  switch (op.op) {
    case 'message.put': {
      const { id, executionId, owner, content } = op.message;
      return batch.add(
        'putMessage',
        encodeText(id),
        encodeText(executionId),
        encodeOptional(owner),
        JSON.stringify(content),
      );
    }
    case 'message.take':
      return batch.add('takeMessage', encodeText(op.id));
    case 'message.refuse':
      return batch.add('refuseMessage', encodeText(op.id), JSON.stringify(op.refusal));
    case 'attempt.begin':
      return batch.add('beginAttempt', ...attemptKey(op.attempt), encodeText(op.workerId));
    case 'attempt.end':
      return batch.add('endAttempt', ...attemptKey(op.attempt));
    case 'attempt.want':
      return batch.add('wantAttempt', ...attemptKey(op.attempt));
    case 'folder.hold': {
      const { directory, executionId, taskRunId } = op.folder;
      const key = [encodeText(directory), encodeText(executionId), encodeText(taskRunId)] as const;
      return batch.add('holdFolder', ...key, encodeText(op.workerId));
    }
    case 'folder.drop':
      return batch.add('dropFolder', encodeText(op.directory));
    case 'job.add':
      return batch.add('addJob', encodeText(op.identifier), JSON.stringify(op.payload), op.key ?? null);
  }
}

const attemptKey = ({ executionId, taskRunId, attempt }: WorkerAttempt) =>
  [encodeText(executionId), encodeText(taskRunId), attempt] as const;
