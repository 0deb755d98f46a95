import type { TaskContext } from '@millrace/plugin-kit';

/** A token as an output: stored encrypted when the server has a key, and always masked in logs. */
export function sealedOutput({ seal, masker }: Pick<TaskContext, 'seal' | 'masker'>, token: string): unknown {
  masker.add(token);
  try {
    return seal(token);
  } catch {
    return token;
  }
}
