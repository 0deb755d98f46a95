import { defineLanguage } from '../language.ts';

export const jbang = defineLanguage({
  name: 'jbang',
  title: 'JBang',
  containerImage: 'jbangdev/jbang-action',
  file: { extension: '.java', command: "jbang '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: false,
    code: `id: jbang_script
namespace: company.team

tasks:
  - id: run
    type: scripts.jbang.Script
    script: |
      class Hello {
        public static void main(String[] args) {
          System.out.println("Hello from Java");
        }
      }
`,
  },
  commands: {
    title: 'Run a file of the namespace.',
    runs: false,
    code: `id: jbang_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.jbang.Commands
    namespaceFiles:
      enabled: true
    commands:
      - jbang Main.java
`,
  },
});
