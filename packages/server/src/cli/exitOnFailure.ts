import type { ProcessLog } from '../processLog.ts';
import { failTaskOf } from '../worker/containErrors.ts';
import { exitCodes } from './command.ts';

export interface Failure {
  /** Logs the error, closes the server and ends the process with an exit code that is not 0. */
  end(error: Error): void;
  /** From now on there is a server to close. */
  closeWith(close: () => Promise<void>): void;
}

/**
 * After an uncaught error the state of this process is unknown. Continuing would risk executions that hang
 * silently, so the process exits and a supervisor restarts it; open executions resume from their rows.
 */
export function exitOnFailure(log: ProcessLog, closeWithinMs: number): Failure {
  let close = (): Promise<void> => Promise.resolve();
  let isEnding = false;
  const end = (error: unknown, message: string): void => {
    log.error(message, { error });
    if (isEnding) return;
    isEnding = true;
    process.exitCode = exitCodes.failed;
    setTimeout(() => {
      log.error(`The server did not close within ${closeWithinMs / 1_000} seconds and ends without it.`);
      process.exit(exitCodes.failed);
    }, closeWithinMs);
    close()
      .catch((reason: unknown) => log.error('The server did not stop cleanly.', { error: reason }))
      .finally(() => process.exit(exitCodes.failed));
  };
  const contained = (error: unknown): boolean => {
    const isContained = failTaskOf(error);
    if (isContained)
      log.error('A plugin threw an error outside of its task. The task fails with it.', { error });
    return isContained;
  };
  process.on(
    'uncaughtException',
    (error) =>
      contained(error) ||
      end(error, 'An error was not caught. The server stops; open executions resume at its next start.'),
  );
  process.on(
    'unhandledRejection',
    (error) =>
      contained(error) ||
      end(
        error,
        'A rejected promise was not handled. The server stops; open executions resume at its next start.',
      ),
  );
  return {
    end: (error) =>
      end(
        error,
        `${error.message} The server stops and has to be started again; open executions resume then.`,
      ),
    closeWith: (given) => {
      close = given;
    },
  };
}
