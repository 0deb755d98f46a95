import { defineLanguage } from '../language.ts';

export const groovy = defineLanguage({
  name: 'groovy',
  title: 'Groovy',
  containerImage: 'groovy',
  file: { extension: '.groovy', command: "groovy '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: groovy_script
namespace: company.team

tasks:
  - id: run
    type: scripts.groovy.Script
    script: |
      println 'Hello from Groovy'
`,
  },
  commands: {
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: false,
    code: `id: groovy_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.groovy.Commands
    inputFiles:
      main.groovy: |
        println 'Hello from Groovy'
    commands:
      - groovy main.groovy
`,
  },
});
