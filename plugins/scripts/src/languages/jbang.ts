import { flag, text } from '@millrace/plugin-kit';
import { defineLanguage } from '../language.ts';

export const jbang = defineLanguage({
  name: 'jbang',
  title: 'JBang',
  containerImage: 'jbangdev/jbang-action',
  file: ({ extension, quiet }) => ({
    extension: String(extension),
    command: `jbang ${quiet === true ? '--quiet ' : ''}'{file}'`,
  }),
  scriptProperties: {
    extension: text()
      .refine((ending) => /^\.[a-zA-Z0-9]+$/.test(ending), 'must be a dot followed by letters and digits')
      .default('.java')
      .describe('The ending of the file, such as `.java`, `.kt` or `.jsh`.'),
    quiet: flag().default(true).describe('Keep what JBang says about itself out of the log.'),
  },
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
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: false,
    code: `id: jbang_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.jbang.Commands
    inputFiles:
      Main.java: |
        class Main {
          public static void main(String[] args) {
            System.out.println("Hello from Java");
          }
        }
    commands:
      - jbang Main.java
`,
  },
});
