import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { choice, defineTask, flag, ownPrefix, text, writeInside } from '@millrace/plugin-kit';
import {
  cliProperties,
  cliTask,
  commandsProperty,
  prepareFolder,
  runCommands,
  scriptOutput,
  toResult,
} from '@millrace/plugin-scripts';
import { z } from 'zod';
import { callbackCode, callbackName, resultsVariable } from './callback.ts';
import { playbookOutput, readAnsibleResults, toTaskRuns } from './results.ts';

const defaultConfig = `[defaults]
interpreter_python = auto_silent
host_key_checking = False
retry_files_enabled = False
deprecation_warnings = False
`;
const callbackFolder = `${ownPrefix}callback`;
const resultsFile = `${ownPrefix}ansible-results.jsonl`;
const logFile = `${ownPrefix}ansible.log`;

export const ansibleCli = defineTask({
  ...cliTask,
  type: 'ansible.cli.AnsibleCLI',
  title: 'Run Ansible commands',
  description: `Runs Ansible commands, such as \`ansible-playbook\`, and shows every task of their plays as a child task run. Ansible must be on
the worker, or \`taskRunner\` names a container or pod with it.

\`outputs.<task>.playbooks\` has the plays, their tasks and the result on each host; results above 32 KB are cut. With \`outputsMode: ALL\`
\`outputs.<task>.vars.outputs\` is the list of all results, with EXPLICIT it is the map that \`ansible.builtin.set_stats\` has set.`,
  input: () =>
    z.object({
      commands: commandsProperty(),
      ansibleConfig: text()
        .default(defaultConfig)
        .describe(
          'The content of `ansible.cfg`. A file of this name in the working directory is used instead.',
        ),
      outputsMode: choice(['ALL', 'EXPLICIT'])
        .default('ALL')
        .describe('Return the results of all tasks, or only what `set_stats` sets.'),
      outputLogFile: flag().default(false).describe('Keep the log of Ansible as the output file `log`.'),
      autoInstallPythonRequirements: flag()
        .default(true)
        .describe('Install the packages of `requirements.txt` first, when there is one.'),
      autoInstallGalaxyRequirements: flag()
        .default(true)
        .describe('Install the roles and collections of `requirements.yml` first, when there is one.'),
      ...cliProperties('cytopia/ansible:latest-tools'),
    }),
  output: scriptOutput.extend({
    playbooks: z.array(playbookOutput).describe('What the playbooks did.'),
  }),
  examples: [
    {
      title: 'Run a playbook against hosts of an inventory.',
      runs: false,
      code: `id: ansible_playbook
namespace: company.team

tasks:
  - id: update
    type: ansible.cli.AnsibleCLI
    taskRunner:
      type: scripts.runner.docker.Docker
    inputFiles:
      inventory.ini: |
        [web]
        web1.example.com ansible_user=robot
      key: "{{ secret('SSH_PRIVATE_KEY') }}"
      playbook.yml: |
        - hosts: web
          tasks:
            - name: Upgrade all packages
              ansible.builtin.apt:
                update_cache: true
                upgrade: dist
    beforeCommands:
      - chmod 600 key
    commands:
      - ansible-playbook -i inventory.ini --private-key key playbook.yml
`,
    },
  ],
  async run(context, input) {
    const folder = await prepareFolder(context, input);
    const config = await provideConfig(folder, input.ansibleConfig);
    await writeInside(folder, `${callbackFolder}/${callbackName}.py`, callbackCode);
    const installs = [
      ...(input.autoInstallPythonRequirements
        ? ['if [ -f requirements.txt ]; then python3 -m pip install -q -r requirements.txt; fi']
        : []),
      ...(input.autoInstallGalaxyRequirements
        ? ['if [ -f requirements.yml ]; then ansible-galaxy install -r requirements.yml; fi']
        : []),
    ];
    const end = await runCommands(context, input, {
      lines: [...installs, ...input.commands],
      env: {
        // Ansible ignores the file in a world-writable folder unless it is named explicitly.
        ANSIBLE_CONFIG: join(folder, 'ansible.cfg'),
        ANSIBLE_CALLBACK_PLUGINS: [join(folder, callbackFolder), settingIn(config, 'callback_plugins')]
          .filter(Boolean)
          .join(':'),
        ANSIBLE_CALLBACKS_ENABLED: [callbackName, settingIn(config, 'callbacks_enabled')]
          .filter(Boolean)
          .join(','),
        [resultsVariable]: join(folder, resultsFile),
        ...(input.outputLogFile && { ANSIBLE_LOG_PATH: join(folder, logFile) }),
      },
    });
    const { playbooks, all, explicit } = readAnsibleResults(await read(folder, resultsFile));
    for (const child of toTaskRuns(playbooks)) context.addTaskRun(child);
    const log = input.outputLogFile
      ? { log: await context.files.put('ansible.log', await read(folder, logFile)) }
      : {};
    return toResult(end, {
      playbooks: [...playbooks],
      vars: { ...end.outputs.vars, playbooks, outputs: input.outputsMode === 'ALL' ? all : explicit },
      outputFiles: { ...end.outputs.outputFiles, ...log },
    });
  },
});

/** The user's file, or a new file with the content of the property. */
async function provideConfig(folder: string, content: string): Promise<string> {
  const own = await readFile(join(folder, 'ansible.cfg'), 'utf8').catch(() => undefined);
  if (own === undefined) await writeInside(folder, 'ansible.cfg', content);
  return own ?? content;
}

const settingIn = (config: string, name: string): string | undefined =>
  new RegExp(`^\\s*${name}\\s*=\\s*(\\S.*?)\\s*$`, 'm').exec(config)?.[1];

const read = (folder: string, name: string): Promise<string> =>
  readFile(join(folder, name), 'utf8').catch(() => '');
