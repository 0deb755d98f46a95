import { defineLanguage } from '../language.ts';

export const deno = defineLanguage({
  name: 'deno',
  title: 'Deno',
  containerImage: 'denoland/deno',
  file: { extension: '.ts', command: "deno run --allow-all '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: deno_script
namespace: company.team

tasks:
  - id: run
    type: scripts.deno.Script
    script: |
      console.log('Hello from Deno');
`,
  },
  commands: {
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: false,
    code: `id: deno_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.deno.Commands
    inputFiles:
      main.ts: |
        console.log('Hello from Deno');
    commands:
      - deno run main.ts
`,
  },
});
