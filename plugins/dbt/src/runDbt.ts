import type { TaskContext, Warning } from '@millrace/plugin-kit';
import { warning } from '@millrace/plugin-kit';
import { runCommands, type ScriptInput, type ScriptOutput, toResult } from '@millrace/plugin-scripts';
import { createDbtLog } from './dbtLog.ts';
import { readTarget, reportResults } from './runResults.ts';

export interface DbtRun {
  readonly lines: readonly string[];
  readonly projectDir: string | undefined;
  readonly parseRunResults: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Receives the manifest of the run, when there is one. */
  readonly onManifest?: (content: string) => Promise<void>;
}

/** Runs dbt and reports its nodes, even when it fails. A dbt warning ends the task in WARNING. */
export async function runDbt(
  context: TaskContext,
  input: ScriptInput,
  { lines, projectDir, parseRunResults, env, onManifest }: DbtRun,
): Promise<ScriptOutput | Warning> {
  const startedAt = Date.now();
  const log = createDbtLog(context);
  const end = await runCommands(context, input, {
    lines,
    env: { PYTHONUNBUFFERED: 'true', PIP_ROOT_USER_ACTION: 'ignore', ...env },
    readLine: log.readLine,
  });
  const { runResults, manifest } = await readTarget(end.folder, projectDir, startedAt);
  if (manifest !== undefined) await onManifest?.(manifest);
  const files: Record<string, string> = {};
  if (parseRunResults) {
    if (runResults !== undefined) {
      reportResults(context, runResults);
      files['run_results.json'] = await context.files.put('run_results.json', runResults);
    }
    if (manifest !== undefined) files['manifest.json'] = await context.files.put('manifest.json', manifest);
  }
  const result = toResult(end, { outputFiles: { ...end.outputs.outputFiles, ...files } });
  return log.hasWarnings() && 'vars' in result ? warning(result) : result;
}
