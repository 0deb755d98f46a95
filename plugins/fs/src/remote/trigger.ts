import {
  defineTrigger,
  duration,
  fixed,
  openTriggerState,
  type TriggerDefinition,
  text,
  triggerStateProperties,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { actionIssue, actionProperties, actionProperty, choiceProperties, disposeOf } from './download.ts';
import { sortProperty } from './list.ts';
import { fileOutput, type Protocol, toOutput, toUri, withFiles } from './protocol.ts';
import { listFiles, pathMatcher, type RemoteFile, sortFiles, toServerPath } from './remoteFiles.ts';

export const versionOf = (file: Pick<RemoteFile, 'modifiedAt' | 'size' | 'path'>): string =>
  `${file.modifiedAt?.getTime() ?? 0}_${file.size}_${file.path}`;

export function defineFileTrigger(protocol: Protocol): TriggerDefinition {
  return defineTrigger({
    type: `fs.${protocol.name}.Trigger`,
    role: 'polling',
    title: `Start when files arrive on an ${protocol.title}`,
    description: `Looks into a folder of the server every \`interval\`, downloads the files that are there, and starts one execution for
all of them. With the action \`MOVE\` or \`DELETE\` every file counts, because it is gone afterwards. With \`NONE\` the trigger remembers
the files that it has seen: \`on\` says whether new or changed files start an execution. A folder that does not exist starts nothing.`,
    check: actionIssue,
    input: () =>
      z.object({
        ...protocol.properties,
        interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
        from: text().describe('The folder on the server.'),
        action: actionProperty(),
        ...actionProperties,
        ...choiceProperties,
        sort: sortProperty(),
        ...triggerStateProperties,
      }),
    output: () =>
      z.object({
        files: z
          .array(
            z.object({
              ...fileOutput.shape,
              file: fileOutput.describe('The same fields, under the name that flows for Kestra use.'),
              changeType: z.enum(['CREATE', 'UPDATE']).describe('Whether the file is new or has changed.'),
            }),
          )
          .describe('The downloaded files.'),
      }),
    examples: [
      {
        title: 'Process every file that arrives, and move it away.',
        runs: false,
        code: `id: ${protocol.name}_files
namespace: company.team

tasks:
  - id: each
    type: core.flow.ForEach
    values: "{{ trigger.files | jq('.[].path') }}"
    tasks:
      - id: show
        type: core.log.Log
        message: "{{ taskrun.value }}"

triggers:
  - id: watch
    type: fs.${protocol.name}.Trigger
${protocol.example.map((line) => `    ${line}`).join('\n')}
    from: ${protocol.exampleFolder}/inbox
    interval: PT30S
    action: MOVE
    moveDirectory: ${protocol.exampleFolder}/archive
`,
      },
    ],
    poll: (context, properties) => {
      const {
        interval: _,
        from,
        action,
        moveDirectory,
        regExp,
        recursive,
        maxFiles,
        sort,
        ...rest
      } = properties;
      const { on, stateKey, stateTtl, ...connection } = rest;
      return withFiles(protocol, context, connection, async (files) => {
        const found = await listFiles(files, toServerPath(from), recursive);
        const matches = pathMatcher(regExp);
        const chosen = sortFiles(
          (found ?? []).filter(({ path }) => matches(path)),
          sort,
        );
        const state =
          action === 'NONE' ? await openTriggerState(context, { on, stateKey, stateTtl }) : undefined;
        const candidates = chosen.map((file) => ({
          uri: toUri(protocol, connection, file.path),
          version: versionOf(file),
          modifiedAt: file.modifiedAt,
          file,
        }));
        const changes = state
          ? state.changes(candidates, maxFiles)
          : candidates.slice(0, maxFiles).map((candidate) => ({ candidate, changeType: 'CREATE' as const }));
        const outputs = [];
        for (const { candidate, changeType } of changes) {
          const { file } = candidate;
          const output = toOutput(file, await context.files.put(file.name, files.read(file.path)));
          outputs.push({ ...output, file: output, changeType });
        }
        // All files are stored before the first one is removed: a poll that fails loses none.
        for (const { candidate } of changes) await disposeOf(files, candidate.file, action, moveDirectory);
        await state?.save();
        return outputs.length === 0 ? undefined : { files: outputs };
      });
    },
  });
}
