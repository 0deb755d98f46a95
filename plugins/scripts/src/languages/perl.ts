import { defineLanguage } from '../language.ts';

export const perl = defineLanguage({
  name: 'perl',
  title: 'Perl',
  containerImage: 'perl',
  file: { extension: '.pl', command: "perl '{file}'" },
  script: {
    title: 'Code in the flow.',
    runs: true,
    code: `id: perl_script
namespace: company.team

tasks:
  - id: run
    type: scripts.perl.Script
    script: |
      print "Hello from Perl\\n";
`,
  },
  commands: {
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: true,
    code: `id: perl_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.perl.Commands
    inputFiles:
      main.pl: |
        print "Hello from Perl\\n";
    commands:
      - perl main.pl
`,
  },
});
