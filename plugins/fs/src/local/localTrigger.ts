import {
  defineTrigger,
  duration,
  fixed,
  openTriggerState,
  type TriggerContext,
  type TriggerStateInput,
  text,
  triggerStateProperties,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import {
  actionIssue,
  actionProperties,
  actionProperty,
  choiceProperties,
  disposeOf,
} from '../remote/download.ts';
import { versionOf } from '../remote/trigger.ts';
import { type LocalFile, LocalFiles } from './localFiles.ts';
import { localFileOutput, toLocalOutput } from './localOutput.ts';
import { chooseLocal, fileUri } from './localWork.ts';

export const localTrigger = defineTrigger({
  type: 'fs.local.Trigger',
  role: 'polling',
  title: 'Start when files arrive in a folder of the worker',
  description: `Looks into a folder every \`interval\`, stores the files that are there, and starts one execution for all of them. With the action
\`NONE\` the trigger remembers the files that it has seen. Only folders that the configuration of the server opens with \`allowedPaths\` can be used.`,
  check: actionIssue,
  input: () =>
    z.object({
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
      from: text().describe('The folder, as a full path on the worker.'),
      action: actionProperty().default('NONE'),
      ...actionProperties,
      ...choiceProperties,
      ...triggerStateProperties,
    }),
  output: () =>
    z.object({
      files: z.array(localFileOutput).describe('The stored files.'),
      count: z.number().describe('How many there are.'),
    }),
  examples: [
    {
      title: 'Process every file that arrives.',
      runs: false,
      code: `id: local_files
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.count }} files: {{ trigger.files | jq('.[].name') }}"

triggers:
  - id: watch
    type: fs.local.Trigger
    from: /data/inbox
    interval: PT30S
    regExp: '.*\\.csv'
`,
    },
  ],
  async poll(context, { action, moveDirectory, maxFiles, from, regExp, recursive, on, stateKey, stateTtl }) {
    const files = new LocalFiles(context, 'fs.local.Trigger');
    const chosen = (await chooseLocal(context, files, { from, regExp, recursive })) ?? [];
    const isStateful = action === 'NONE';
    const { taken, save } = isStateful
      ? await takeChanged(context, chosen, { on, stateKey, stateTtl }, maxFiles)
      : { taken: chosen.slice(0, maxFiles).map((file) => ({ file })), save: async () => {} };
    const outputs = [];
    for (const { file } of taken)
      outputs.push(toLocalOutput(file, await context.files.put(file.name, files.read(file.path))));
    for (const { file } of taken) await disposeOf(files, file, action, moveDirectory);
    await save();
    return outputs.length === 0 ? undefined : { files: outputs, count: outputs.length };
  },
});

/** The files that are new or have changed, and how to remember that they were seen. */
export async function takeChanged(
  context: TriggerContext,
  chosen: readonly LocalFile[],
  input: TriggerStateInput,
  maxFiles: number,
) {
  const state = await openTriggerState(context, input);
  const candidates = chosen.map((file) => ({
    uri: fileUri(file.path),
    version: versionOf(file),
    modifiedAt: file.modifiedAt,
    file,
  }));
  const taken = state
    .changes(candidates, maxFiles)
    .map(({ candidate, changeType }) => ({ file: candidate.file, changeType }));
  return { taken, save: () => state.save() };
}
