import { defineLanguage } from '../language.ts';

export const julia = defineLanguage({
  name: 'julia',
  title: 'Julia',
  containerImage: 'julia',
  file: { extension: '.jl', command: "julia '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: julia_script
namespace: company.team

tasks:
  - id: run
    type: scripts.julia.Script
    script: |
      println("Hello from Julia")
`,
  },
  commands: {
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: false,
    code: `id: julia_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.julia.Commands
    inputFiles:
      main.jl: |
        println("Hello from Julia")
    commands:
      - julia main.jl
`,
  },
});
