import { defineLanguage } from '../language.ts';

export const node = defineLanguage({
  name: 'node',
  title: 'Node.js',
  containerImage: 'node',
  aliases: ['io.kestra.core.tasks.scripts.Node'],
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
    title: 'Run a file of the namespace.',
    runs: false,
    code: `id: node_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.node.Commands
    namespaceFiles:
      enabled: true
    commands:
      - node main.js
`,
  },
});
