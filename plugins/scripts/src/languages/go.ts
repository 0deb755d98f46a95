import { defineLanguage, type Language } from '../language.ts';
import { defineScriptTriggers } from '../scriptTrigger.ts';

const language: Language = {
  name: 'go',
  title: 'Go',
  trigger: 'package main; func main() { println("ready") }',
  containerImage: 'golang',
  file: { extension: '.go', command: "go run '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: go_script
namespace: company.team

tasks:
  - id: run
    type: scripts.go.Script
    script: |
      package main

      import "fmt"

      func main() {
        fmt.Println("Hello from Go")
      }
`,
  },
  commands: {
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: false,
    code: `id: go_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.go.Commands
    inputFiles:
      main.go: |
        package main

        import "fmt"

        func main() {
          fmt.Println("Hello from Go")
        }
    commands:
      - go run main.go
`,
  },
};

export const go = defineLanguage(language);
export const goTriggers = defineScriptTriggers(language);
