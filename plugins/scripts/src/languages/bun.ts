import { defineLanguage } from '../language.ts';

export const bun = defineLanguage({
  name: 'bun',
  title: 'Bun',
  containerImage: 'oven/bun',
  file: { extension: '.ts', command: "bun run '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: bun_script
namespace: company.team

tasks:
  - id: run
    type: scripts.bun.Script
    script: |
      console.log('Hello from Bun');
`,
  },
  commands: {
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: false,
    code: `id: bun_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.bun.Commands
    inputFiles:
      main.ts: |
        console.log('Hello from Bun');
    commands:
      - bun run main.ts
`,
  },
});
