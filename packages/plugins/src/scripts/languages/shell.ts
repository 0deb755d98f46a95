import { defineLanguage } from '../language.ts';

export const shell = defineLanguage({
  name: 'shell',
  title: 'shell',
  containerImage: 'ubuntu',
  aliases: ['io.kestra.core.tasks.scripts.Bash'],
  script: {
    title: 'Return a value from a script.',
    runs: true,
    code: `id: shell_script
namespace: company.team

tasks:
  - id: count
    type: scripts.shell.Script
    script: |
      lines=$(printf 'a\\nb\\nc\\n' | wc -l)
      echo "::{\\"outputs\\": {\\"lines\\": $lines}}::"

  - id: show
    type: core.log.Log
    message: "{{ outputs.count.vars.lines }} lines"
`,
  },
  commands: {
    title: 'Make a file and keep it.',
    runs: true,
    code: `id: shell_commands
namespace: company.team

tasks:
  - id: make
    type: scripts.shell.Commands
    env:
      NAME: "{{ flow.id }}"
    outputFiles:
      - "*.txt"
    commands:
      - echo "Written by $NAME" > report.txt

  - id: show
    type: core.log.Log
    message: "{{ read(outputs.make.outputFiles['report.txt']) }}"
`,
  },
});
