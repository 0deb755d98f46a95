import { type FlowValidation, flows } from '@millrace/contract';
import { useEffect, useState } from 'react';
import { call } from '../../api/index.ts';

const PAUSE_MS = 500;

export interface ServerIssues {
  readonly status: 'checking' | 'checked' | 'silent';
  /** The last answer; it may be about a slightly older text. */
  readonly validation?: FlowValidation;
}

/** Asks the server about the text once typing pauses. It knows every plugin, which the browser does not. */
export function useServerIssues(source: string): ServerIssues {
  const [answer, setAnswer] = useState<ServerIssues>({ status: 'checking' });
  useEffect(() => {
    const controller = new AbortController();
    setAnswer((known) => (known.status === 'checking' ? known : { ...known, status: 'checking' }));
    const timer = setTimeout(() => {
      call(flows.validateFlows, { body: source, signal: controller.signal, failures: 'handled' }).then(
        ([validation]) => setAnswer({ status: 'checked', ...(validation && { validation }) }),
        () => {
          if (!controller.signal.aborted) setAnswer({ status: 'silent' });
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [source]);
  return answer;
}
