import { defineLanguage } from '../language.ts';

export const rLanguage = defineLanguage({
  name: 'r',
  title: 'R',
  containerImage: 'r-base',
  file: { extension: '.R', command: "Rscript '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: r_script
namespace: company.team

tasks:
  - id: run
    type: scripts.r.Script
    script: |
      cat('Hello from R')
`,
  },
  commands: {
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: false,
    code: `id: r_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.r.Commands
    inputFiles:
      main.R: |
        cat('Hello from R')
    commands:
      - Rscript main.R
`,
  },
});
