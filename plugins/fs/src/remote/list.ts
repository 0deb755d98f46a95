import { choice, defineTask, type TaskDefinition, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { choiceProperties } from './download.ts';
import { exampleFlow } from './example.ts';
import { fileOutput, missing, type Protocol, toOutput, toUri, withFiles } from './protocol.ts';
import { listFiles, pathMatcher, sortFiles, toServerPath } from './remoteFiles.ts';

export const sortProperty = () =>
  choice(['NONE', 'LAST_MODIFIED_ASC', 'LAST_MODIFIED_DESC', 'NAME_ASC', 'NAME_DESC'])
    .default('NONE')
    .describe('The order of the files, before `maxFiles` of them are taken.');

export function defineList(protocol: Protocol): TaskDefinition {
  return defineTask({
    type: `fs.${protocol.name}.List`,
    title: `List files of an ${protocol.title}`,
    description: 'Returns the files of a folder of the server.',
    input: () =>
      z.object({
        ...protocol.properties,
        from: text().describe('The folder on the server.'),
        ...choiceProperties,
        sort: sortProperty(),
      }),
    output: () => z.object({ files: z.array(fileOutput).describe('The files.') }),
    sideEffects: true,
    examples: [
      exampleFlow(protocol, 'List', 'Log the names of the newest files.', {
        lines: [`from: ${protocol.exampleFolder}`, 'sort: LAST_MODIFIED_DESC', 'maxFiles: 10'],
        then: '  - id: show\n    type: core.log.Log\n    message: "{{ outputs.list.files | jq(\'.[].name\') }}"',
      }),
    ],
    run: (context, { from, regExp, recursive, maxFiles, sort, ...connection }) =>
      withFiles(protocol, context, connection, async (files) => {
        const folder = toServerPath(from);
        const found = await listFiles(files, folder, recursive);
        if (!found) throw missing(folder, protocol);
        const matches = pathMatcher(regExp);
        const chosen = sortFiles(
          found.filter(({ path }) => matches(path)),
          sort,
        );
        if (chosen.length > maxFiles)
          await context.log('WARN', `Only ${maxFiles} of ${chosen.length} files are listed: see "maxFiles".`);
        return {
          files: chosen
            .slice(0, maxFiles)
            .map((file) => toOutput(file, toUri(protocol, connection, file.path))),
        };
      }),
  });
}
