import { defineLanguage, type Language } from '../language.ts';
import { defineScriptTriggers } from '../scriptTrigger.ts';

const language: Language = {
  name: 'shell',
  title: 'shell',
  trigger: 'echo ready',
  containerImage: 'ubuntu',
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
};

export const shell = defineLanguage(language);
export const shellTriggers = defineScriptTriggers(language);
