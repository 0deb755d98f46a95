import { defineLanguage } from '../language.ts';

export const go = defineLanguage({
  name: 'go',
  title: 'Go',
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
    title: 'Run a file of the namespace.',
    runs: false,
    code: `id: go_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.go.Commands
    namespaceFiles:
      enabled: true
    commands:
      - go run main.go
`,
  },
});
