import { defineLanguage, type Language } from '../language.ts';
import { defineScriptTriggers } from '../scriptTrigger.ts';

const language: Language = {
  name: 'node',
  title: 'Node.js',
  trigger: 'console.log("ready")',
  containerImage: 'node',
  file: { extension: '.mjs', command: "node '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: true,
    code: `id: node_script
namespace: company.team

tasks:
  - id: run
    type: scripts.node.Script
    script: |
      console.log('::' + JSON.stringify({ outputs: { version: process.version } }) + '::');
`,
  },
  commands: {
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: true,
    code: `id: node_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.node.Commands
    inputFiles:
      main.js: |
        console.log(process.argv.length - 2, 'arguments');
    commands:
      - node main.js one two
`,
  },
};

export const node = defineLanguage(language);
export const nodeTriggers = defineScriptTriggers(language);
