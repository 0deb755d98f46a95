import type { RunnerJob, TaskContext } from '@millrace/plugin-kit';
import type { Google } from '../google/client.ts';
import { mapAt, mapsAt, textAt } from '../google/json.ts';

/** Passes on the lines of Cloud Logging that are new since the last call. An account without access to logs sees none. */
export function remoteLog(
  google: Google,
  context: Pick<TaskContext, 'log'>,
  job: Pick<RunnerJob, 'onStdout' | 'onStderr'>,
  { project, filter }: { readonly project: string; readonly filter: string },
): () => Promise<void> {
  const seen = new Set<string>();
  let since = new Date(Date.now() - 3_600_000).toISOString();
  let isAllowed = true;
  return async () => {
    if (!isAllowed) return;
    let pageToken: string | undefined;
    do {
      const { status, body } = await google.json({
        url: 'https://logging.googleapis.com/v2/entries:list',
        body: {
          resourceNames: [`projects/${project}`],
          filter: `${filter} AND timestamp>="${since}"`,
          orderBy: 'timestamp asc',
          pageSize: 1000,
          ...(pageToken && { pageToken }),
        },
        allow: [403],
        idempotent: true,
      });
      if (status === 403) {
        isAllowed = false;
        await context.log(
          'WARN',
          'The log of the job cannot be read: the account needs the role "Logs Viewer".',
        );
        return;
      }
      for (const entry of mapsAt(body, 'entries')) {
        const id = textAt(entry, 'insertId') ?? '';
        if (seen.has(id)) continue;
        seen.add(id);
        since = textAt(entry, 'timestamp') ?? since;
        const line = textAt(entry, 'textPayload') ?? textAt(mapAt(entry, 'jsonPayload'), 'message');
        if (line === undefined) continue;
        const isError =
          textAt(entry, 'severity') === 'ERROR' || textAt(entry, 'logName')?.endsWith('stderr') === true;
        const bytes = Buffer.from(line.endsWith('\n') ? line : `${line}\n`);
        await (isError ? job.onStderr(bytes) : job.onStdout(bytes));
      }
      pageToken = textAt(body, 'nextPageToken') || undefined;
    } while (pageToken !== undefined);
  };
}
